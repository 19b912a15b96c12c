"""run-program.py LIBRARY PROGRAM [NAME=VALUE...]

Runs a tile program of test/Programs on random arrays and compares its results with
fp64 computed here. The arrays have gaps between their rows and margins around them, which
must not be written. Results are NaN before the call, so elements that are not written are
found. Results to which a program adds are random numbers before."""

import ctypes
import math
import random
import struct
import sys

from program_call import TOLERANCES, Program, flatten


def transpose(matrix):
    return [list(column) for column in zip(*matrix)]


def product(a, b):
    columns = transpose(b)
    return [[sum(map(float.__mul__, row, column)) for column in columns] for row in a]


def scores(q, k, scale):
    """Returns scale * Q K^T."""
    return [[scale * s for s in row] for row in product(q, transpose(k))]


def softmax(rows):
    """Returns the softmax of rows and their lse. Rows with only -inf have probabilities of 0."""
    probabilities, lse = [], []
    for row in rows:
        top = max(row)
        if top == -math.inf:
            probabilities.append([0.0] * len(row))
            lse.append(-math.inf)
            continue
        powers = [math.exp(s - top) for s in row]
        total = math.fsum(powers)
        probabilities.append([p / total for p in powers])
        lse.append(top + math.log(total))
    return probabilities, lse


def backward(p):
    heads, queries, keys, dim = map(p.number, ["heads", "queries", "keys", "dim"])
    diagonal = p.number("diagonal")
    q = p.input("q", [heads, queries, dim])
    k = p.input("k", [heads, keys, dim])
    v = p.input("v", [heads, keys, dim])
    do = p.input("do", [heads, queries, dim])
    scale = struct.unpack("f", struct.pack("f", dim ** -0.5))[0]
    s = [[[x if j <= i + diagonal else -math.inf for j, x in enumerate(row)]
          for i, row in enumerate(scores(q[h], k[h], scale))] for h in range(heads)]
    both = [softmax(s[h]) for h in range(heads)]
    probabilities = [b[0] for b in both]
    o = [product(probabilities[h], v[h]) for h in range(heads)]
    p.input("lse", [heads, queries], "f32", values=flatten([b[1] for b in both]))
    delta = p.input("delta", [heads, queries], "f32", values=flatten(
        [[sum(map(float.__mul__, x, y)) for x, y in zip(o[h], do[h])]
         for h in range(heads)]))
    p.scalar(ctypes.c_float, scale)
    p.scalar(ctypes.c_int64, diagonal)
    before = p.result("dq", [heads, queries, dim], "f32", is_sum=True)
    p.result("dk", [heads, keys, dim])
    p.result("dv", [heads, keys, dim])
    yield

    expected = {"dq": [], "dk": [], "dv": []}
    for h in range(heads):
        dp = product(do[h], transpose(v[h]))
        ds = [[scale * x * (y - d) for x, y in zip(prow, dprow)]
              for prow, dprow, d in zip(probabilities[h], dp, delta[h])]
        dq = product(ds, k[h])
        expected["dq"].append([[x + y for x, y in zip(a, b)]
                               for a, b in zip(before[h], dq)])
        expected["dk"].append(product(transpose(ds), q[h]))
        expected["dv"].append(product(transpose(probabilities[h]), do[h]))
    yield expected


def two_pass(p):
    heads, queries, keys, dim = map(p.number, ["heads", "queries", "keys", "dim"])
    q = p.input("q", [heads, queries, dim])
    k = p.input("k", [heads, keys, dim])
    v = p.input("v", [heads, keys, dim])
    p.result("o", [heads, queries, dim])
    yield
    expected = []
    for h in range(heads):
        s = [[x if j <= i else -math.inf for j, x in enumerate(row)]
             for i, row in enumerate(scores(q[h], k[h], dim ** -0.5))]
        expected.append(product(softmax(s)[0], v[h]))
    yield {"o": expected}


def sigmoid(p):
    heads, queries, keys, dim = map(p.number, ["heads", "queries", "keys", "dim"])
    q = p.input("q", [heads, queries, dim])
    k = p.input("k", [heads, keys, dim])
    v = p.input("v", [heads, keys, dim])
    bias = p.input("bias", [queries, keys], "f32")
    p.result("o", [heads, queries, dim])
    yield
    expected = []
    for h in range(heads):
        s = scores(q[h], k[h], dim ** -0.5)
        expected.append(product([[1 / (1 + math.exp(-x - b)) for x, b in zip(*rows)]
                                 for rows in zip(s, bias)], v[h]))
    yield {"o": expected}


def four_roles(p):
    """The same function as `sigmoid`, with values of 8 bits and without a bias."""
    heads, rows, keys = map(p.number, ["heads", "rows", "keys"])
    q = p.input("q", [heads, rows, 64])
    k = p.input("k", [heads, keys, 64])
    v = p.input("v", [heads, keys, 128], p.options["eight"], gap=16,
                values=(p.random.choice((0, 0x80)) | p.random.randint(0, 0x40)
                        for _ in range(heads * keys * 128)))
    p.result("o", [heads, rows, 128])
    yield
    yield {"o": [product([[1 / (1 + math.exp(-x)) for x in row]
                          for row in scores(q[h], k[h], 1 / 8)], v[h])
                 for h in range(heads)]}


def two_multipliers(p):
    """Products of values with sigmoid(first scores) - 0.5 * sigmoid(second scores)."""
    heads, rows, keys = map(p.number, ["heads", "rows", "keys"])
    q = p.input("q", [heads, rows, 64])
    k = p.input("k", [heads, keys, 64])
    r = p.input("r", [heads, rows, 64])
    l = p.input("l", [heads, keys, 64])
    v = p.input("v", [heads, keys, 64])
    p.result("o", [heads, rows, 64])
    yield

    def sigmoid(x):
        return 1 / (1 + math.exp(-x))
    yield {"o": [product([[sigmoid(x) - sigmoid(y) / 2 for x, y in zip(plus, minus)]
                          for plus, minus in zip(scores(q[h], k[h], 1 / 8),
                                                 scores(r[h], l[h], 1 / 8))], v[h])
                 for h in range(heads)]}


def block_list(p):
    """Each tile of queries has a list of blocks of keys. Blocks of kind 1 are masked causally; the
    last block of keys, which is partial, and some others have this kind. The second list is
    empty."""
    heads, queries, keys, dim = map(p.number, ["heads", "queries", "keys", "dim"])
    block, rows = map(p.number, ["block", "rows"])
    q = p.input("q", [heads, queries, dim])
    k = p.input("k", [heads, keys, dim])
    v = p.input("v", [heads, keys, dim])
    number = -(-keys // block)
    lists = []
    for tile in range(-(-queries // rows)):
        chosen = p.random.sample(range(number), p.random.randint(1, number))
        lists.append([] if tile == 1 else
                     [(b, int(b == number - 1 or p.random.random() < 0.4))
                      for b in chosen])
    # Entries after a list's end contain numbers that no block has, which must not be read.
    for which, name in enumerate(["blocks", "kinds"]):
        p.input(name, [len(lists), number], "i32", gap=1,
                values=[entry[which] for own in lists for entry in
                        own + [(1 << 20, 1)] * (number - len(own))])
    p.input("counts", [len(lists)], "i32", values=map(len, lists))
    p.result("o", [heads, queries, dim])
    p.result("lse", [heads, queries], "f32")
    yield

    def sees(i, j):
        kind = dict(lists[i // rows]).get(j // block)
        return kind == 0 or kind == 1 and j <= i
    expected = {"o": [], "lse": []}
    for h in range(heads):
        probabilities, lse = softmax(
            [[x if sees(i, j) else -math.inf for j, x in enumerate(row)]
             for i, row in enumerate(scores(q[h], k[h], dim ** -0.5))])
        expected["o"].append(product(probabilities, v[h]))
        expected["lse"].append(lse)
    yield expected


def latent(p):
    """The values are the first 512 columns of the keys."""
    batch, rows, keys = map(p.number, ["batch", "rows", "keys"])
    q = p.input("q", [batch, rows, 576])
    k = p.input("k", [batch, keys, 576])
    p.result("o", [batch, rows, 512])
    p.result("lse", [batch, rows], "f32")
    yield
    expected = {"o": [], "lse": []}
    for b in range(batch):
        probabilities, lse = softmax(scores(q[b], k[b], 1 / 24))
        expected["o"].append(product(probabilities, [row[:512] for row in k[b]]))
        expected["lse"].append(lse)
    yield expected


def latent_parts(p):
    """The values are the first 512 columns of the keys. The other 64 are in a separate array."""
    batch, rows, keys = map(p.number, ["batch", "rows", "keys"])
    q = p.input("q", [batch, rows, 512])
    k = p.input("k", [batch, keys, 512])
    q_rope = p.input("q_rope", [batch, rows, 64])
    k_rope = p.input("k_rope", [batch, keys, 64])
    p.result("o", [batch, rows, 512])
    p.result("lse", [batch, rows], "f32")
    yield
    expected = {"o": [], "lse": []}
    for b in range(batch):
        whole = [[row + more for row, more in zip(rows_, its[b])]
                 for rows_, its in ((q[b], q_rope), (k[b], k_rope))]
        probabilities, lse = softmax(scores(*whole, 1 / 24))
        expected["o"].append(product(probabilities, k[b]))
        expected["lse"].append(lse)
    yield expected


def softmax_role(p):
    """Causal attention: row i sees keys 0 to i."""
    heads, rows, keys = map(p.number, ["heads", "rows", "keys"])
    q = p.input("q", [heads, rows, 64])
    k = p.input("k", [heads, keys, 64])
    v = p.input("v", [heads, keys, 64])
    p.result("o", [heads, rows, 64])
    p.result("lse", [heads, rows], "f32")
    yield
    expected = {"o": [], "lse": []}
    for h in range(heads):
        probabilities, lse = softmax(
            [[x if j <= i else -math.inf for j, x in enumerate(row)]
             for i, row in enumerate(scores(q[h], k[h], 1 / 8))])
        expected["o"].append(product(probabilities, v[h]))
        expected["lse"].append(lse)
    yield expected


def token_list(p):
    """Each tile of queries has a list of tokens, some of which occur more than once. Numbers below
    0 are masked, and those past the last key read zeros.
    The last key, and the memory around the keys, are NaN. Only entries after the end of a list name
    this key, so it must not be read. The second list is empty, and the third one names no keys."""
    heads, queries, keys, dim = map(p.number, ["heads", "queries", "keys", "dim"])
    tokens, rows = map(p.number, ["tokens", "rows"])
    q = p.input("q", [heads, queries, dim])
    k, v = [p.input(name, [heads, keys, dim], around=math.nan,
                    values=[p.random.gauss(0, 1) if row < keys - 1 else math.nan
                            for h in range(heads) for row in range(keys) for c in range(dim)])
            for name in "kv"]
    outside = [-1, -1, -7, keys, keys + 1, 1 << 30]
    lists = []
    for tile in range(-(-queries // rows)):
        count = [tokens - 7, 0, 5][tile] if tile < 3 else p.random.randint(1, tokens)
        lists.append([p.random.choice([-1, -(1 << 31)]) if tile == 2 else
                      p.random.choice(outside) if p.random.random() < 0.2 else
                      p.random.randrange(keys - 1) for _ in range(count)])
    p.input("tokens", [len(lists), tokens], "i32", gap=1, around=keys - 1,
            values=[token for own in lists
                    for token in own + [keys - 1] * (tokens - len(own))])
    p.input("counts", [len(lists)], "i32", values=map(len, lists))
    p.result("o", [heads, queries, dim])
    p.result("lse", [heads, queries], "f32")
    yield

    expected = {"o": [], "lse": []}
    nothing = [0.0] * dim
    for h in range(heads):
        output, sums = [], []
        for tile, own in enumerate(lists):
            kept = [token for token in own if token >= 0]
            listed = [[array[h][token] if token < keys else nothing for token in kept]
                      for array in (k, v)]
            block = q[h][tile * rows:(tile + 1) * rows]
            if kept:
                probabilities, lse = softmax(scores(block, listed[0], dim ** -0.5))
                output += product(probabilities, listed[1])
            else:
                output += [nothing] * len(block)
                lse = [-math.inf] * len(block)
            sums += lse
        expected["o"].append(output)
        expected["lse"].append(sums)
    yield expected


def gemm(p):
    count, m, n, k = map(p.number, ["count", "m", "n", "k"])
    a = p.input("a", [count, m, k])
    b = p.input("b", [count, k, n])
    p.result("c", [count, m, n])
    yield

    def gelu(x):
        return x / 2 * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))
    yield {"c": [[[gelu(x) for x in row] for row in product(a[h], b[h])]
                 for h in range(count)]}


def matmul(p):
    m, n, k = map(p.number, ["m", "n", "k"])
    a = p.input("a", [m, k])
    b = p.input("b", [k, n])
    p.result("c", [m, n])
    yield
    yield {"c": product(a, b)}


def round8(x):
    """Returns the e4m3 number nearest to x (0 to 448), the even one if two are equally near."""
    if x == 0:
        return 0.0
    unit = 2.0 ** (max(math.floor(math.log2(x)), -6) - 3)
    return round(x / unit) * unit


def attention8(p):
    """Attention on 8-bit arrays, with values whose mean is not 0. The tolerance is twice the error
    that results from rounding probabilities to e4m3, scaled so that the largest is 2^8."""
    heads, rows, keys = map(p.number, ["heads", "rows", "keys"])
    q, k, v = [p.input(name, [heads, count, 64], p.options["eight"], gap=16,
                       values=(p.random.choice(signs) | p.random.randint(0, 0x40)
                               for _ in range(heads * count * 64)), around=0x7f)
               for name, count, signs in [("q", rows, [0, 0x80]), ("k", keys, [0, 0x80]),
                                          ("v", keys, [0, 0, 0x80])]]
    p.result("o", [heads, rows, 64])
    p.result("lse", [heads, rows], "f32")
    yield
    expected = {"o": [], "lse": []}
    largest = most = 0
    for h in range(heads):
        own = scores(q[h], k[h], 1 / 8)
        probabilities, lse = softmax(own)
        exact = product(probabilities, v[h])
        rounded = [[round8(256 * math.exp(s - max(row))) * math.exp(max(row) - of) / 256
                    for s in row] for row, of in zip(own, lse)]
        for a, b in zip(flatten(exact), flatten(product(rounded, v[h]))):
            largest, most = max(largest, abs(a)), max(most, abs(a - b))
        expected["o"].append(exact)
        expected["lse"].append(lse)
    p.tolerances["o"] = 2 * most / largest + TOLERANCES[p.dtype]
    yield expected


def input8(p, name, rows, columns):
    """Makes an input of 8 bits, with any numbers of both signs up to 4, including the smallest."""
    eight = p.options["eight"]
    most = 0x48 if eight == "f8E4M3FN" else 0x44
    codes = (p.random.choice([0, 0x80]) | p.random.randint(0, most)
             for _ in range(rows * columns))
    return p.input(name, [rows, columns], eight, gap=16, values=codes)


def widened(p):
    m, n, k = map(p.number, ["m", "n", "k"])
    a = p.input("a", [m, k])
    b = input8(p, "b", k, n)
    p.result("c", [m, n])
    yield
    yield {"c": product(a, b)}


def gemm8(p):
    m, n, k = map(p.number, ["m", "n", "k"])
    a = input8(p, "a", m, k)
    b = input8(p, "b", n, k)
    rows = p.input("rows", [m], "f32")
    columns = p.input("columns", [n], "f32")
    p.result("c", [m, n])
    yield
    yield {"c": [[x * r * c for x, c in zip(row, columns)]
                 for row, r in zip(product(a, transpose(b)), rows)]}


PROGRAMS = {"attention8": attention8, "backward": backward, "block_list": block_list,
            "four_roles": four_roles, "gemm": gemm, "gemm8": gemm8, "latent": latent,
            "latent_parts": latent_parts, "latent_roles": latent_parts, "matmul": matmul,
            "sigmoid": sigmoid, "softmax_role": softmax_role, "staged_halves": matmul,
            "token_list": token_list, "two_multipliers": two_multipliers, "two_pass": two_pass,
            "widened": widened}


def main():
    library, name, *options = sys.argv[1:]
    program = Program({"seed": "0", **dict(option.split("=") for option in options)})
    # The generator of a program adds the arguments in its first step, and yields the expected
    # results in its second.
    steps = PROGRAMS[name](program)
    next(steps)
    program.call(library, name)
    print(f"pass {program.compare(next(steps)):.2g}")


main()
