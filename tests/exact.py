"""In fractions: the best line or plane of rows, as near points of convex hulls are found (Wolfe 1976)."""
from fractions import Fraction


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def solution(a, b):
    """Of a x = b."""
    rows = [[Fraction(v) for v in (*line, c)] for line, c in zip(a, b)]
    for i in range(len(rows)):
        k = next(k for k in range(i, len(rows)) if rows[k][i])
        rows[i], rows[k] = rows[k], rows[i]
        rows[i] = [v / rows[i][i] for v in rows[i]]
        rows = [line if k == i or not line[i] else [v - line[i] * u for v, u in zip(line, rows[i])]
                for k, line in enumerate(rows)]
    return [line[-1] for line in rows]


def nearest(points):
    """The point of their convex hull that is nearest to 0; what ends the search proves it. Of points y (x, 1) it is a w with
    the best margin, |w|."""
    points = list({tuple(map(Fraction, p)) for p in points})
    near, share = [min(range(len(points)), key=lambda i: dot(points[i], points[i]))], [Fraction(1)]
    while True:
        p = [sum(c * points[i][j] for c, i in zip(share, near)) for j in range(len(points[0]))]
        worst = min(range(len(points)), key=lambda i: dot(points[i], p))
        if dot(points[worst], p) >= dot(p, p):
            assert sum(share) == 1 and min(share) >= 0
            return p
        near, share = [*near, worst], [*share, Fraction(0)]
        while True:
            n = len(near)
            products = [[dot(points[i], points[j]) for j in near] + [1] for i in near]
            flat = solution(products + [[1] * n + [0]], [0] * n + [1])[:n]
            step = min([1, *(c / (c - d) for c, d in zip(share, flat) if d <= 0)])
            share = [c + step * (d - c) for c, d in zip(share, flat)]
            near, share = zip(*((i, c) for i, c in zip(near, share) if c > 0))
            near, share = list(near), list(share)
            if step == 1:
                break
