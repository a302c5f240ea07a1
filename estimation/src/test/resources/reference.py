"""The figures of ReferenceTest by NumPy alone: python3 reference.py prints a line for each.

Columns are those of Samples.reference, of the same congruential generator. Nuisance functions are ordinary least squares
by numpy.linalg.lstsq on standardized columns, and logistic regression by Newton's method. Scores, estimates and standard
errors are written as in the papers.
"""
import numpy as np
from numpy import mean, median, sqrt

N = 240
state = 20261125


def uniform():
    global state
    state = (state * 1103515245 + 12345) % 2**31
    return state / 2**31


x, y, d, b, z = np.zeros((N, 4)), np.zeros(N), np.zeros(N), np.zeros(N), np.zeros(N)
for i in range(N):
    for j in range(4):
        x[i, j] = 3 * uniform() - 1.5
    x[i, 3] = 1e4 * (x[i, 3] + 2)
    z[i] = uniform() < 0.5 + 0.2 * x[i, 0]
    b[i] = uniform() < 0.35 + 0.3 * z[i] + 0.1 * x[i, 1]
    d[i] = 0.7 * x[i, 0] - 0.4 * x[i, 1] + 0.5 * z[i] + 2 * uniform() - 1
    y[i] = 0.8 * d[i] + 1.1 * b[i] + x[i, 0] - 0.5 * x[i, 2] + 1e-4 * x[i, 3] + 2 * uniform() - 1
i = np.arange(N)
z2 = np.cos(0.37 * i) + 0.4 * d
by_four, c1, c2 = i % 4, i // 12, i % 12


def standardized(train, test):
    m, s = train.mean(0), train.std(0)
    return np.c_[np.ones(len(train)), (train - m) / s], np.c_[np.ones(len(test)), (test - m) / s]


def ols(train, target, test):
    a, t = standardized(train, test)
    return t @ np.linalg.lstsq(a, target, rcond=None)[0]


def logit(train, target, test):
    a, t = standardized(train, test)
    beta = np.zeros(a.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-a @ beta))
        beta += np.linalg.solve((a.T * (p * (1 - p))) @ a, a.T @ (target - p))
    return 1 / (1 + np.exp(-t @ beta))


def cross(target, splits, learner=ols, where=None, features=x):
    out = np.zeros(N)
    for train, test in splits:
        train = train if where is None else train & where
        out[test] = learner(features[train], target[train], features[test])
    return out


def complements(folds):
    return [(folds != k, folds == k) for k in range(folds.max() + 1)]


FOUR = complements(by_four)


def dml(a, bb, name, folds=None):
    theta = -bb.sum() / a.sum()
    if folds is not None:
        theta = mean([-bb[folds == k].sum() / a[folds == k].sum() for k in range(folds.max() + 1)])
    psi, slope = theta * a + bb, mean(a)
    se = sqrt(mean(psi**2) / slope**2 / N)
    print("%-24s %.17g %.17g" % (name, theta, se))
    return theta, se, -psi / slope


def quantile(p):
    from statistics import NormalDist

    return NormalDist().inv_cdf(p)


def bounds(name, estimate, sigma, nu, nu_squared, psi_nu, level=0.95, cf=0.03):
    theta, se, influence = estimate
    sigma_squared = mean(sigma)
    s = sqrt(sigma_squared * nu_squared)
    bias = (sigma_squared * psi_nu + nu_squared * (sigma - sigma_squared)) / (2 * s)
    strength = sqrt(cf * cf / (1 - cf))
    out = []
    for side in (-1, 1):
        bound = theta + side * strength * s
        error = sqrt(mean((influence + side * strength * bias) ** 2) / N)
        out += [bound, bound + side * quantile(level) * error]
    r = (theta / s) ** 2
    robustness = (-r + sqrt(r * r + 4 * r)) / 2
    print("%-24s %.17g %.17g %.17g %.17g %.17g" % (name, out[0], out[2], out[1], out[3], robustness))


def partially_linear(treatment, features, name, folds=by_four, sensitivity=False):
    l, m = cross(y, FOUR, features=features), cross(treatment, FOUR, features=features)
    u, v = y - l, treatment - m
    estimate = dml(-v * v, u * v, name)
    if sensitivity:
        nu_squared = 1 / mean(v * v)
        bounds(name + " bounds", estimate, (u - estimate[0] * v) ** 2, v * v, nu_squared, nu_squared - v * v * nu_squared**2)
    return u, v


u, v = partially_linear(d, x, "plr", sensitivity=True)
dml(-v * v, u * v, "plr dml1", by_four)
first = (u * v).sum() / (v * v).sum()
g = cross(y - first * d, FOUR)
estimate = dml(-v * d, v * (y - g), "plr iv-type")
dml(-v * d, v * (y - g), "plr iv-type dml1", by_four)
nu_squared = 1 / mean(v * v)
bounds("plr iv-type bounds", estimate, (y - g - estimate[0] * d) ** 2, v * v, nu_squared, nu_squared - v * v * nu_squared**2)

partially_linear(d, np.c_[x, b], "plr d of d,b")
partially_linear(b, np.c_[x, d], "plr b of d,b")

l, r, m = cross(y, FOUR), cross(d, FOUR), cross(z, FOUR)
dml(-(d - r) * (z - m), (y - l) * (z - m), "pliv")
dml(-(d - r) * (z - m), (y - l) * (z - m), "pliv dml1", by_four)
w = np.c_[z - m, z2 - cross(z2, FOUR)]
a = np.c_[np.ones(N), w]
w = a @ np.linalg.lstsq(a, d - r, rcond=None)[0]
dml(-(d - r) * w, (y - l) * w, "pliv of z,z2")
features = np.c_[x, b]
l, r, m = (cross(t, FOUR, features=features) for t in (y, d, z))
dml(-(d - r) * (z - m), (y - l) * (z - m), "pliv d of d,b")


def contrast(value, arm, m, g0, g1):
    return g1 - g0 + arm * (value - g1) / m - (1 - arm) * (value - g0) / (1 - m)


g0, g1 = cross(y, FOUR, where=b == 0), cross(y, FOUR, where=b == 1)
m = cross(b, FOUR, logit)


def average(m, name):
    estimate = dml(-np.ones(N), contrast(y, b, m, g0, g1), name)
    riesz = b / m - (1 - b) / (1 - m)
    nu = 2 * (1 / m + 1 / (1 - m)) - riesz**2
    sigma = (y - np.where(b == 1, g1, g0)) ** 2
    bounds(name + " bounds", estimate, sigma, nu, mean(nu), nu - mean(nu))


average(m, "irm ate")
average(np.clip(m, 0.45, 0.55), "irm ate trimmed at 0.45")
dml(-np.ones(N), contrast(y, b, m, g0, g1), "irm ate dml1", by_four)
p = mean(b)
a, bb = -b / p, b * (y - g0) / p - m * (1 - b) * (y - g0) / (p * (1 - m))
estimate = dml(a, bb, "irm att")
dml(a, bb, "irm att dml1", by_four)
riesz = (b - (1 - b) * m / (1 - m)) / p
nu = 2 * b / p**2 * (1 + m / (1 - m)) - riesz**2
# The bias of any effect depends on the regression of y on b and x, which is g1 for the treated.
bounds("irm att bounds", estimate, (y - np.where(b == 1, g1, g0)) ** 2, nu, mean(nu), nu - mean(nu))

g0, g1 = cross(y, FOUR, where=z == 0), cross(y, FOUR, where=z == 1)
r0, r1 = cross(b, FOUR, where=z == 0), cross(b, FOUR, where=z == 1)
m = cross(z, FOUR, logit)
dml(-contrast(b, z, m, r0, r1), contrast(y, z, m, g0, g1), "iivm late")
dml(-contrast(b, z, m, r0, r1), contrast(y, z, m, g0, g1), "iivm late dml1", by_four)


def clustered(ways, fold_ways, name):
    """Chiang et al. 2022: a part is a pair of groups of clusters; its complement shares neither."""
    groups = [f.max() + 1 for f in fold_ways]
    parts = [(k,) for k in range(groups[0])] if len(ways) == 1 else [(k, h) for k in range(groups[0]) for h in range(groups[1])]
    splits, weights = [], []
    for part in parts:
        test, train = np.ones(N, bool), np.ones(N, bool)
        sizes = []
        for way, fold, group in zip(ways, fold_ways, part):
            test &= fold == group
            train &= fold != group
            sizes.append(len(set(way[fold == group])))
        splits.append((train, test))
        weights.append(sizes)
    l, m = cross(y, splits), cross(d, splits)
    u, v = y - l, d - m
    a, bb = -v * v, u * v
    means = [[q[test].sum() / np.prod(size) for (_, test), size in zip(splits, weights)] for q in (a, bb)]
    theta = -mean(means[1]) / mean(means[0])
    psi, slope = theta * a + bb, mean(means[0])
    gamma = 0
    for (_, test), size in zip(splits, weights):
        for way in ways:
            sums = np.array([psi[test & (way == c)].sum() for c in set(way[test])])
            gamma += min(size) / np.prod(size) ** 2 * (sums**2).sum() / len(splits)
    se = sqrt(gamma / slope**2 / min(len(set(way)) for way in ways))
    print("%-24s %.17g %.17g" % (name, theta, se))


clustered([c1], [c1 % 4], "plr one way")
clustered([c1], [np.where(c1 < 9, 0, 1 + c1 % 3)], "plr one way, uneven")
clustered([c1, c2], [c1 % 2, c2 % 2], "plr two ways")
clustered([c1, c2], [(c1 > 7) * 1, (c2 > 4) * 1], "plr two ways, uneven")
