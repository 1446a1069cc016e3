"""Rewrites of the adjoint: what they make of it, and what they must leave as it is."""

from __future__ import annotations

from textwrap import dedent

import numpy as np
import pytest

from tests.simplify.running import adjoint, bits, body, function_of


def simplified(lines: str) -> str:
    """The simplified body of an adjoint that has these lines behind `a, b, c = stash`."""
    inner = dedent(lines).strip("\n").replace("\n", "\n    ")
    text = body(adjoint(f"def g_adjoint(stash, y_bar):\n    a, b, c = stash\n    {inner}"))
    return text.partition("\n")[2].strip()


WRITTEN = {
    "single use": (
        """
        t_bar = y_bar * a
        x_bar = t_bar * b
        return x_bar,
        """,
        """
        x_bar = y_bar * a * b
        return (x_bar,)
        """,
    ),
    "copies": (
        """
        t_bar = y_bar
        x_bar = t_bar * a
        z_bar = t_bar * b
        return x_bar, z_bar, c
        """,
        """
        x_bar = y_bar * a
        z_bar = y_bar * b
        return (x_bar, z_bar, c)
        """,
    ),
    "joined sum": (
        """
        x_bar = y_bar * a
        x_bar += y_bar * b
        return x_bar, c
        """,
        """
        x_bar = y_bar * a + y_bar * b
        return (x_bar, c)
        """,
    ),
    "difference": (
        """
        x_bar = y_bar * a
        x_bar += -c
        return x_bar, b
        """,
        """
        x_bar = y_bar * a - c
        return (x_bar, b)
        """,
    ),
    "negative": (
        """
        x_bar = y_bar
        x_bar += -c
        return x_bar, a, b
        """,
        """
        x_bar = y_bar
        x_bar -= c
        return (x_bar, a, b)
        """,
    ),
    "unread": (
        """
        t_bar = y_bar * a
        x_bar = 0.0
        x_bar = y_bar
        return x_bar, b, c
        """,
        """
        return (y_bar, b, c)
        """,
    ),
    "unread targets": (
        """
        p, q = a(y_bar)
        return q, b, c
        """,
        """
        _, q = a(y_bar)
        return (q, b, c)
        """,
    ),
    "unread call": (
        """
        p, q = a(y_bar)
        return b, c
        """,
        """
        a(y_bar)
        return (b, c)
        """,
    ),
    "renamed target": (
        """
        _, part_bar = a(y_bar)
        x_bar = part_bar
        x_bar = x_bar * b
        return x_bar, c
        """,
        """
        _, x_bar = a(y_bar)
        x_bar = x_bar * b
        return (x_bar, c)
        """,
    ),
    "delayed": (
        """
        s_bar = y_bar
        x_bar = 0.0
        for r in reversed(a):
            t_bar = s_bar
            s_bar = t_bar * math.cos(r)
            x_bar += t_bar * r
            s_bar += t_bar * b
        return x_bar, s_bar, c
        """,
        """
        for r in reversed(a):
            x_bar += s_bar * r
            s_bar = s_bar * math.cos(r) + s_bar * b
        """,
    ),
    "empty arm": (
        """
        if a:
            pass
        else:
            y_bar = y_bar * b
        return y_bar, c
        """,
        """
        if not a:
            y_bar = y_bar * b
        return (y_bar, c)
        """,
    ),
    "idle copy": (
        """
        for _ in range(a):
            t_bar = y_bar
            y_bar = t_bar
            b(t_bar)
        return y_bar, c
        """,
        """
        for _ in range(a):
            b(y_bar)
        return (y_bar, c)
        """,
    ),
    "signs in sums": (
        """
        t_bar = -y_bar / a
        b_bar = c
        b_bar -= t_bar
        x_bar = y_bar + -(t_bar * b) * c + t_bar * a
        return (x_bar, b_bar)
        """,
        """
        t_bar = y_bar / a
        b_bar = c
        b_bar += t_bar
        x_bar = y_bar + t_bar * b * c - t_bar * a
        return (x_bar, b_bar)
        """,
    ),
    "signs that cost nothing": (
        """
        t_bar = -y_bar / a
        s_bar = t_bar * b
        x_bar = c * 2.0
        x_bar += s_bar * c
        x_bar[0] += t_bar
        return x_bar, s_bar
        """.replace(", s_bar", ","),
        """
        t_bar = y_bar / a
        x_bar = c * 2.0 - t_bar * b * c
        x_bar[0] -= t_bar
        return (x_bar,)
        """,
    ),
    "shared quotient": (
        """
        t_bar = y_bar / a
        x_bar = -(y_bar / a * b)
        return x_bar, t_bar, c
        """,
        """
        t_bar = y_bar / a
        x_bar = -(t_bar * b)
        return (x_bar, t_bar, c)
        """,
    ),
    "needless copy": (
        """
        x_bar = y_bar * a
        t_bar = x_bar[1:].copy()
        s_bar = unbroadcast(x_bar[0].copy(), b)
        z_bar = t_bar * s_bar
        z_bar += t_bar @ c
        x_bar[1:] -= t_bar * a
        return x_bar, z_bar
        """,
        """
        x_bar = y_bar * a
        t_bar = x_bar[1:]
        z_bar = t_bar * unbroadcast(x_bar[0], b) + t_bar @ c
        x_bar[1:] -= t_bar * a
        return (x_bar, z_bar)
        """,
    ),
    "shape of what is written": (
        """
        a_shape = a.shape
        y_bar[0] += b
        x_bar = unbroadcast(y_bar, a_shape)
        return x_bar, c
        """,
        """
        y_bar[0] += b
        x_bar = unbroadcast(y_bar, a.shape)
        return (x_bar, c)
        """,
    ),
    "call that is added": (
        """
        x_bar = y_bar * a
        p_bar = b(c, y_bar)
        x_bar += p_bar
        return x_bar
        """,
        """
        x_bar = y_bar * a
        x_bar += b(c, y_bar)
        return x_bar
        """,
    ),
    "loop of nothing": (
        """
        for r in reversed(a):
            t_bar = y_bar * r
        return y_bar, b, c
        """,
        """
        return (y_bar, b, c)
        """,
    ),
}


@pytest.mark.parametrize(("lines", "expected"), WRITTEN.values(), ids=WRITTEN)
def test_what_is_written(lines: str, expected: str) -> None:
    assert dedent(expected).strip() in simplified(lines)


KEPT = {
    "past an update in place": "t_bar = y_bar * a\na[0] += b\nx_bar = t_bar * c\nreturn (x_bar, a)",
    "past an update of another name": "t_bar = y_bar * a\nb[0] = c\nx_bar = t_bar * a\nreturn (x_bar,)",
    "past an array's own sum": "t_bar = a * c\ny_bar += b\nx_bar = t_bar * c\nreturn (x_bar, y_bar)",
    "past a user's pullback": "t_bar = y_bar * a\n_, p_bar = b(c)\nx_bar = t_bar * a\nreturn (x_bar, p_bar)",
    "past a new binding": "t_bar = y_bar * a\na = b * c\nx_bar = t_bar * a\nreturn (x_bar, a)",
    "view before it is cleared": "t_bar = y_bar[1:]\ny_bar[1:] = 0.0\nx_bar = t_bar * a\nreturn (x_bar,)",
    "item before it is cleared": "t_bar = y_bar[1]\ny_bar[1] = 0.0\nx_bar = t_bar * a\nreturn (x_bar, y_bar)",
    "read twice": "t_bar = y_bar * a\nx_bar = t_bar * b\nz_bar = t_bar * c\nreturn (x_bar, z_bar)",
    "into a loop": "t_bar = y_bar * a\nfor _ in reversed(b):\n    y_bar += t_bar * c\nreturn (y_bar,)",
    "shared sum": "x_bar = y_bar\nx_bar += y_bar * a\nreturn (x_bar, b, c)",
    "order of pullbacks": "p_bar = a(y_bar)\nq_bar = b(c)\nx_bar = q_bar + p_bar\nreturn (x_bar,)",
    "double minus": "x_bar = --y_bar\nreturn (x_bar, a, b, c)",
    "one times": "x_bar = 1 * y_bar\nreturn (x_bar, a, b, c)",
    "zero that is added to": "x_bar = 0.0\nx_bar += y_bar * a\nreturn (x_bar, b, c)",
    "carried round": "x_bar = y_bar\nfor r in reversed(a):\n    b(x_bar)\n    x_bar = r * c\nreturn x_bar",
    "taken off a list": "p_bar = a.pop()\nq_bar = a.pop()\nreturn (q_bar, p_bar, b, c)",
    "unread pullback": "a(y_bar)\nreturn (b, c)",
    "call that is added elsewhere": "p_bar = a(b)\ny_bar[0] += p_bar\nreturn (y_bar, c)",
    "call in front of another": "p_bar = a(b)\nq_bar = c(b)\ny_bar += p_bar\nreturn (y_bar, q_bar)",
    "call whose result is multiplied": "p_bar = a(b)\ny_bar += c * p_bar\nreturn (y_bar,)",
    "copy of what is cleared": "t_bar = y_bar[1:].copy()\ny_bar[1:] = 0.0\nx_bar = t_bar * a\nreturn x_bar",
    "copy that is returned": "t_bar = y_bar[1:].copy()\nreturn (t_bar, a, b, c)",
    "copy that is added to": "t_bar = y_bar[1:].copy()\nt_bar += a\nx_bar = t_bar * b\nreturn (x_bar,)",
    "copy that is added": "y_bar[:-1] += y_bar[1:].copy()\nreturn (y_bar, a)",
    "copy that is stored": "a[0] = y_bar[1:].copy()\nreturn (a, b, c)",
    "copy for a loop": "t_bar = a[0].copy()\nfor r in reversed(b):\n    y_bar += t_bar * r\nreturn (y_bar,)",
    "copy behind another name": "t_bar = a[0].copy()\nb[0] = c\nx_bar = t_bar * y_bar\nreturn (x_bar, a)",
    "quotient of something else": "t_bar = y_bar / a\na = b\nx_bar = y_bar / a * c\nreturn (x_bar, t_bar, a)",
    "quotient that was changed": "t_bar = y_bar / a\nt_bar[0] += b\nx_bar = y_bar / a * c\nreturn x_bar",
    "quotient of what changed": "t_bar = y_bar / a\na[0] = b\nx_bar = y_bar / a * c\nreturn x_bar + t_bar",
    "whole quotient": "t_bar = y_bar / a\nx_bar = y_bar / a\nx_bar[0] += b\nreturn (x_bar, t_bar)",
    "sign of what is bound anew": "t_bar = -y_bar * a\nb(c - t_bar)\nt_bar = t_bar * c\nreturn t_bar",
    "sign in a square": "t_bar = -y_bar * a\nx_bar = c + t_bar * t_bar\nreturn (x_bar,)",
    "sign of what is returned": "t_bar = -y_bar * a\nx_bar = c * b\nx_bar[0] += t_bar\nreturn (x_bar, t_bar)",
    "sign that is needed": "t_bar = -y_bar * a\nx_bar = b(t_bar)\nx_bar[0] += t_bar\nreturn (x_bar,)",
    "sign of a view": "t_bar = -y_bar[1:]\ny_bar[1:] = 0.0\ny_bar[:-1] += t_bar * a\nreturn (y_bar, b)",
    "sign subtracted from": "t_bar = -a * b\nx_bar = t_bar - c\nx_bar[0] += t_bar\nreturn (x_bar,)",
}


@pytest.mark.parametrize("lines", KEPT.values(), ids=KEPT)
def test_what_is_left_alone(lines: str) -> None:
    assert simplified(lines) == lines


def test_a_local_variable_with_the_name_of_a_helper_is_no_helper() -> None:
    lines = "reshape_back, x = stash\n    t = reshape_back(y_bar)\n    return x,"
    text = adjoint(f"def g_adjoint(stash, y_bar):\n    {lines}")
    assert "reshape_back(y_bar)" in text


def test_deep_expressions_stay_in_pieces() -> None:
    lines = "\n".join(f"t{i + 1}_bar = a * (b + t{i}_bar)" for i in range(6))
    text = simplified(f"t0_bar = y_bar\n{lines}\nx_bar = t6_bar\nreturn x_bar, c")
    assert 2 <= text.count("_bar = ") <= 4


ALIASING = """
def g_adjoint(stash, y_bar):
    x, w = stash
    u_bar = y_bar * w
    t_bar = u_bar[1:]
    v_bar = np.zeros(np.shape(x), x.dtype)
    v_bar[1:] += t_bar
    u_bar[1] = 0.0
    s_bar = t_bar * 2.0
    v_bar[:2] += u_bar[:2]
    z_bar = u_bar
    z_bar = z_bar + v_bar
    v_bar += z_bar
    q_bar = v_bar * w
    q_bar += -z_bar
    u_bar += q_bar
    r_bar = s_bar
    r_bar = r_bar * w[1:]
    return v_bar, r_bar, u_bar, q_bar
"""


TURNED = """
def g_adjoint(stash, y_bar):
    x, w = stash
    u_bar = y_bar * w
    t_bar = -u_bar[1:]
    a_bar = t_bar * w[1:]
    b_bar = -u_bar / x
    c_bar = b_bar * w
    u_bar[1:] += t_bar * 2.0
    d_bar = c_bar * x + w
    d_bar += -b_bar * w
    s_bar = u_bar[:2].copy()
    e_bar = s_bar * w[0]
    e_bar += s_bar * 3.0
    u_bar[1] += s_bar[0] * w[0]
    v_bar = -(u_bar / x * w)
    q_bar = u_bar / x
    r_bar = -(u_bar / x * w)
    r_bar += -q_bar
    return a_bar, d_bar, e_bar, u_bar, v_bar, r_bar
"""


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_signs_and_copies_make_no_difference(dtype: type) -> None:
    random = np.random.default_rng(6)
    for special in (0.0, -0.0, np.inf, 1e-30):
        x, w, y_bar = (random.normal(size=4).astype(dtype) for _ in range(3))
        w[0], x[2] = special, special
        with np.errstate(all="ignore"):
            before, after = (function_of(text)((x, w), y_bar) for text in (TURNED, adjoint(TURNED)))
        for one, other in zip(before, after, strict=True):
            np.testing.assert_array_equal(one, other)
            np.testing.assert_array_equal(
                np.signbit(one) & ~np.isnan(one), np.signbit(other) & ~np.isnan(other)
            )


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128])
def test_aliased_arrays_give_the_same_bits(dtype: type) -> None:
    random = np.random.default_rng(5)
    for special in (0.0, -0.0, np.nan, np.inf):
        x, w, y_bar = (random.normal(size=4).astype(dtype) for _ in range(3))
        w[0] = special
        with np.errstate(invalid="ignore"):
            before, after = (function_of(text)((x, w), y_bar) for text in (ALIASING, adjoint(ALIASING)))
        assert bits(before) == bits(after)
        assert not any(np.shares_memory(one, w) or np.shares_memory(one, y_bar) for one in after)
