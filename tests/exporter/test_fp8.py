# SPDX-License-Identifier: GPL-3.0-or-later
"""FP8 weights: the recipe on tensors of the CPU, what freezing leaves of it, and where it is refused."""

import copy
import unittest
from unittest import mock

import torch
from apertune_exporter.common.protocol import ExportError
from apertune_exporter.compile import fp8
from support import Case, source


class Net(torch.nn.Module):
    """A convolution whose channels differ in scale by orders, two linear layers of one weight, and nothing else large."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(3)
        self.conv = torch.nn.Conv2d(3, 32, 3)
        self.conv.weight.data *= torch.logspace(-6, 2, 32).reshape(-1, 1, 1, 1)
        self.norm = torch.nn.BatchNorm2d(32)
        self.block = torch.nn.Sequential(torch.nn.Linear(32, 32), torch.nn.GELU())
        self.tied = torch.nn.Linear(32, 32)
        self.tied.weight = self.block[0].weight

    def forward(self, x):
        return self.tied(self.block(self.norm(self.conv(x)).mean((2, 3))))


def exported(model, inputs):
    return torch.export.export(model.eval(), inputs).module(check_guards=False)


class Recipe(unittest.TestCase):
    def setUp(self):
        self.net = Net()
        self.inputs = (torch.randn(2, 3, 16, 16, generator=torch.Generator().manual_seed(1)),)
        self.module = exported(self.net, self.inputs)
        self.plain = copy.deepcopy(self.module)
        self.module.to(torch.bfloat16)
        self.made = fp8.quantize_weights(self.module)

    def test_weights_are_float8_and_nothing_else_is(self):
        tensors = dict(self.module.state_dict())
        stored = [name for name, tensor in tensors.items() if tensor.dtype == torch.float8_e4m3fn]
        self.assertEqual(len(stored), 2, "the tied weight is stored once")
        self.assertEqual(len(self.made["layers"]), 3)
        self.assertFalse([name for name in tensors if name.endswith(("conv.weight", "tied.weight", "block.0.weight"))])
        self.assertTrue(all(tensors[name + "_scale"].dtype == torch.float32 for name in stored))
        self.assertEqual(tensors["conv.bias"].dtype, torch.bfloat16)

    def test_each_channel_keeps_its_weights_whatever_its_scale(self):
        tensors = self.module.state_dict()
        weight = self.net.conv.weight.detach()
        kept = tensors["fp8_0"].float() * tensors["fp8_0_scale"]
        # Three bits behind the point lose at most one in 16; the bf16 that it is made of one in 256 more.
        most = weight.abs().flatten(1).amax(1).reshape(-1, 1, 1, 1)
        normal = weight.abs() > most / 1e4
        self.assertLess(((kept - weight).abs() / weight.abs())[normal].max(), 1 / 16 + 1 / 200)
        self.assertGreater((kept - weight).abs().max(), 0)

    def test_the_output_stays_that_of_the_model(self):
        with torch.no_grad():
            expected = self.plain(*self.inputs).flatten()
            found = self.module(self.inputs[0].to(torch.bfloat16)).float().flatten()
        cosine = float(torch.nn.functional.cosine_similarity(found, expected, 0))
        self.assertGreater(cosine, 0.998)
        self.assertLess(cosine, 1)

    def test_what_has_no_layer_is_refused(self):
        with self.assertRaises(ExportError) as refused:
            fp8.quantize_weights(exported(torch.nn.GELU(), self.inputs))
        self.assertIn("no convolution or linear layer", refused.exception.message)


class Package(Case):
    def code_of(self, context):
        """Types of the constants in the code that AOTInductor generates, which is not built: LibTorch's code for CPUs does
        not know the type's name."""
        inputs = (torch.randn(2, 3, 16, 16),)
        module = exported(Net(), inputs)
        module.to(torch.bfloat16)
        fp8.quantize_weights(module)
        inputs = (inputs[0].to(torch.bfloat16),)
        with torch.no_grad(), context:
            again = torch.export.export(module, inputs)
            path = torch._inductor.aoti_compile_and_package(
                again,
                package_path=self.path("p.pt2"),
                inductor_configs={"freezing": True, "aot_inductor.package_cpp_only": True},
            )
        return fp8.constant_types(path)

    def test_freezing_leaves_the_weights_in_float8(self):
        self.assertEqual(self.code_of(fp8.kept_from_folding()).get("float8_e4m3fn"), 2)

    def test_freezing_would_fold_them_if_it_were_let(self):
        import contextlib

        with fp8.kept_from_folding():
            pass
        self.assertNotIn("float8_e4m3fn", self.code_of(contextlib.nullcontext()))


class Refused(Case):
    def compile(self, *options):
        return ["compile", "--artifact", self.path("model"), "--batch", 1, "--precision", "fp8", "--out",
                self.path("p.pt2"), *options]

    def test_on_a_cpu_and_on_a_gpu_without_float8(self):
        self.export(source("tiny"))
        self.assert_refused("unsupported", *self.compile(), contains="needs a GPU of compute capability 8.9")
        for capability, name in (((8, 6), "NVIDIA A40"), ((7, 5), "Tesla T4")):
            with (
                mock.patch("torch.cuda.is_available", return_value=True),
                mock.patch("torch.cuda.get_device_name", return_value=name),
                mock.patch("torch.cuda.get_device_capability", return_value=capability),
            ):
                has = f"{name} has {capability[0]}.{capability[1]}"
                self.assert_refused("unsupported", *self.compile("--device", "cuda"), contains=("capability 8.9", has))


if __name__ == "__main__":
    unittest.main()
