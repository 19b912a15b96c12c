"""Evaluates attn.attention and its gradients by their formulas, in double precision."""

import math
import re

import numpy as np
from evaluate_scalar import parse_constant, scalar


def softmax(s):
    """Returns the softmax of each row; rows of nothing but -inf become 0."""
    most = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isneginf(most), 0, most))
    total = e.sum(-1, keepdims=True)
    return e / np.where(total == 0, 1, total)


def join(q, k, more_q, more_k):
    """Returns query and key with the columns of their second arrays."""
    shape = (*k.shape[:3], more_k.shape[3])
    return np.concatenate([q, more_q], 3), np.concatenate([k, np.broadcast_to(more_k, shape)], 3)


class AttentionEvaluator:
    reads = []

    def attention(self, op, operands):
        segments = op.numbers("operandSegmentSizes")
        at = np.cumsum([0, *segments])
        part = [operands[i:j] for i, j in zip(at, at[1:])]
        q, k = operands[:2]
        if "value_dims" in op.attributes:
            begin, end = op.numbers("value_dims")
            v = k[..., begin:end]
        else:
            v = part[2][0]
        captures, extras = part[6], part[11]
        sink = part[3][0][:, None, None] if part[3] else None
        if extras:
            q, k = join(q, k, *extras)
        if segments[10]:
            # The table has the numbers of the pages of each batch entry.
            table = part[10][0].astype(int)
            assert table.min() >= 0 and table.max() < len(k)
            k, v = (np.moveaxis(x[table], 2, 1).reshape(len(table), x.shape[1], -1, x.shape[3])
                    for x in (k, v))
        o, lse = self.attend(op, q, k, v, captures, sink)[:2]
        return [o, lse][:len(op.results)]

    def backward(self, op, operands):
        segments = op.numbers("operandSegmentSizes")
        at = np.cumsum([0, *segments])
        part = [operands[i:j] for i, j in zip(at, at[1:])]
        q, k, v, o, lse, do = operands[:6]
        captures, extras = part[10], part[14]
        of_lse = part[6][0][..., None] if part[6] else 0
        sink = part[7][0][:, None, None] if part[7] else None
        columns = q.shape[3]
        if extras:
            q, k = join(q, k, *extras)
        # The derivative of the score region is computed by central differences.
        step = 1e-4
        own, own_lse, p, after = self.attend(op, q, k, v, captures, sink, step)
        before = self.attend(op, q, k, v, captures, sink, -step)[3]
        assert np.allclose(own, o) and np.allclose(own_lse, lse)
        with np.errstate(invalid="ignore"):
            slope = np.nan_to_num((after - before) / (2 * step))
        groups = q.shape[1] // k.shape[1]
        wide_k, wide_v = (np.repeat(x, groups, axis=1) for x in (k, v))
        dp = np.einsum("bhid,bhjd->bhij", do, wide_v)
        ds = p * (dp - (p * dp).sum(-1, keepdims=True) + of_lse) * slope
        ds *= op.number("scale", 1 / math.sqrt(q.shape[3]))

        def add(x):
            return x.reshape(x.shape[0], -1, groups, *x.shape[2:]).sum(2)
        all = [ds @ wide_k, add(np.einsum("bhij,bhid->bhjd", ds, q)),
               add(np.einsum("bhij,bhid->bhjd", p, do))]
        if sink is not None:
            ofSink = np.exp(sink[..., 0] - lse)
            of_row = (p * dp).sum(-1, keepdims=True) - of_lse
            all.append(-(ofSink * of_row[..., 0]).sum((0, 2)))
        if extras:
            # Query and key are in two arrays each; heads may share the key's second one.
            all += [None] * (4 - len(all)) + [x[..., columns:] for x in all[:2]]
            all[:2] = [x[..., :columns] for x in all[:2]]
            if extras[1].shape[1] == 1:
                all[5] = all[5].sum(1, keepdims=True)
        wrt = int(op.number("wrt", 7))
        results = [x for bit, x in enumerate(all) if wrt >> bit & 1]
        # For the gradient of a captured array, the derivative of the region is computed by adding
        # the same step to all elements of the array.
        ds = p * (dp - (p * dp).sum(-1, keepdims=True) + of_lse)
        for number in op.numbers("capture_wrt") if "capture_wrt" in op.attributes else []:
            sides = []
            for sign in (step, -step):
                moved = list(captures)
                moved[number] = captures[number] + sign
                self.reads = []
                sides.append(self.attend(op, q, k, v, moved, sink)[3])
                at = next(at for array, at in self.reads if array is moved[number])
            with np.errstate(invalid="ignore"):
                slope = np.nan_to_num((sides[0] - sides[1]) / (2 * step))
            gradient = np.zeros_like(captures[number])
            np.add.at(gradient, tuple(np.broadcast_to(x, ds.shape) for x in at), ds * slope)
            results.append(gradient)
        return results

    def attend(self, op, q, k, v, captures, sink, step=0):
        """Returns the output, the lse, the probabilities, and what the score region yields if
        `step` is added to its scores."""
        heads, rows, keys = q.shape[1], q.shape[2], k.shape[2]
        k, v = (np.repeat(x, heads // x.shape[1], axis=1) for x in (k, v))
        scale = op.number("scale", 1 / math.sqrt(q.shape[3]))
        s = scale * np.einsum("bhid,bhjd->bhij", q, k)
        place = [np.broadcast_to(x, s.shape) for x in np.indices(s.shape, sparse=True)]
        keep = np.ones(s.shape, bool)
        mask = op.attributes.get("mask", "")
        if mask:
            shift = keys - rows if "bottom_right" in mask else 0
            distance = place[3] - place[2] - shift
            if "causal" in mask:
                keep &= distance <= 0
            if found := re.search(r"left = (\d+)", mask):
                keep &= distance >= -int(found[1])
            if found := re.search(r"right = (\d+)", mask):
                keep &= distance <= int(found[1])
        stepped = s + step
        for region, first in zip([op.regions[0], *op.regions], ([s + step], [s], [])):
            parameters, body = region
            if not body:
                continue
            values = dict(zip(parameters, [*first, *place, *captures]))
            for step in body[:-1]:
                inputs = [values[x] for x in step.operands]
                if step.name == "attn.read":
                    array, *at = inputs
                    at = [np.clip(x, 0, n - 1) for x, n in zip(at, array.shape)]
                    value = array[tuple(at)] if at else array
                    self.reads.append((array, at))
                elif step.name == "arith.constant":
                    value = parse_constant(step.attributes["value"])
                else:
                    value = scalar(step, inputs, step.types[0])
                values[step.results[0]] = np.broadcast_to(value, s.shape) if np.ndim(
                    value) == 0 else value
            value = values[body[-1].operands[0]]
            if len(first) and first[0] is not s:
                stepped = value
            elif first:
                s = value
            else:
                keep &= value
        s = np.where(keep, s, -np.inf)
        most = s.max(-1, keepdims=True)
        most = np.maximum(most, -np.inf if sink is None else sink)
        most = np.where(np.isneginf(most), 0, most)
        e = np.exp(s - most)
        total = e.sum(-1, keepdims=True) + (0 if sink is None else np.exp(sink - most))
        with np.errstate(divide="ignore"):
            lse = (np.log(total) + most)[..., 0]
        p = e / np.where(total == 0, 1, total)
        return p @ v, lse, p, stepped
