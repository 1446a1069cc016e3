"""Effects that must happen once and in order: prints, logs, global reads and writes, caller's lists."""

import math

from tests.corpus.registry import LOG, program

weights = [2.0, 3.0]
settings = {"scale": 4.0}
counter = 0


@program((1.5, 2), tags="effects")
def prints_and_fstrings(x, n):
    print("start", x)
    for i in range(n):
        x = x * x
        print(f"{i}: {x:.3f} {x!r} {n + i:>{n + 2}}", end=";\n")
    return x


@program((1.5,), (-1.5,), tags="effects")
def logs_to_a_global_list(x):
    LOG.append(("called", x))
    y = x**2
    if x > 0:
        LOG.append(y)
    return y * x


def noisy(x):
    LOG.append(f"noisy({x})")
    return x * 2


@program((1.5,), tags="effects")
def calls_are_made_once(x):
    noisy(3)
    y = noisy(x) * noisy(x + 1)
    return y if noisy(y) > 0 else noisy(-y)


@program((False,), (1.5,), tags="effects")
def short_circuit_skips_effects(x):
    return (noisy(x) and noisy(5 * x)) or noisy(7.0 + x)


@program((1.5,), tags="effects")
def comparison_chain_evaluates_once(x):
    if 0 < noisy(x) < 10 < noisy(100):
        return x**2
    return x


@program((1.5, [1.0]), tags="writes-arguments")
def appends_to_an_argument(x, values):
    values.append(3 * x)
    return values[0] * values[1] * x


@program((1.5, [1.0, 2.0]), tags="writes-arguments")
def appends_in_a_callee(x, values):
    def push(value):
        values.append(value * x)

    push(values[0])
    push(values[2])
    return values[3] * values[1]


@program((1.5,))
def reads_globals(x):
    return x * weights[0] + x**2 * weights[1] + settings["scale"] * x


@program((1.5,), tags="effects")
def counts_in_a_global(x):
    global counter
    counter = counter + 1
    y = x * x
    counter = counter - 1
    LOG.append(counter)
    return y


@program((1.5,), tags="effects")
def prints_before_it_returns_early(x):
    for i in range(5):
        print(i)
        if i * x > 2:
            print("leaving")
            return x**i
        x = x + i / 8
    print("never")


@program((-2.0,), tags="raises effects")
def effects_before_an_exception(x):
    LOG.append("before")
    y = x * 2
    print(y)
    z = math.log(y)
    LOG.append("after")
    return z


@program((1.5,), tags="effects")
def formatting_of_active_values(x):
    text = f"{x}" + str(x * 2) + "%.2f" % x + "{:.1f}".format(x)
    LOG.append(text.upper())
    return x * len(f"{x:.2f}")


@program((2.0,), tags="raises")
def index_outside_of_a_tuple(x):
    pair = (x, x * 2)
    return pair[1] * pair[5]


@program((2.0,), tags="raises")
def tuple_indexed_by_a_name(x):
    pair = (x, x * 2)
    return pair["first"]
