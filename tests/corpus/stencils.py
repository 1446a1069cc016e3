"""Stencils, time stepping, elimination and tables: programs of numerical analysis that write in place."""

import math
from dataclasses import dataclass

import numpy as np

from tests.corpus.registry import program

U = np.array([0.0, 0.8, -0.4, 1.1, 0.3])
W = np.array([1.5, 0.7, 2.0, 0.9, 1.2])
G = np.arange(16.0).reshape(4, 4) ** 1.5 / 20 - 0.5
A = np.array([[4.0, 1.0, -0.5], [0.8, 5.0, 1.2], [0.3, -1.0, 3.5]])
S = np.array([[4.0, 1.0, -0.5], [1.0, 5.0, 1.2], [-0.5, 1.2, 3.5]])
B = np.array([1.0, -2.0, 0.5])
P = np.array([[0.0, 0.1], [1.0, -0.3], [-0.5, 0.9]])
Q = np.array([[0.2, 0.0], [-0.1, 0.4], [0.3, -0.2]])


# Diffusion


@program((U, 0.3, 3), (U, 0.3, 0))
def heat_by_slices(u, r, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:-1] += r * (u[2:] - 2 * u[1:-1] + u[:-2])
    return u


@program((U, 0.3, 3), tags="writes-arguments order1-only")
def heat_by_slices_in_the_argument(u, r, steps):
    for _ in range(steps):
        u[1:-1] += r * (u[2:] - 2 * u[1:-1] + u[:-2])
    return u @ u


@program((U, 0.3, 2))
def heat_element_by_element(u, r, steps):
    new = u.copy()
    for _ in range(steps):
        old = new.copy()
        for i in range(1, len(u) - 1):
            new[i] = old[i] + r * (old[i - 1] - 2.0 * old[i] + old[i + 1])
    return new * u


@program((U, 0.3, 2), tags="writes-arguments")
def heat_swept_in_place(u, r, steps):
    for _ in range(steps):
        for i in range(1, u.size - 1):
            u[i] += r * (u[i - 1] - 2 * u[i] + u[i + 1])
        for i in range(u.size - 2, 0, -1):
            u[i] += r * (u[i - 1] - 2 * u[i] + u[i + 1])
    return np.sum(u**2)


@program((U, 0.3, 3), (U, 0.3, 2))
def heat_in_two_buffers(start, r, steps):
    u, v = start.copy(), np.zeros_like(start)
    v[0], v[-1] = start[0], start[-1]
    for _ in range(steps):
        v[1:-1] = u[1:-1] + r * (u[2:] - 2 * u[1:-1] + u[:-2])
        u, v = v, u
    return u * start + v


@program((U, 0.3, 3))
def heat_in_two_buffers_element_by_element(start, r, steps):
    u, v = start.copy(), start.copy()
    for _ in range(steps):
        for i in range(1, len(u) - 1):
            v[i] = u[i] + r * (u[i - 1] - 2 * u[i] + u[i + 1]) * math.cos(u[i])
        u, v = v, u
    return u.sum() + v[1] * v[2]


@program((U, 0.2, 3))
def heat_with_ends_that_follow(u, r, steps):
    field = np.empty(len(u) + 2)
    field[1:-1] = u
    for _ in range(steps):
        field[0], field[-1] = field[1], field[-2]
        field[1:-1] += r * (field[2:] - 2 * field[1:-1] + field[:-2])
    return field[1:-1] * u


@program((G, 0.2, 2))
def heat_on_a_square(u, r, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:-1, 1:-1] += r * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
    return u * u


@program((G, 0.2, 2))
def heat_on_a_square_by_inner_views(u, r, steps):
    u = u.copy()
    inner, north, south = u[1:-1, 1:-1], u[:-2, 1:-1], u[2:, 1:-1]
    west, east = u[1:-1, :-2], u[1:-1, 2:]
    for _ in range(steps):
        inner += r * (north + south + west + east - 4 * inner)
    return u**2


@program((U, 0.25, 3))
def heat_around_a_ring(u, r, steps):
    for _ in range(steps):
        u = u + r * (np.roll(u, 1) - 2 * u + np.roll(u, -1))
    return u * u


@program((U, 0.25, 2))
def heat_around_a_ring_element_by_element(u, r, steps):
    n, u = len(u), u.copy()
    for _ in range(steps):
        old = u.copy()
        for i in range(n):
            u[i] += r * (old[i - 1] - 2 * old[i] + old[(i + 1) % n])
    return u * u


@program((U, W, 0.1, 2))
def heat_with_varying_conductivity(u, k, dt, steps):
    u = u.copy()
    for _ in range(steps):
        flux = -0.5 * (k[1:] + k[:-1]) * np.diff(u)
        u[1:-1] -= dt * (flux[1:] - flux[:-1])
    return u


@program((U, 0.3, 3))
def heat_with_a_history_of_copies(u, r, steps):
    u, history = u.copy(), []
    for _ in range(steps):
        history.append(u.copy())
        u[1:-1] += r * (u[2:] - 2 * u[1:-1] + u[:-2])
    total = 0.0
    for k, state in enumerate(history):
        total += (k + 1) * np.sum(state**2)
    return total + u[2]


@program((U, 0.3, 3), tags="order1-only")
def heat_with_a_history_of_views(u, r, steps):
    u, history = u.copy(), []
    for _ in range(steps):
        history.append(u[1:-1])
        u[1:-1] += r * (u[2:] - 2 * u[1:-1] + u[:-2])
    return sum((k + 1) * np.sum(state**2) for k, state in enumerate(history))


@program((U, 0.3, 3))
def heat_in_the_rows_of_a_table(u, r, steps):
    table = np.zeros((steps + 1, len(u)))
    table[0] = u
    for k in range(steps):
        table[k + 1] = table[k]
        table[k + 1, 1:-1] += r * (table[k, 2:] - 2 * table[k, 1:-1] + table[k, :-2])
    return table**2


def solve_tridiagonal(lower, diagonal, upper, right):
    n = len(right)
    c, x = np.zeros(n), np.zeros(n)
    c[0], x[0] = upper[0] / diagonal[0], right[0] / diagonal[0]
    for i in range(1, n):
        pivot = diagonal[i] - lower[i - 1] * c[i - 1]
        if i < n - 1:
            c[i] = upper[i] / pivot
        x[i] = (right[i] - lower[i - 1] * x[i - 1]) / pivot
    for i in range(n - 2, -1, -1):
        x[i] -= c[i] * x[i + 1]
    return x


@program((U, 0.4, 2), tags="order1-only")
def heat_by_crank_and_nicolson(u, r, steps):
    n = len(u)
    lower, diagonal, upper = np.full(n - 1, -r / 2), np.full(n, 1 + r), np.full(n - 1, -r / 2)
    for _ in range(steps):
        right = (1 - r) * u
        right[1:] += r / 2 * u[:-1]
        right[:-1] += r / 2 * u[1:]
        u = solve_tridiagonal(lower, diagonal, upper, right)
    return u * u


# Transport and waves


@program((U, W, 0.3, 2), (W, U[::-1], 0.3, 2))
def upwind(u, a, ratio, steps):
    u = u.copy()
    for _ in range(steps):
        old = u.copy()
        for i in range(1, len(u) - 1):
            if a[i] > 0:
                u[i] = old[i] - ratio * a[i] * (old[i] - old[i - 1])
            else:
                u[i] = old[i] - ratio * a[i] * (old[i + 1] - old[i])
    return u * u


@program((U, W, 0.3, 2))
def upwind_by_masks(u, a, ratio, steps):
    u, right = u.copy(), a > 1.0
    for _ in range(steps):
        ahead, behind = np.roll(u, -1) - u, u - np.roll(u, 1)
        slope = np.where(right, behind, ahead)
        u[right] -= ratio * a[right] * slope[right]
        u[~right] -= ratio * a[~right] * slope[~right]
    return u * u


@program((U, 0.4, 3))
def lax_and_wendroff(u, c, steps):
    u = u.copy()
    for _ in range(steps):
        left, middle, right = u[:-2].copy(), u[1:-1].copy(), u[2:].copy()
        u[1:-1] = middle - c / 2 * (right - left) + c**2 / 2 * (right - 2 * middle + left)
    return u * np.arange(1.0, 6.0)


@program((U, W, 0.5, 3))
def wave_on_three_levels(first, second, c, steps):
    before, now, after = first.copy(), second.copy(), np.zeros(len(first))
    for _ in range(steps):
        after[1:-1] = 2 * now[1:-1] - before[1:-1] + c**2 * (now[2:] - 2 * now[1:-1] + now[:-2])
        before, now, after = now, after, before
    return now + before * first


class Shallow:
    def __init__(self, height, speed, dt):
        self.height = height.copy()
        self.speed = speed.copy()
        self.dt = dt
        self.time = 0.0

    def step(self, gravity):
        h, v = self.height, self.speed
        v[1:-1] -= self.dt * gravity * (h[1:] - h[:-1])
        flux = v * np.concatenate(([h[0]], 0.5 * (h[1:] + h[:-1]), [h[-1]]))
        h -= self.dt * np.diff(flux)
        self.time += self.dt

    def energy(self, gravity):
        return gravity * np.sum(self.height**2) + np.sum(self.speed**2)


@program((W, np.linspace(-0.2, 0.4, 6), 9.81, 0.02, 3))
def shallow_water(height, speed, gravity, dt, steps):
    water = Shallow(height, speed, dt)
    for _ in range(steps):
        water.step(gravity)
    return water.energy(gravity) + water.time * water.height[1]


# Sweeps over linear systems


@program((A, B, 3))
def jacobi(a, b, sweeps):
    x, n = np.zeros(len(b)), len(b)
    for _ in range(sweeps):
        new = np.empty(n)
        for i in range(n):
            total = 0.0
            for j in range(n):
                if j != i:
                    total += a[i, j] * x[j]
            new[i] = (b[i] - total) / a[i, i]
        x = new
    return x


@program((A, B, 3))
def gauss_and_seidel(a, b, sweeps):
    x = np.zeros(len(b))
    for _ in range(sweeps):
        for i in range(len(b)):
            total = b[i]
            for j in range(len(b)):
                if j != i:
                    total -= a[i, j] * x[j]
            x[i] = total / a[i, i]
    return x * b


@program((A, B))
def gauss_and_seidel_until_it_stands(a, b):
    x = np.ones(len(b))
    while True:
        change = 0.0
        for i in range(len(b)):
            new = (b[i] - a[i, :i] @ x[:i] - a[i, i + 1 :] @ x[i + 1 :]) / a[i, i]
            change = max(change, abs(new - x[i]))
            x[i] = new
        if change < 1e-13:
            break
    return x


@program((S, B, 1.1, 4))
def over_relaxation(a, b, omega, most):
    x, count, size = b / np.diag(a), 0, 1.0
    while size > 1e-10 and count < most:
        before = x.copy()
        for i in range(len(b)):
            x[i] = (1 - omega) * x[i] + omega * (b[i] - a[i] @ x + a[i, i] * x[i]) / a[i, i]
        size = np.sqrt(np.sum((x - before) ** 2))
        count += 1
    return x


@program((G, 2))
def gauss_and_seidel_on_a_square(u, sweeps):
    u = u.copy()
    rows, columns = u.shape
    for _ in range(sweeps):
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - u[i, j] ** 2)
    return u


@program((np.append(U, W), 2))
def red_and_black(u, sweeps):
    u = u.copy()
    for _ in range(sweeps):
        for colour in (1, 2):
            u[colour:-1:2] = 0.5 * (u[colour - 1 : -2 : 2] + u[colour + 1 :: 2] - 0.1 * u[colour:-1:2] ** 2)
    return u * u


@program((G, 2))
def red_and_black_on_a_square(u, sweeps):
    u = u.copy()
    for _ in range(sweeps):
        for colour in range(2):
            for i in range(1, 3):
                first = 1 + (i + colour) % 2
                u[i, first:-1:2] = 0.25 * (
                    u[i - 1, first:-1:2]
                    + u[i + 1, first:-1:2]
                    + u[i, first - 1 : -2 : 2]
                    + u[i, first + 1 :: 2]
                )
    return u * u


# Elimination


@program((U[1:], W, U * 0.5, W + 2.0))
def tridiagonal_with_a_callee(lower, diagonal, right, more):
    x = solve_tridiagonal(lower, diagonal + 3.0, lower * 0.3, right)
    return solve_tridiagonal(lower * lower, more, x[1:], x)


@program((U[1:] * 0.3, W + 2.0, W[1:] * 0.2, U), tags="writes-arguments")
def tridiagonal_in_the_arguments(lower, diagonal, upper, right):
    n = len(right)
    for i in range(1, n):
        factor = lower[i - 1] / diagonal[i - 1]
        diagonal[i] -= factor * upper[i - 1]
        right[i] -= factor * right[i - 1]
    right[-1] /= diagonal[-1]
    for i in reversed(range(n - 1)):
        right[i] = (right[i] - upper[i] * right[i + 1]) / diagonal[i]
    return right


@program((S,))
def cholesky(a):
    n = a.shape[0]
    factor = np.zeros((n, n))
    for j in range(n):
        total = a[j, j]
        for k in range(j):
            total -= factor[j, k] * factor[j, k]
        factor[j, j] = math.sqrt(total)
        for i in range(j + 1, n):
            total = a[i, j]
            for k in range(j):
                total -= factor[i, k] * factor[j, k]
            factor[i, j] = total / factor[j, j]
    return factor


@program((S,), tags="writes-arguments")
def cholesky_in_the_argument(a):
    for j in range(len(a)):
        a[j, j] = np.sqrt(a[j, j] - a[j, :j] @ a[j, :j])
        for i in range(j + 1, len(a)):
            a[i, j] = (a[i, j] - a[i, :j] @ a[j, :j]) / a[j, j]
        a[j, j + 1 :] = 0.0
    return a


@program((S, B))
def cholesky_of_lists_of_lists(a, b):
    n = len(a)
    factor = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            total = sum(factor[i][k] * factor[j][k] for k in range(j))
            if i == j:
                factor[i][j] = math.sqrt(a[i, i] - total)
            else:
                factor[i][j] = (a[i, j] - total) / factor[j][j]
    y = []
    for i in range(n):
        y.append((b[i] - sum(factor[i][k] * y[k] for k in range(i))) / factor[i][i])
    return y


@program((A,))
def lower_and_upper(a):
    u, n = a.copy(), len(a)
    lower = np.eye(n)
    for k in range(n - 1):
        for i in range(k + 1, n):
            lower[i, k] = u[i, k] / u[k, k]
            u[i, k:] -= lower[i, k] * u[k, k:]
    return lower, u


@program((A,))
def lower_and_upper_by_outer_products(a):
    a = a.copy()
    for k in range(len(a) - 1):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return a


@program((A[::-1].copy(), B))
def elimination_with_row_swaps(a, b):
    a, b, n = a.copy(), b.copy(), len(b)
    for k in range(n - 1):
        best = k + np.argmax(np.abs(a[k:, k]))
        if best != k:
            a[[k, best]] = a[[best, k]]
            b[k], b[best] = b[best], b[k]
        for i in range(k + 1, n):
            factor = a[i, k] / a[k, k]
            a[i, k:] -= factor * a[k, k:]
            b[i] -= factor * b[k]
    for i in range(n - 1, -1, -1):
        b[i] = (b[i] - a[i, i + 1 :] @ b[i + 1 :]) / a[i, i]
    return b


@program((A[::-1].copy(), B))
def elimination_with_a_permutation(a, b):
    a, n = a.copy(), len(b)
    order = list(range(n))
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(a[order[i], k]))
        order[k], order[best] = order[best], order[k]
        pivot = order[k]
        for i in order[k + 1 :]:
            a[i, k] /= a[pivot, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[pivot, j]
    x = np.zeros(n)
    for i in range(n):
        x[i] = b[order[i]] - a[order[i], :i] @ x[:i]
    for i in reversed(range(n)):
        x[i] = (x[i] - a[order[i], i + 1 :] @ x[i + 1 :]) / a[order[i], i]
    return x


@program((A, B))
def rows_swapped_through_a_temporary(a, b):
    a = a.copy()
    kept = a[0].copy()
    a[0] = a[2]
    a[2] = kept
    a[:, [0, 1]] = a[:, [1, 0]]
    return a @ b * a[0]


@program((np.tril(A), np.triu(A), B))
def forward_and_back_substitution(lower, upper, b):
    x = b.copy()
    for i in range(len(x)):
        for j in range(i):
            x[i] -= lower[i, j] * x[j]
        x[i] /= lower[i, i]
    for i in range(len(x) - 1, -1, -1):
        for j in range(i + 1, len(x)):
            x[i] -= upper[i, j] * x[j]
        x[i] /= upper[i, i]
    return x


@program((A,))
def gram_and_schmidt(a):
    q, n = a.copy(), a.shape[1]
    r = np.zeros((n, n))
    for j in range(n):
        for k in range(j):
            r[k, j] = q[:, k] @ q[:, j]
            q[:, j] -= r[k, j] * q[:, k]
        r[j, j] = np.linalg.norm(q[:, j])
        q[:, j] /= r[j, j]
    return q, r


@program((A,))
def gram_and_schmidt_with_lists(a):
    basis = []
    for row in a:
        v = row.copy()
        for q in basis:
            v -= (q @ v) * q
        basis.append(v / np.sqrt(v @ v))
    return np.array(basis)


@program((A,))
def householder(a):
    r, n = a.copy(), len(a)
    q = np.eye(n)
    for k in range(n - 1):
        v = r[k:, k].copy()
        v[0] += np.copysign(np.sqrt(v @ v), v[0])
        v /= np.sqrt(v @ v)
        r[k:, k:] -= 2.0 * np.outer(v, v @ r[k:, k:])
        q[:, k:] -= 2.0 * np.outer(q[:, k:] @ v, v)
    return q, r


# Mechanics


def pull_of_gravity(x, masses):
    force = np.zeros_like(x)
    for i in range(len(x)):
        for j in range(i):
            d = x[j] - x[i]
            pull = d / (d @ d + 0.1) ** 1.5
            force[i] += masses[j] * pull
            force[j] -= masses[i] * pull
    return force


@program((P, Q, B**2, 0.1, 2))
def leapfrog(x, v, masses, dt, steps):
    x, v = x.copy(), v.copy()
    v += 0.5 * dt * pull_of_gravity(x, masses)
    for _ in range(steps):
        x += dt * v
        v += dt * pull_of_gravity(x, masses)
    return x, v


@program((P, Q, B**2, 0.1, 2), tags="writes-arguments")
def leapfrog_row_by_row(x, v, masses, dt, steps):
    n = len(masses)
    for _ in range(steps):
        for i in range(n):
            x[i] += dt * v[i]
        for i in range(n):
            for j in range(n):
                if i != j:
                    d = x[j] - x[i]
                    v[i] += dt * masses[j] * d / (np.sum(d**2) + 0.1) ** 1.5
    return 0.5 * masses @ np.sum(v**2, axis=1)


@program((P, Q, 0.1, 2))
def leapfrog_by_broadcasting(x, v, dt, steps):
    x, v = x.copy(), v.copy()
    for _ in range(steps):
        x += dt * v
        d = x[None] - x[:, None]
        v += dt * np.sum(d / (np.sum(d * d, axis=2, keepdims=True) + 0.1) ** 1.5, axis=1)
    return np.sum(x * v)


class Particle:
    def __init__(self, mass, pos, vel):
        self.mass = mass
        self.pos = pos
        self.vel = vel

    def drift(self, dt):
        self.pos = self.pos + dt * self.vel


@program((P, Q, B**2, 0.1, 2))
def leapfrog_with_particles(x, v, masses, dt, steps):
    particles = [Particle(m, p, q) for m, p, q in zip(masses, x, v)]
    for _ in range(steps):
        for particle in particles:
            particle.drift(dt)
        for one in particles:
            for other in particles:
                if one is not other:
                    d = other.pos - one.pos
                    one.vel = one.vel + dt * other.mass * d / (d @ d + 0.1) ** 1.5
    return sum(p.mass * (p.vel @ p.vel) for p in particles)


@program((P, Q, B**2, 0.1, 2))
def leapfrog_with_particles_in_place(x, v, masses, dt, steps):
    particles = [Particle(m, p.copy(), q.copy()) for m, p, q in zip(masses, x, v)]
    for _ in range(steps):
        for particle in particles:
            particle.pos += dt * particle.vel
        for i, one in enumerate(particles):
            for other in particles[:i]:
                d = other.pos - one.pos
                pull = dt * d / (d @ d + 0.1) ** 1.5
                one.vel += other.mass * pull
                other.vel -= one.mass * pull
    return sum(p.mass * (p.vel @ p.vel) for p in particles)


@program(
    ([{"mass": 1.0, "pos": P[0], "vel": Q[0]}, {"mass": 2.0, "pos": P[1], "vel": Q[1]}], 0.1, 2),
    tags="writes-arguments order1-only",
)
def leapfrog_with_dicts_in_the_argument(particles, dt, steps):
    for _ in range(steps):
        for p in particles:
            p["pos"] += dt * p["vel"]
            p["vel"] = p["vel"] - dt * p["mass"] * p["pos"]
    return sum(p["vel"] @ p["vel"] for p in particles)


@dataclass
class Oscillator:
    stiffness: float
    position: float
    speed: float

    def force(self):
        return -self.stiffness * math.sin(self.position)

    def advance(self, dt):
        before = self.force()
        self.position += dt * self.speed + 0.5 * dt * dt * before
        self.speed += 0.5 * dt * (before + self.force())


@program((2.0, 0.4, -0.3, 0.1, 4))
def velocity_verlet(stiffness, position, speed, dt, steps):
    oscillator = Oscillator(stiffness, position, speed)
    path = []
    for _ in range(steps):
        oscillator.advance(dt)
        path.append(oscillator.position)
    return sum(path) * oscillator.speed


def pendulum(state, damping):
    return np.array([state[1], -math.sin(state[0]) - damping * state[1]])


@program((np.array([0.5, -0.2]), 0.1, 0.2, 2))
def runge_and_kutta(y, damping, dt, steps):
    y = y.copy()
    for _ in range(steps):
        k1 = pendulum(y, damping)
        k2 = pendulum(y + dt / 2 * k1, damping)
        k3 = pendulum(y + dt / 2 * k2, damping)
        k4 = pendulum(y + dt * k3, damping)
        y += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


@program((np.array([0.5, -0.2]), 0.1, 0.2, 2))
def runge_and_kutta_with_stages_in_place(y, damping, dt, steps):
    y, stages, tried = y.copy(), np.zeros((4, 2)), np.zeros(2)
    shares, weights = (0.0, 0.5, 0.5, 1.0), np.array([1.0, 2.0, 2.0, 1.0]) / 6
    for _ in range(steps):
        for k in range(4):
            np.multiply(stages[k - 1], shares[k] * dt, out=tried)
            np.add(tried, y, out=tried)
            stages[k, 0] = tried[1]
            stages[k, 1] = -math.sin(tried[0]) - damping * tried[1]
        y += dt * (weights @ stages)
    return y, stages


def lorenz_into(out, state, rho):
    x, y, z = state
    out[0] = 10.0 * (y - x)
    out[1] = x * (rho - z) - y
    out[2] = x * y - 8.0 / 3.0 * z


@program((np.array([1.0, 0.5, 2.0]), 20.0, 0.01, 3))
def euler_into_a_buffer(state, rho, dt, steps):
    state, slope = state.copy(), np.empty(3)
    for _ in range(steps):
        lorenz_into(slope, state, rho)
        slope *= dt
        state += slope
    return state


# Filters and sums


@program((U, W))
def recursion_filter(x, a):
    y = np.zeros(len(x))
    for n in range(len(x)):
        y[n] = a[0] * x[n]
        if n >= 1:
            y[n] += a[1] * x[n - 1] - 0.2 * a[3] * y[n - 1]
        if n >= 2:
            y[n] += a[2] * x[n - 2] - 0.1 * a[4] * y[n - 2]
    return y


@program((U, W[:3]))
def filter_with_a_delay_line(x, a):
    line, out = [0.0, 0.0, 0.0], []
    for sample in x:
        line.insert(0, sample + 0.1 * line[-1])
        line.pop()
        out.append(sum(c * d for c, d in zip(a, line)))
    return out


@program((np.append(U, W), 3))
def moving_average_by_a_running_sum(x, width):
    out = np.empty(len(x) - width + 1)
    running = 0.0
    for i in range(width):
        running += x[i]
    out[0] = running / width
    for i in range(width, len(x)):
        running += x[i] - x[i - width]
        out[i - width + 1] = running / width
    return out**2


@program((U,), tags="writes-arguments")
def prefix_sums_in_place(x):
    for i in range(1, len(x)):
        x[i] += x[i - 1]
    return x * x


@program((np.append(U, W)[:8],))
def prefix_sums_in_a_tree(x):
    x, n, step = x.copy(), len(x), 1
    while step < n:
        x[2 * step - 1 :: 2 * step] += x[step - 1 : -1 : 2 * step]
        step *= 2
    x[-1] = 0.0
    while step > 1:
        step //= 2
        left = x[step - 1 : -1 : 2 * step].copy()
        x[step - 1 : -1 : 2 * step] = x[2 * step - 1 :: 2 * step]
        x[2 * step - 1 :: 2 * step] += left
    return x * x


@program((G,))
def integral_image(image):
    rows, columns = image.shape
    table = np.zeros((rows + 1, columns + 1))
    for i in range(rows):
        for j in range(columns):
            table[i + 1, j + 1] = image[i, j] + table[i, j + 1] + table[i + 1, j] - table[i, j]
    box = table[3:, 3:] - table[3:, :-3] - table[:-3, 3:] + table[:-3, :-3]
    return box**2


@program((W, U + 0.15))
def weights_into_bins(weights, places):
    bins = np.zeros(4)
    low = np.floor(places + 1.0).astype(int)
    share = places + 1.0 - low
    np.add.at(bins, low, weights * (1 - share))
    np.add.at(bins, low + 1, weights * share)
    return bins**2


@program((np.array([1.0, 0.4]), np.eye(2), U, 0.1))
def kalman(state, spread, seen, noise):
    step, read = np.array([[1.0, 0.5], [0.0, 1.0]]), np.array([1.0, 0.0])
    likelihood = 0.0
    for z in seen:
        state = step @ state
        spread = step @ spread @ step.T
        spread[np.diag_indices(2)] += noise
        gap = z - read @ state
        size = read @ spread @ read + noise**2
        gain = spread @ read / size
        state = state + gain * gap
        spread = spread - np.outer(gain, read @ spread)
        likelihood -= 0.5 * (gap**2 / size + np.log(size))
    return likelihood


@program((U, 0.7))
def horner(coefficients, x):
    values = np.empty(len(coefficients))
    values[-1] = coefficients[-1]
    for k in range(len(coefficients) - 2, -1, -1):
        values[k] = values[k + 1] * x + coefficients[k]
    return values


@program((np.append(U, W)[:8],))
def fourier_by_halves(x):
    def transform(z):
        n = len(z)
        if n == 1:
            return z
        even, odd = transform(z[::2]), transform(z[1::2])
        out = np.empty(n, dtype=complex)
        twiddled = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
        out[: n // 2] = even + twiddled
        out[n // 2 :] = even - twiddled
        return out

    return np.abs(transform(x * (1 + 0j))) ** 2


@program((np.append(U, W)[:8], np.append(W, U)[:8]))
def fourier_in_place(re, im):
    z, n = re + 1j * im, len(re)
    for i, j in ((1, 4), (3, 6)):
        z[i], z[j] = z[j], z[i]
    size = 2
    while size <= n:
        half = size // 2
        for start in range(0, n, size):
            for k in range(half):
                turned = np.exp(-2j * np.pi * k / size) * z[start + k + half]
                z[start + k + half] = z[start + k] - turned
                z[start + k] += turned
        size *= 2
    return z.real * np.arange(8.0) + z.imag


# Tables


@program((U, W[:4], 0.5))
def soft_edit_distance(a, b, gap):
    table = np.zeros((len(a) + 1, len(b) + 1))
    table[1:, 0] = gap * np.arange(1, len(a) + 1)
    table[0, 1:] = gap * np.arange(1, len(b) + 1)
    for i in range(len(a)):
        for j in range(len(b)):
            paths = np.array([table[i, j] + (a[i] - b[j]) ** 2, table[i, j + 1] + gap, table[i + 1, j] + gap])
            table[i + 1, j + 1] = -np.log(np.sum(np.exp(-paths)))
    return table[-1, -1]


@program((A, B, G[:, :3]))
def chain_with_log_sum_exp(moves, start, emissions):
    steps, states = emissions.shape
    table = np.full((steps, states), -np.inf)
    table[0] = start + emissions[0]
    for t in range(1, steps):
        for s in range(states):
            scores = table[t - 1] + moves[:, s]
            top = scores.max()
            table[t, s] = top + np.log(np.sum(np.exp(scores - top))) + emissions[t, s]
    return np.log(np.sum(np.exp(table[-1])))


@program((A, B, G[:, :3]))
def best_path(moves, start, emissions):
    score = start + emissions[0]
    pointers = np.zeros((len(emissions), len(start)), dtype=int)
    for t in range(1, len(emissions)):
        new = np.empty(len(start))
        for s in range(len(start)):
            options = score + moves[:, s]
            pointers[t, s] = np.argmax(options)
            new[s] = options[pointers[t, s]] + emissions[t, s]
        score = new
    state, path = int(np.argmax(score)), []
    for t in range(len(emissions) - 1, -1, -1):
        path.insert(0, state)
        state = pointers[t, state]
    return score.max() + sum(emissions[t, s] ** 2 for t, s in enumerate(path))


@program((G[0], 0.9))
def values_in_a_dict(prices, discount):
    table = {}

    def value(day, held):
        if day == len(prices):
            return 0.0
        if (day, held) not in table:
            wait = discount * value(day + 1, held)
            trade = value(day + 1, not held) + (prices[day] if held else -prices[day])
            table[day, held] = np.logaddexp(wait, trade)
        return table[day, held]

    return value(0, False)
