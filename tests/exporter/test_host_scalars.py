# SPDX-License-Identifier: GPL-3.0-or-later
"""Sizes that a script computes stay on the host wherever its constants are loaded."""

import io
import unittest

import torch
from apertune_exporter.artifact.host_scalars import keep_sizes_on_host


class Heads(torch.nn.Module):
    """Splits channels into heads, as attention does, with two divisions of sizes and one of a tensor."""

    def forward(self, x):
        width = x.shape[2] // 4
        scaled = x * torch.tensor(2.0, dtype=torch.float64) / (x.shape[2] // 4) ** 0.5
        return scaled.reshape(x.shape[0] * 4, x.shape[1], width).transpose(1, 2)


class Nested(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Heads()

    def forward(self, x):
        return self.inner(x) + 1


def loaded(script):
    file = io.BytesIO()
    torch.jit.save(script, file)
    file.seek(0)
    return torch.jit.load(file)


def is_tensor(value):
    return value.type().kind() == "TensorType"


def numbers_of_constants(script):
    """The number of ints and floats that are read from a tensor computed with a constant of the file."""
    movable, found = set(), 0
    for node in script.inlined_graph.nodes():
        moves = any(value.debugName() in movable for value in node.inputs())
        if node.kind() in ("aten::Int", "aten::Float", "aten::ScalarImplicit", "aten::IntImplicit"):
            found += moves
        elif moves or node.kind() == "prim::Constant":
            movable |= {v.debugName() for v in node.outputs() if is_tensor(v)}
    return found


class HostScalars(unittest.TestCase):
    def setUp(self):
        self.input = torch.randn(2, 3, 16)
        self.plain = torch.jit.trace(Nested().eval(), self.input, check_trace=False)
        self.kept = torch.jit.trace(Nested().eval(), self.input, check_trace=False)
        keep_sizes_on_host(self.kept)

    def test_no_size_is_computed_with_a_constant_of_the_file(self):
        self.assertGreater(numbers_of_constants(loaded(self.plain)), 0)
        self.assertEqual(numbers_of_constants(loaded(self.kept)), 0)

    def test_the_results_are_the_same_at_other_sizes(self):
        kept = loaded(self.kept)
        for shape in ((2, 3, 16), (5, 7, 16), (1, 2, 64)):
            x = torch.randn(shape)
            self.assertTrue(torch.equal(kept(x), loaded(self.plain)(x)), shape)

    def test_constants_combined_with_tensors_stay(self):
        nodes = loaded(self.kept).inlined_graph.nodes()
        constants = [n.output().toIValue() for n in nodes if n.kind() == "prim::Constant" and is_tensor(n.output())]
        self.assertEqual([float(constant) for constant in constants], [1.0, 2.0])

    def test_freezing_leaves_the_numbers_on_the_host(self):
        frozen = torch.jit.freeze(loaded(self.kept).eval())
        x = torch.randn(5, 7, 16)
        self.assertTrue(torch.equal(frozen(x), loaded(self.plain)(x)))


if __name__ == "__main__":
    unittest.main()
