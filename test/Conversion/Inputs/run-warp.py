"""Evaluates the ops to which attn_tile.random_keep was lowered, for the 32 lanes of a warp,
and compares the result with Philox 4x32-10, which this script computes.

    run-warp.py LOWERED WARP ROW_AXIS ROWS COLUMNS SEED OFFSET PLANE ROW KEY THRESHOLD [TOKENS]

LOWERED is a module after convert-attn-gpu-to-nvvm, with a kernel that takes seed, offset,
plane, row and key. The tile of random_keep has the layout mma<warps = 4>. With TOKENS, each
plane has so many rows of the tile, of which the first is ROW."""

import re
import sys

path = sys.argv[1]
warp, row_axis, rows, columns, seed, offset, plane, row, key, threshold = map(int, sys.argv[2:12])
tokens = int(sys.argv[12]) if len(sys.argv) > 12 else None
LANES = range(32)
maps, values = {}, {}


def width(type_name):
    number = re.search(r"i(\d+)>?$", type_name)
    return int(number.group(1)) if number else 64


def each(function, *operands):
    """Applies `function` to one lane's operands. If some of them are lists (vectors), applies it to
    each element, and repeats the scalars."""
    if any(isinstance(o, list) for o in operands):
        size = max(len(o) for o in operands if isinstance(o, list))
        return [function(*(o[i] if isinstance(o, list) else o for o in operands)) for i in range(size)]
    return function(*operands)


BINARY = {
    "addi": lambda a, b: a + b, "subi": lambda a, b: a - b, "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b, "ori": lambda a, b: a | b, "xori": lambda a, b: a ^ b,
    "divui": lambda a, b: a // b, "remui": lambda a, b: a % b,
    "shli": lambda a, b: a << b, "shrui": lambda a, b: a >> b,
}
COMPARE = {"ne": lambda a, b: int(a != b), "eq": lambda a, b: int(a == b),
           "uge": lambda a, b: int(a >= b), "ugt": lambda a, b: int(a > b),
           "ult": lambda a, b: int(a < b)}
kept = None
for line in open(path):
    line = line.strip()
    found = re.match(r"(#\w+) = affine_map<\(\)\[s0\] -> \((.*)\)>", line)
    if found:
        maps[found.group(1)] = found.group(2).replace("floordiv", "//").replace("mod", "%")
        continue
    found = re.match(r"attn_gpu.kernel @\w+\((.*)\) target", line)
    if found:
        names = re.findall(r"(%\w+):", found.group(1))
        for name, value in zip(names, [seed, offset, plane, row, key]):
            values[name] = [value] * 32
        continue
    found = re.match(r"(%[\w-]+)(?:, (%[\w-]+))? = ([\w.]+) (.*)", line)
    if not found:
        continue
    result, second, op, rest = found.groups()
    operands = re.findall(r"%[\w-]+", rest)
    type_name = rest.split(":")[-1].split(" to ")[-1].strip()
    bits = (1 << width(type_name)) - 1
    lanes = lambda function: [function(lane) for lane in LANES]
    if op == "arith.extui" and "xi1>" in rest:
        # The extension from i1 is the end of the computation: the ops after it store the tile.
        kept = values[operands[0]]
        break
    if op == "arith.constant":
        dense = re.match(r"dense<(.*)> :", rest)
        text = dense.group(1) if dense else rest.split()[0]
        numbers = [int(t) & bits for t in re.findall(r"-?\d+", text)]
        if not numbers:
            continue
        values[result] = [numbers if text.startswith("[") else numbers[0]] * 32
    elif op == "gpu.thread_id":
        values[result] = [32 * warp + lane for lane in LANES]
    elif op == "affine.apply":
        name = re.match(r"#\w+", rest).group(0)
        values[result] = lanes(lambda l: eval(maps[name], {"s0": values[operands[0]][l]}))
    elif op in ("arith.trunci", "arith.index_cast", "arith.extui", "vector.broadcast"):
        values[result] = lanes(lambda l: each(lambda a: a & bits, values[operands[0]][l]))
    elif op == "arith.mului_extended":
        product = lanes(lambda l: each(lambda a, b: a * b, *(values[o][l] for o in operands)))
        values[result] = [each(lambda p: p & bits, p) for p in product]
        values[second] = [each(lambda p: p >> width(type_name), p) for p in product]
    elif op == "arith.cmpi":
        function = COMPARE[rest.split(",")[0].strip()]
        values[result] = lanes(lambda l: each(function, *(values[o][l] for o in operands)))
    elif op == "arith.select":
        values[result] = lanes(lambda l: each(lambda c, a, b: a if c else b, *(values[o][l] for o in operands)))
    elif op == "nvvm.shfl.sync":
        assert rest.split()[0] == "bfly", rest
        values[result] = lanes(lambda l: values[operands[1]][l ^ values[operands[2]][l]])
    elif op == "attn_nv.compare_halves":
        least = int(re.search(r"at_least (\d+)", rest).group(1))
        values[result] = lanes(lambda l: sum(
            (values[operands[0]][l] >> half & 0xFFFF >= least) << half for half in (0, 16)))
    elif op == "attn_nv.unpack_pairs":
        positions = [int(p) for p in re.search(r"\[(.*?)\]", rest).group(1).split(",")]
        words = [w if isinstance(w, list) else [w] for w in values[operands[0]]]
        values[result] = lanes(lambda l: [
            words[l][p // 32] >> p % 32 + half & 1 for p in positions for half in (0, 16)])
    elif op == "vector.extract":
        number = int(re.search(r"\[(\d+)\]", rest).group(1))
        values[result] = lanes(lambda l: values[operands[0]][l][number])
    elif op == "vector.from_elements":
        values[result] = lanes(lambda l: [values[o][l] for o in operands])
    elif op.startswith("arith.") and op[6:] in BINARY:
        values[result] = lanes(
            lambda l: each(lambda a, b: BINARY[op[6:]](a, b) & bits, *(values[o][l] for o in operands)))
    else:
        continue


def philox(words, low, high):
    for _ in range(10):
        even, odd = 0xD2511F53 * words[0], 0xCD9E8D57 * words[2]
        mask = 0xFFFFFFFF
        words = [odd >> 32 ^ words[1] ^ low, odd & mask, even >> 32 ^ words[3] ^ high, even & mask]
        low, high = low + 0x9E3779B9 & mask, high + 0xBB67AE85 & mask
    return words


def expected(i, j):
    mask = 0xFFFFFFFF
    head, i = (0, i) if tokens is None else divmod(i - row, tokens)
    i += 0 if tokens is None else row
    words = philox([j // 8 & mask, i & mask, plane + head & mask, offset & mask], seed & mask, seed >> 32)
    return int((words[j % 8 // 2] >> 16 * (j % 2) & 0xFFFF) >= threshold)


wrong = count = 0
for lane in LANES:
    register = 0
    for block in range(rows // 64):
        for column in range(0, columns, 8):
            for half in (0, 8):
                for odd in (0, 1):
                    r = warp * (rows // 4) + 16 * block + lane // 4 + half
                    c = column + 2 * (lane % 4) + odd
                    i, j = (r, c) if row_axis == 0 else (c, r)
                    wrong += kept[lane][register] != expected(row + i, key + j)
                    count += kept[lane][register]
                    register += 1
    assert register == len(kept[lane]), (register, len(kept[lane]))
print(wrong, "wrong,", count, "kept of", 32 * rows * columns // 128)
