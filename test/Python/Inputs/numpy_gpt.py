"""A GPT in NumPy, in f32: forward, backward and Adam."""

import numpy as np
from training import HEADS, LAYERS, ROWS, WIDTH


class Value:
    """An array with the sum of its gradients."""

    def __init__(self, data):
        self.data, self.grad = data, np.zeros_like(data)


class Tape:
    """A record of ops: for each op, a function that adds the gradients of its operands."""

    def __init__(self, attend):
        self.attend, self.steps = attend, []

    def _record(self, data, backward):
        result = Value(np.asarray(data, np.float32))
        self.steps.append(lambda: backward(result.grad))
        return result

    def backward(self):
        for step in reversed(self.steps):
            step()

    def add(self, x, y):
        def backward(grad):
            x.grad += grad
            y.grad += grad
        return self._record(x.data + y.data, backward)

    def linear(self, x, weight, bias):
        def backward(grad):
            flat = grad.reshape(-1, grad.shape[-1])
            x.grad += grad @ weight.data.T
            weight.grad += x.data.reshape(len(flat), -1).T @ flat
            bias.grad += flat.sum(0)
        return self._record(x.data @ weight.data + bias.data, backward)

    def normalize(self, x):
        centered = x.data - x.data.mean(-1, keepdims=True)
        factor = 1 / np.sqrt((centered ** 2).mean(-1, keepdims=True) + 1e-5)
        y = centered * factor

        def backward(grad):
            grad = grad - grad.mean(-1, keepdims=True) - y * (grad * y).mean(-1, keepdims=True)
            x.grad += grad * factor
        return self._record(y, backward)

    def gelu(self, x):
        """GELU by tanh, as in GPT-2. A function with a kink would not do: two sums of different
        order may be on its two sides."""
        factor = np.float32((2 / np.pi) ** 0.5)
        inner = np.tanh(factor * (x.data + np.float32(0.044715) * x.data**3))

        def backward(gradient):
            slope = factor * (1 + np.float32(3 * 0.044715) * x.data**2)
            x.grad += gradient * (0.5 * (1 + inner) + 0.5 * x.data * (1 - inner**2) * slope)
        return self._record(0.5 * x.data * (1 + inner), backward)

    def look_up(self, table, numbers):
        def backward(grad):
            np.add.at(table.grad, numbers, grad)
        return self._record(table.data[numbers], backward)

    def attention(self, q, k, v):
        def split(x):
            return x.reshape(*x.shape[:2], HEADS, -1).swapaxes(1, 2)

        o, differentiate = self.attend(*(split(x.data) for x in (q, k, v)))

        def backward(grad):
            for x, its in zip((q, k, v), differentiate(split(grad))):
                x.grad += its.swapaxes(1, 2).reshape(x.grad.shape)
        return self._record(o.swapaxes(1, 2).reshape(q.data.shape), backward)

    def loss(self, logits, targets):
        """Returns the mean cross entropy of the targets."""
        shifted = logits.data - logits.data.max(-1, keepdims=True)
        logs = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
        chosen = np.take_along_axis(logs, targets[..., None], -1)

        def backward(_):
            gradient = np.exp(logs)
            np.put_along_axis(gradient, targets[..., None], np.exp(chosen) - 1, -1)
            logits.grad += gradient / targets.size
        return self._record(-chosen.mean(), backward)


def make_parameters(letters, seed=0):
    generator = np.random.default_rng(seed)
    sizes = {"letters": (letters, WIDTH), "places": (ROWS, WIDTH),
             "out": (WIDTH, letters), "out bias": (letters,)}
    for layer in range(LAYERS):
        for name in ("query", "key", "value", "join"):
            sizes[f"{name} {layer}"] = (WIDTH, WIDTH)
            sizes[f"{name} bias {layer}"] = (WIDTH,)
        sizes[f"wide {layer}"], sizes[f"wide bias {layer}"] = (WIDTH, 4 * WIDTH), (4 * WIDTH,)
        sizes[f"narrow {layer}"], sizes[f"narrow bias {layer}"] = (4 * WIDTH, WIDTH), (WIDTH,)
    # Biases are random. If they were 0, the gradients of the queries' biases would be too small to
    # compare.
    return {name: Value(generator.normal(0, 0.1 if len(size) == 1 else size[0] ** -0.5, size)
                        .astype(np.float32)) for name, size in sizes.items()}


def evaluate(parameters, batch, attend):
    """Returns the tape's loss for a batch, after adding its gradients to those of the
    parameters."""
    tape, p = Tape(attend), parameters

    def linear(x, name, layer=""):
        return tape.linear(x, p[f"{name}{layer}"], p[f"{name} bias{layer}"])

    x = tape.add(tape.look_up(p["letters"], batch[:, :-1]),
                 tape.look_up(p["places"], np.broadcast_to(np.arange(ROWS),
                                                           batch[:, 1:].shape)))
    for layer in range(LAYERS):
        layer = f" {layer}"
        y = tape.normalize(x)
        heads = tape.attention(*(linear(y, name, layer) for name in ("query", "key", "value")))
        x = tape.add(x, linear(heads, "join", layer))
        y = tape.gelu(linear(tape.normalize(x), "wide", layer))
        x = tape.add(x, linear(y, "narrow", layer))
    loss = tape.loss(linear(tape.normalize(x), "out"), batch[:, 1:])
    tape.backward()
    return float(loss.data)


def adam(parameters, state, step, rate=3e-3):
    for name, value in parameters.items():
        first, second = state.setdefault(name, (np.zeros_like(value.data),) * 2)
        first = 0.9 * first + 0.1 * value.grad
        second = 0.99 * second + 0.01 * value.grad ** 2
        state[name] = first, second
        value.data -= (rate * (first / (1 - 0.9 ** step))
                       / (np.sqrt(second / (1 - 0.99 ** step)) + 1e-8)).astype(np.float32)
