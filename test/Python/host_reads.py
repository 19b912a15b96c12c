# Values that a score or mask function reads on the host while it is traced may change between
# calls: each call must use the current values.
#
# REQUIRES: capi, numpy
# RUN: %numpy-python %s

import builtins
import collections
import contextvars
import dataclasses
import enum
import functools
import gc
import math
import operator
import os
import random
import sys
import time
import types
import unittest
import weakref

import attn_mlir
import numpy as np
from attn_mlir import _tracing

settings = types.ModuleType("settings")
settings.window = 2
settings.nested = types.ModuleType("settings.nested")
settings.nested.window = 2
settings.find = lambda: 2
sys.modules["settings"] = settings
WINDOW = 2
LIST = [2, 9]
ARRAY = np.array([2, 9])
SCALAR = np.array(2)
ONE = np.array([2])
FLOATS = np.array([2.0], np.float32)
TABLE = np.array([[2, 3], [9, 9]])
DICT = {"window": 2}
DEQUE = collections.deque([2])
SET = {2}
FUNCTIONS = [lambda: 2]
VARIABLE = contextvars.ContextVar("window", default=2)
NUMBERS = iter([])
GENERATOR = random.Random(0)


class Config:
    window = 2
    sizes = [2]


class Meta(type):
    @property
    def window(cls):
        return Config.window


class OfMeta(metaclass=Meta):
    pass


class Slots:
    __slots__ = ("window", "__weakref__")

    def __init__(self):
        self.window = 2

    @property
    def twice(self):
        return 2 * self.window

    def near(self, b, h, i, j):
        return abs(i - j) < self.window

    def __call__(self, b, h, i, j):
        return abs(i - j) < self.window

    def __getitem__(self, key):
        return self.window


@dataclasses.dataclass
class Data:
    window: int = 2
    array: object = None


class Kind(enum.Enum):
    NARROW = 2


OBJECT = Slots()
DATA = Data(array=np.array([2]))
SPACE = types.SimpleNamespace(window=2)
METHOD = OBJECT.near


def helper():
    return WINDOW


def outer_helper():
    return helper()


@functools.lru_cache(maxsize=None)
def cached():
    return WINDOW


def with_default(b, h, i, j, window=2):
    return abs(i - j) < window


def with_list(b, h, i, j, *, sizes=[2]):
    return abs(i - j) < sizes[0]


def own_attribute(b, h, i, j):
    return abs(i - j) < own_attribute.window


def helped(b, h, i, j):
    return abs(i - j) < outer_helper()


def branches(b, h, i, j):
    # The number WINDOW of the module decides on the host which of two masks is recorded.
    return abs(i - j) < (2 if WINDOW == 2 else 9)


def reads(find):
    return lambda b, h, i, j: abs(i - j) < find()


def assign(owner, name="window"):
    return lambda value: setattr(owner, name, value)


def store(container, index):
    return lambda value: container.__setitem__(index, value)


def set_global(name):
    return store(globals(), name)


def replace_code(window):
    with_default.__code__ = (
        (lambda b, h, i, j, window=2: abs(i - j) < 2) if window == 2 else
        (lambda b, h, i, j, window=2: abs(i - j) < 9)).__code__


def set_of(value):
    SET.clear()
    SET.add(value)


def set_cell(function, name):
    return lambda value: setattr(function.__closure__[
        function.__code__.co_freevars.index(name)], "cell_contents", value)


def in_a_closure():
    window = 2

    def mask(b, h, i, j):
        def within():
            return abs(i - j) < window
        return within()
    return mask


def of_a_comprehension(b, h, i, j):
    kept = i == j
    for one in [abs(i - j) < size for size in LIST[:1]]:
        kept = kept | one
    return kept


def of_an_import(b, h, i, j):
    from settings import window
    return abs(i - j) < window


def with_try(b, h, i, j):
    try:
        return abs(i - j) < Config.window
    except AttributeError:
        return i == j


def with_a_store(b, h, i, j):
    SPACE.last = WINDOW
    return abs(i - j) < SPACE.last


CLOSURE = in_a_closure()
# For each case: a mask function with a window of 2, and a function that changes that window.
CASES = {
    "global": (lambda b, h, i, j: abs(i - j) < WINDOW, set_global("WINDOW")),
    "branch": (branches, set_global("WINDOW")),
    "helper": (reads(outer_helper), set_global("WINDOW")),
    "default": (with_default, lambda value: setattr(with_default, "__defaults__", (value,))),
    "list in a default": (with_list, store(with_list.__kwdefaults__["sizes"], 0)),
    "closure": (CLOSURE, set_cell(CLOSURE, "window")),
    "comprehension": (of_a_comprehension, store(LIST, 0)),
    "import": (of_an_import, assign(settings)),
    "try": (with_try, assign(Config)),
    "store": (with_a_store, set_global("WINDOW")),
    "function's attribute": (own_attribute, assign(own_attribute)),
    "attribute of a class": (lambda b, h, i, j: abs(i - j) < Config.window, assign(Config)),
    "list of a class": (lambda b, h, i, j: abs(i - j) < Config.sizes[0],
                        store(Config.sizes, 0)),
    "metaclass": (lambda b, h, i, j: abs(i - j) < OfMeta.window, assign(Config)),
    "module": (lambda b, h, i, j: abs(i - j) < settings.window, assign(settings)),
    "module in a module": (lambda b, h, i, j: abs(i - j) < settings.nested.window,
                           assign(settings.nested)),
    "function of a module": (lambda b, h, i, j: abs(i - j) < settings.find(),
                             lambda value: setattr(settings, "find", lambda: value)),
    "slot": (lambda b, h, i, j: abs(i - j) < OBJECT.window, assign(OBJECT)),
    "property": (lambda b, h, i, j: 2 * abs(i - j) < OBJECT.twice, assign(OBJECT)),
    "method": (METHOD, assign(OBJECT)),
    "new method": (reads(lambda: OBJECT.near(0, 0, 0, 0) and OBJECT.window), assign(OBJECT)),
    "callable": (OBJECT, assign(OBJECT)),
    "__getitem__": (lambda b, h, i, j: abs(i - j) < OBJECT["window"], assign(OBJECT)),
    "partial of a method": (functools.partial(Slots.near, OBJECT), assign(OBJECT)),
    "partial of a list": (functools.partial(lambda sizes, b, h, i, j: abs(i - j) < sizes[0],
                                            LIST), store(LIST, 0)),
    "dataclass": (lambda b, h, i, j: abs(i - j) < DATA.window, assign(DATA)),
    "array of an object": (lambda b, h, i, j: abs(i - j) < DATA.array[0],
                           store(DATA.array, 0)),
    "namespace": (lambda b, h, i, j: abs(i - j) < SPACE.window, assign(SPACE)),
    "getattr": (reads(lambda: getattr(SPACE, "win" + "dow")), assign(SPACE)),
    "vars": (reads(lambda: vars(SPACE)["window"]), assign(SPACE)),
    "__dict__": (reads(lambda: Config.__dict__["window"]), assign(Config)),
    "globals": (reads(lambda: globals()["WINDOW"]), set_global("WINDOW")),
    "eval": (reads(lambda: eval("WINDOW")), set_global("WINDOW")),
    "sys.modules": (reads(lambda: sys.modules["settings"].window), assign(settings)),
    "attrgetter": (reads(lambda: operator.attrgetter("window")(SPACE)), assign(SPACE)),
    "enumeration": (reads(lambda: Kind.NARROW._value_), assign(Kind.NARROW, "_value_")),
    "environment": (reads(lambda: int(os.environ["ATTN_TEST_WINDOW"])),
                    lambda value: store(os.environ, "ATTN_TEST_WINDOW")(str(value))),
    "getenv": (reads(lambda: int(os.getenv("ATTN_TEST_WINDOW"))),
               lambda value: store(os.environ, "ATTN_TEST_WINDOW")(str(value))),
    "context variable": (reads(lambda: VARIABLE.get()), VARIABLE.set),
    "list": (lambda b, h, i, j: abs(i - j) < LIST[0], store(LIST, 0)),
    "length of a list": (reads(lambda: len(LIST)), lambda value: LIST.__setitem__(
        slice(None), [2] * value)),
    "dictionary": (lambda b, h, i, j: abs(i - j) < DICT["window"], store(DICT, "window")),
    "deque": (lambda b, h, i, j: abs(i - j) < DEQUE[0], store(DEQUE, 0)),
    "set": (reads(lambda: max(SET)), set_of),
    "list of functions": (reads(lambda: FUNCTIONS[0]()),
                          lambda value: store(FUNCTIONS, 0)(lambda: value)),
    "weak reference": (reads(lambda: REFERENCE().window), assign(OBJECT)),
    "iterator": (reads(lambda: next(NUMBERS)),
                 lambda value: set_global("NUMBERS")(iter([value]))),
    "random": (reads(lambda: random.choice([2, 9])),
               lambda value: random.seed(SEEDS[value])),
    "random of an object": (reads(lambda: GENERATOR.choice([2, 9])),
                            lambda value: GENERATOR.seed(SEEDS[value])),
    "random of NumPy's": (reads(lambda: 2 + 7 * int(np.random.randint(2))),
                          lambda value: np.random.seed(NUMPY_SEEDS[value])),
    "clock": (reads(lambda: time.monotonic()), lambda value: setattr(
        time, "monotonic", lambda: value)),
    "builtin": (reads(lambda: attn_window), assign(builtins, "attn_window")),
    "element": (lambda b, h, i, j: abs(i - j) < ARRAY[0], store(ARRAY, 0)),
    "element of a row": (lambda b, h, i, j: abs(i - j) < TABLE[0][0], store(TABLE, (0, 0))),
    "array of one": (lambda b, h, i, j: abs(i - j) < ONE, store(ONE, 0)),
    "array of no dimension": (lambda b, h, i, j: abs(i - j) < SCALAR, store(SCALAR, ())),
    "left array": (lambda b, h, i, j: SCALAR > abs(i - j), store(SCALAR, ())),
    "where": (lambda b, h, i, j: np.where(i >= 0, ONE, 0) > abs(i - j), store(ONE, 0)),
    "item": (reads(lambda: ONE.item()), store(ONE, 0)),
    "int": (reads(lambda: int(ONE[0])), store(ONE, 0)),
    "int of an array": (reads(lambda: int(SCALAR)), store(SCALAR, ())),
    "float": (reads(lambda: float(SCALAR)), store(SCALAR, ())),
    "math": (reads(lambda: math.floor(SCALAR)), store(SCALAR, ())),
    "bool": (reads(lambda: 2 if SCALAR == 2 else 9), store(SCALAR, ())),
    "truth of an array": (reads(lambda: 9 if SCALAR - 2 else 2), store(SCALAR, ())),
    "tolist": (reads(lambda: ONE.tolist()[0]), store(ONE, 0)),
    "sum": (reads(lambda: ONE.sum()), store(ONE, 0)),
    "max": (reads(lambda: max(ONE)), store(ONE, 0)),
    "of NumPy's": (reads(lambda: np.max(ONE)), store(ONE, 0)),
    "minimum": (reads(lambda: np.minimum(ONE, 100)), store(ONE, 0)),
    "iteration": (reads(lambda: [size for size in ONE][0]), store(ONE, 0)),
    "unpacking": (reads(lambda: (lambda size: size)(*ONE)), store(ONE, 0)),
    "in": (reads(lambda: 2 if 2 in ONE else 9), store(ONE, 0)),
    "slice": (reads(lambda: ONE[:1].sum()), store(ONE, 0)),
    "size": (reads(lambda: 2 if ARRAY.shape[0] == 2 else 9),
             lambda value: ARRAY.resize(value, refcheck=False)),
    "length": (reads(lambda: len(ARRAY)),
               lambda value: ARRAY.resize(value, refcheck=False)),
    "another array": (lambda b, h, i, j: abs(i - j) < FLOATS[0],
                      lambda value: set_global("FLOATS")(np.array([value], np.float32))),
    "element at run time": (lambda b, h, i, j: abs(i - j) < ONE[h // 2],
                            store(ONE, 0)),
    "another dtype": (lambda b, h, i, j: abs(i - j) < FLOATS[h // 2],
                      lambda value: change_dtype(value)),
    "code": (with_default, replace_code),
}
REFERENCE = weakref.ref(OBJECT)
own_attribute.window = 2


def change_dtype(value):
    FLOATS.dtype = np.float32 if value == 2 else np.int32
    FLOATS[0] = value


SEEDS = {value: next(seed for seed in range(99)
                     if random.Random(seed).choice([2, 9]) == value) for value in (2, 9)}
NUMPY_SEEDS = {value: next(
    seed for seed in range(99)
    if 2 + 7 * np.random.RandomState(seed).randint(2) == value) for value in (2, 9)}
RNG = np.random.default_rng(0)
Q, K, V = (RNG.standard_normal((1, 2, 20, 8)).astype(np.float32) for _ in range(3))


class Stale(unittest.TestCase):
    def test_what_changes(self):
        expected = {value: attn_mlir.attention(Q, K, V, window=(value - 1, value - 1))
                    for value in (2, 9)}
        clock = time.monotonic
        for name, (function, change) in CASES.items():
            with self.subTest(name):
                try:
                    for value in (2, 9, 2):
                        change(value)
                        found = attn_mlir.attention(Q, K, V, mask_mod=function)
                        np.testing.assert_allclose(found, expected[value], atol=1e-6)
                finally:
                    time.monotonic = clock

    def test_recorded_once(self):
        """A function is not recorded for each call if what it reads cannot change, or is read by
        the kernel at run time."""
        def documents(b, h, i, j):
            return (TABLE[0 * i, i % 2] == TABLE[0 * j, j % 2]) & (j <= i)

        def number(b, h, i, j, left=3):
            offset = i - j
            return (abs(offset) < WINDOW) | np.logical_and(offset >= 0, offset < left)

        both = attn_mlir.and_masks(documents, attn_mlir.not_mask(number))
        partial = functools.partial(lambda sizes, b, h, i, j: i - j < min(sizes), (2, 3))
        for function in (documents, number, both, partial, CLOSURE, helped,
                         lambda b, h, i, j: abs(i - j) < settings.window,
                         lambda b, h, i, j: i - j < max(2, math.pi) + int(np.float32(1))):
            self.assertIs(_tracing.as_mask(function).text, _tracing.as_mask(function).text)
        capped = (lambda s, b, h, i, j: WINDOW * attn_mlir.score.tanh(s / WINDOW).float())
        self.assertIs(_tracing.as_score(capped).text, _tracing.as_score(capped).text)

    def test_functions_of_one_code(self):
        """Functions that each call makes are recorded once, and read their own arrays, which are
        freed with them. Their numbers, their functions, and which of their arrays are one, make
        other recordings."""
        def make(first, second, number=1.0, function=abs):
            return lambda s, b, h, i, j: s * number + first[h] * function(i - j) + second[h]

        def arrays(value):
            return np.full(2, value, np.float32), np.full(2, 2 * value, np.float32)

        first = _tracing.as_score(make(*arrays(1.0)))
        for value in (0.5, -1.0):
            own = arrays(value)
            found = _tracing.as_score(make(*own))
            self.assertIs(found.text, first.text)
            for its, wanted in zip(found.arrays, own, strict=True):
                self.assertIs(its, wanted)
            function = make(*own)
            expected = attn_mlir.attention(Q, K, V, score_mod=attn_mlir.score.trace(function))
            np.testing.assert_array_equal(attn_mlir.attention(Q, K, V, score_mod=function),
                                          expected)
        one = np.ones(2, np.float32)
        alike = _tracing.as_score(make(one, one))
        self.assertEqual(len(alike.arrays), 1)
        reversed_ = functools.partial(make, arrays(1.0)[1])(arrays(1.0)[0])
        self.assertIs(_tracing.as_score(reversed_).text, first.text)
        others = [alike.text, first.text, *[_tracing.as_score(its).text for its in (
            make(*arrays(1.0), 2.0), make(*arrays(1.0), function=lambda x: x),
            make(arrays(1.0)[0], np.ones(2, np.int32)),
            functools.partial(make(*arrays(1.0), 3.0)))]]
        self.assertEqual(len(set(others)), len(others))
        freed = arrays(1.0)
        alive = [weakref.ref(its) for its in freed]
        function = make(*freed)
        attn_mlir.attention(Q, K, V, score_mod=function)
        del function, freed
        gc.collect()
        self.assertEqual([its() for its in alive], [None, None])

    def test_transposed(self):
        """The function makes a view of a captured array."""
        bits = RNG.integers(0, 2, (20, 20)).astype(bool)
        found = attn_mlir.attention(Q, K, V, mask_mod=lambda b, h, i, j: bits.T[j, i])
        expected = attn_mlir.attention(Q, K, V, mask_mod=lambda b, h, i, j: bits[i, j])
        np.testing.assert_allclose(found, expected, atol=1e-6)


if __name__ == "__main__":
    unittest.main()
