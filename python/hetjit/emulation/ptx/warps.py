"""What lanes of a warp do together. `rows` names each thread's team: lanes of one warp that do it at once."""

import numpy as np

from .floats import larger, smaller
from .formats import U4


class Teams:
    """A table of 32 places for each team."""

    def __init__(self, rows, lanes):
        self.unique, self.row = np.unique(rows, return_inverse=True)
        self.lanes = lanes.astype(np.int64)
        self.flat = self.row * 32 + self.lanes
        self.present = np.zeros(len(self.unique) * 32, np.bool_)
        self.present[self.flat] = True

    def spread(self, values):
        table = np.zeros(self.present.size, values.dtype)
        table[self.flat] = values
        return table

    def ballot(self, predicate):
        weights = np.ldexp(1.0, self.lanes) * predicate
        return np.bincount(self.row, weights, len(self.unique)).astype(np.int64).astype(U4)


def shuffle(teams, operation, value, at, clamp):
    """Lanes may be cut into segments; who looks past one's end, or at a lane that takes no part, keeps the own value."""
    lane, segment = teams.lanes, (clamp.astype(np.int64) >> 8) & 31
    clamp, at = clamp.astype(np.int64) & 31, at.astype(np.int64) & 31
    low = lane & segment
    limit = low | (clamp & ~segment)
    source = {"up": lambda: lane - at, "down": lambda: lane + at, "bfly": lambda: lane ^ at,
              "idx": lambda: low | (at & ~segment)}[operation[1]]()
    valid = source >= limit if operation[1] == "up" else source <= limit
    source = teams.row * 32 + np.where(valid, source, lane)
    source = np.where(teams.present[source], source, teams.flat)
    return teams.spread(value)[source], valid


def vote(teams, operation, predicate):
    ballot = teams.ballot(predicate)[teams.row]
    everyone = teams.ballot(np.ones(predicate.size))[teams.row]
    return ({"ballot": lambda: ballot, "any": lambda: ballot != 0, "all": lambda: ballot == everyone,
             "uni": lambda: (ballot == 0) | (ballot == everyone)}[operation[1]](),)


def match(teams, operation, value):
    table, same = teams.spread(value).reshape(-1, 32), np.zeros(value.size, U4)
    present = teams.present.reshape(-1, 32)
    for lane in range(32):
        equal = present[teams.row, lane] & (table[teams.row, lane] == value)
        same |= equal.astype(U4) << U4.type(lane)
    if operation[1] == "any":
        return (same,)
    everyone = teams.ballot(np.ones(value.size))[teams.row]
    return np.where(same == everyone, same, U4.type(0)), same == everyone


REDUCTIONS = {"add": np.add, "min": np.minimum, "max": np.maximum, "and": np.bitwise_and, "or": np.bitwise_or,
              "xor": np.bitwise_xor}


def reduce(teams, operation, value):
    _, name, kind, absolute, with_nan = operation
    order = np.argsort(teams.flat, kind="stable")
    starts = np.searchsorted(teams.row[order], np.arange(len(teams.unique)))
    value = value[order]
    if kind == "f32":
        value = np.abs(value) if absolute else value
        function = np.frompyfunc(lambda a, b: {"min": smaller, "max": larger}[name](a, b)[()], 2, 1)
        result = function.reduceat(value, starts).astype(value.dtype)
        bad = np.logical_or.reduceat(np.isnan(value), starts)
        result = np.where(bad & with_nan, value.dtype.type(np.nan), result)
    else:
        result = REDUCTIONS[name].reduceat(value, starts)
    return (result[teams.row].astype(value.dtype),)


def elect(teams, operation):
    leaders = np.argmax(teams.present.reshape(-1, 32), axis=1)[teams.row]
    return leaders.astype(U4), leaders == teams.lanes


def active(teams, operation):
    return (teams.ballot(np.ones(teams.lanes.size))[teams.row],)


OPERATIONS = {"shfl": shuffle, "vote": vote, "match": match, "redux": reduce, "elect": elect, "activemask": active,
              "sync": lambda teams, operation: ()}


MODES = {"shfl": {"up", "down", "bfly", "idx"}, "vote": {"ballot", "any", "all", "uni"}, "match": {"any", "all"},
         "redux": set(REDUCTIONS)}


def operate(operation, rows, lanes, operands):
    """The results of a warp operation, one array for each destination."""
    return OPERATIONS[operation[0]](Teams(rows, lanes), operation, *operands)
