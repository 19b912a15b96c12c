"""Evaluates, in f32, the ops to which functions of f32 are lowered for a GPU, and compares the results
with the functions in double precision. Logarithms have the error of lg2.approx, an absolute one
near 1, at random."""

import re
import subprocess
import sys

import numpy as np

random = np.random.default_rng(int(sys.argv[1]))
F32, I32 = np.float32, np.int32
SPECIAL = [0.0, -0.0, 1.0, -1.0, 1e-30, -1e-30, 3e38, -3e38, np.inf, -np.inf, np.nan, 1 + 2.0**-20,
           1 - 2.0**-20, 1e9, 2e9, -1e10, 1e20, -2.0, 1e-38]
COMPARISONS = {"oeq": np.equal, "ogt": np.greater, "olt": np.less, "oge": np.greater_equal,
               "ole": np.less_equal, "une": np.not_equal,
               "ueq": lambda x, y: (x == y) | np.isnan(x) | np.isnan(y),
               "uno": lambda x, y: np.isnan(x) | np.isnan(y),
               "eq": np.equal, "sgt": np.greater, "slt": np.less}
OPS = {"addf": np.add, "subf": np.subtract, "mulf": np.multiply, "divf": np.divide,
       "negf": np.negative, "addi": np.add, "subi": np.subtract, "muli": np.multiply,
       "andi": np.bitwise_and, "ori": np.bitwise_or, "xori": np.bitwise_xor,
       "shrsi": np.right_shift, "shli": np.left_shift}


def log2(x):
    exact = np.log2(x.astype(float))
    return F32(exact + random.uniform(-1, 1, x.shape) * 2.0**-23)


def exp2(x):
    return F32(np.exp2(x.astype(float)) * (1 + random.uniform(-1, 1, x.shape) * 2.0**-22))


CALLS = {"llvm.exp2": exp2, "llvm.fabs": np.abs, "llvm.sqrt": np.sqrt, "llvm.copysign": np.copysign,
         "llvm.nvvm.lg2.approx.f": log2, "llvm.floor": np.floor,
         "llvm.fma": lambda x, y, z: F32(x.astype(float) * y + z)}


def evaluate(text, arguments):
    values = dict(arguments)
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("return"):
            return values[re.search(r"%\w+", line)[0]]
        found = re.match(r"(%\w+) = (\S+) (.*)", line)
        if not found:
            continue
        result, name, rest = found.groups()
        operands = [values[its] for its in re.findall(r"%\w+", rest) if its in values]
        op = name.removeprefix("arith.")
        if op == "constant":
            number, _, type_ = rest.partition(" : ")
            if type_ == "f32" and number.startswith("0x"):
                values[result] = np.array(int(number, 16), np.uint32).view(F32)
            elif type_ == "f32":
                values[result] = F32(float(number))
            else:
                values[result] = {"i1": bool}.get(type_, I32)(
                    {"true": 1, "false": 0}.get(number) if number in ("true", "false")
                    else int(number))
        elif op in ("cmpf", "cmpi"):
            values[result] = COMPARISONS[rest.split(",")[0]](*operands)
        elif op == "select":
            values[result] = np.where(*operands)
        elif op == "bitcast":
            values[result] = np.asarray(operands[0]).view(
                F32 if rest.endswith("f32") else I32)
        elif op == "sitofp":
            values[result] = F32(operands[0])
        elif name == "llvm.call_intrinsic":
            values[result] = CALLS[re.match(r'"(.*?)"', rest)[1]](*operands)
        else:
            values[result] = OPS[op](*operands)
    raise AssertionError("expected a return")


# The function, its number of operands, and the largest relative error where it is above 1/2, or
# absolute one elsewhere.
FUNCTIONS = {"asinh": (np.arcsinh, 1, 1e-6), "acosh": (np.arccosh, 1, 1e-6),
             "atanh": (np.arctanh, 1, 1e-6), "cbrt": (np.cbrt, 1, 2e-7),
             "atan2": (np.arctan2, 2, 4e-7), "atan": (np.arctan, 1, 4e-7)}


def main():
    for name, (function, count, most) in FUNCTIONS.items():
        operands = ["%x", "%y"][:count]
        module = (f"func.func @f({', '.join(f'{its}: f32' for its in operands)}) -> f32 {{\n"
                  f"%0 = math.{name} {', '.join(operands)} : f32\nreturn %0 : f32\n}}\n")
        text = subprocess.run(["attn-opt", "-attn-math-to-nvvm"], input=module, text=True,
                              capture_output=True, check=True).stdout
        x = np.concatenate([SPECIAL, random.standard_normal(500), random.uniform(-1, 1, 500),
                            random.standard_normal(500) * 2.0**random.integers(-60, 60, 500)])
        pairs = [F32(x)] if count == 1 else [
            its.ravel() for its in np.meshgrid(F32(x[::3]), F32(x[::4]))]
        with np.errstate(all="ignore"):
            found = evaluate(text, {f"%arg{n}": its for n, its in enumerate(pairs)})
            if count == 2:
                # attn-define-operands has made angles of (0, 0) defined.
                kept = (pairs[0] != 0) | (pairs[1] != 0)
                pairs, found = [its[kept] for its in pairs], found[kept]
            wanted = function(*[its.astype(float) for its in pairs])
            is_same = (found == wanted) | (np.isnan(found) & np.isnan(wanted))
            error = np.where(is_same, 0, np.abs(found - wanted) / np.maximum(np.abs(wanted), 0.5))
        worst = np.argmax(np.where(np.isnan(error), np.inf, error))
        assert error[worst] < most, (
            f"{name} of {[float(its[worst]) for its in pairs]}: expected {wanted[worst]}, "
            f"found {found[worst]}")
        print(f"{name}: {error[worst]:.2g}")


main()
