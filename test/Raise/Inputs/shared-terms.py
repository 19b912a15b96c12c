# Prints jax-grad-padding.mlir with masked scores that are halved and added to themselves 30 times,
# which changes neither scores nor gradients.

import pathlib

MASKED = '    %21 = "stablehlo.select"'
RETURN = '"func.return"(%21, %19)'
TYPE = "tensor<2x4x13x13xf32>"

text = pathlib.Path(__file__).with_name("jax-grad-padding.mlir").read_text()
assert text.count(MASKED) == 1 and text.count(RETURN) == 1
lines = [f'    %half = "stablehlo.constant"() <{{value = dense<0.5> : {TYPE}}}> : () -> {TYPE}\n']
last = "%21"
for number in range(30):
    lines.append(f'    %h{number} = "stablehlo.multiply"({last}, %half) '
                 f": ({TYPE}, {TYPE}) -> {TYPE}\n")
    last = f"%s{number}"
    lines.append(f'    {last} = "stablehlo.add"(%h{number}, %h{number}) '
                 f": ({TYPE}, {TYPE}) -> {TYPE}\n")
before, after = text.split(RETURN)
before = before[:before.rindex("\n") + 1]
print(before + "".join(lines) + f'    "func.return"({last}, %19)' + after)
