"""Text, batches, and the comparison of two runs, for the tests that train a model."""

# The steps whose gradients are compared.
STEPS = (1, 10, 30)
ROWS, BATCH, LAYERS, HEADS, WIDTH = 48, 4, 2, 4, 32


def read(path):
    """Returns a text as a list of numbers of characters, and the number of different characters."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    alphabet = sorted(set(text))
    numbers = {character: number for number, character in enumerate(alphabet)}
    return [numbers[character] for character in text], len(alphabet)


def batches(text, random, count):
    """Yields batches of rows of ROWS + 1 characters. `random` is a random.Random."""
    for _ in range(count):
        starts = [random.randrange(len(text) - ROWS - 1) for _ in range(BATCH)]
        yield [text[start:start + ROWS + 1] for start in starts]


def differences(found, expected):
    """Returns the largest relative difference of two runs' losses, and the relative difference of
    each gradient by its norm. A run has its losses and, by step, the gradients by parameters'
    names."""
    of_losses = max(abs(a - b) / abs(b) for a, b in zip(found[0], expected[0]))
    of_gradients = {}
    for step, gradients in expected[1].items():
        for name, gradient in gradients.items():
            error = found[1][step][name] - gradient
            norm = float((gradient ** 2).sum()) ** 0.5
            of_gradients[step, name] = float((error ** 2).sum()) ** 0.5 / norm
    return of_losses, of_gradients


def check(found, expected):
    """Raises AssertionError unless two runs are within 1 % of each other."""
    of_losses, of_gradients = differences(found, expected)
    (step, name), error = max(of_gradients.items(), key=lambda item: item[1])
    print(f"{len(expected[0])} steps, loss {expected[0][0]:.3f} to {expected[0][-1]:.3f}; "
          f"losses differ by {of_losses:.2g}, gradients by {error:.2g} ({name}, step {step})")
    # A comparison is only meaningful if the loss has fallen.
    assert expected[0][-1] < 0.9 * expected[0][0], expected[0]
    assert of_losses <= 0.01, f"losses differ by {of_losses:.3g}"
    assert error <= 0.01, f"the gradient of {name} differs by {error:.3g} at step {step}"
