# SPDX-License-Identifier: GPL-3.0-or-later
"""Models that the tests import as python:models.py:NAME."""

import ctypes
import os
import sys
import time
from collections import OrderedDict
from dataclasses import dataclass
from types import SimpleNamespace

import torch
import torch.utils.checkpoint
from torch import nn
from torch.nn.functional import scaled_dot_product_attention


def _tiny():
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, stride=2, padding=1),
        nn.BatchNorm2d(8),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(8, 10),
    )


def tiny():
    return _tiny(), torch.randn(1, 3, 32, 32)


def fragile():
    """The second of three layers reads one channel that is 30 000 times as large as the others and counts as much."""
    torch.manual_seed(5)
    first, second = nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.Conv2d(8, 16, 3, padding=1)
    with torch.no_grad():
        first.weight[0] *= 30000
        second.weight[:, 0] /= 30000
    net = nn.Sequential(first, nn.ReLU(), second, nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 10))
    return net, torch.randn(1, 3, 32, 32)


class Summed(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(8, 8, 3, padding=1)
        self.head = nn.Linear(8, 10)

    def forward(self, image):
        before = self.first(image)
        return self.head((self.second(torch.relu(before)) + before).mean((2, 3)))


def summed():
    return Summed(), torch.randn(1, 3, 32, 32)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Linear(16, 48)

    def forward(self, x):
        parts = self.project(x).reshape(x.shape[0], 32, 3, 2, 8).permute(2, 0, 3, 1, 4)
        return nn.functional.scaled_dot_product_attention(parts[0], parts[1], parts[2])


def attention():
    return Attention(), torch.randn(1, 32, 16)


def windows():
    """A Swin transformer, whose windows are shifted behind masks."""
    from torchvision.models import SwinTransformer

    torch.manual_seed(2)
    model = SwinTransformer([4, 4], embed_dim=16, depths=[2], num_heads=[2], window_size=[4, 4], num_classes=4)
    return model, torch.randn(1, 3, 64, 64)


class Turned(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(3, 16)

    def forward(self, image):
        return self.mix(image.flatten(2).permute(2, 0, 1)).mean(0)


def turned():
    return Turned(), torch.randn(1, 3, 8, 8)


class TwoIn(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = _tiny()

    def forward(self, image, scale, verbose=False):
        scores = self.net(image) * scale
        return {"scores": scores, "parts": [scores.mean(1), {"image_mean": image.mean((2, 3))}], "note": "text"}


def two_in():
    return TwoIn(), {"image": torch.randn(4, 3, 32, 32), "scale": torch.rand(4, 1)}


@dataclass
class Result:
    logits: torch.Tensor
    hidden: torch.Tensor


class DataclassOut(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = _tiny()

    def forward(self, images):
        hidden = images[0] + images[1]
        return Result(self.net(hidden), hidden)


def dataclass_out():
    return DataclassOut(), ([torch.randn(1, 3, 32, 32), torch.randn(1, 3, 32, 32)],)


class Answer(OrderedDict):
    """A result as libraries have them: a dictionary of a class that torch's tree functions do not know."""


@dataclass
class Level:
    boxes: torch.Tensor
    scores: list
    note: str = "text"


class Heads(nn.Module):
    """Levels of a detector, as dataclasses in a list, and a dictionary with an object in it."""

    def __init__(self):
        super().__init__()
        self.net = nn.Conv2d(3, 4, 3)

    def forward(self, image):
        wide = self.net(image)
        narrow = nn.functional.max_pool2d(wide, 2)
        levels = [Level(wide, [wide.mean((2, 3))]), Level(narrow, [])]
        return [levels, Answer(best=SimpleNamespace(score=narrow.amax((2, 3)), nothing=None))]


def heads():
    return Heads(), torch.randn(1, 3, 8, 8)


class Backboned(nn.Module):
    """A model of a library: its `base_model` is a module that takes other inputs, not what studies compare with."""

    def __init__(self):
        super().__init__()
        self.trunk, self.head = _tiny(), nn.Linear(10, 4)

    @property
    def base_model(self):
        return self.trunk

    def forward(self, image):
        return Answer(logits=self.head(self.trunk(image)))


def backboned():
    return Backboned(), {"image": torch.randn(1, 3, 32, 32)}


class LatentStep(nn.Module):
    """Like the U-Net of diffusion: a latent of some size and a context to a latent of that size."""

    def __init__(self):
        super().__init__()
        self.net, self.mix = nn.Conv2d(4, 4, 3, padding=1), nn.Linear(6, 4)

    def forward(self, latent, context):
        return self.net(latent) + self.mix(context).mean(1)[..., None, None]


def latent_step():
    return LatentStep(), (torch.randn(1, 4, 8, 8), torch.randn(1, 5, 6))


class Tokens(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(17, 6)

    def forward(self, ids, mask):
        return (self.table(ids) * mask[..., None]).sum(1)


def tokens():
    return Tokens(), (torch.randint(0, 17, (2, 5)), torch.rand(2, 5) > 0.3)


class Sizes(nn.Module):
    """A leaf that gives no tensor."""

    def forward(self, image):
        return [int(side) for side in image.shape[-2:]]


class KnowsItsSize(nn.Module):
    def __init__(self):
        super().__init__()
        self.net, self.sizes = _tiny(), Sizes()

    def forward(self, image):
        return self.net(image) / self.sizes(image)[0]


def knows_its_size():
    return KnowsItsSize(), torch.randn(1, 3, 32, 32)


class OneOnly(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = _tiny()

    def forward(self, x):
        if x.shape[0] != 1:
            raise ValueError("one image at a time, please")
        return self.net(x)


def one_only():
    return OneOnly(), torch.randn(1, 3, 32, 32)


class BakesTheBatch(nn.Module):
    def forward(self, x):
        return x.reshape(int(x.shape[0]), -1)[: len(x.tolist())].mean(1, keepdim=True) + torch.zeros(len(x.tolist()), 3)


def bakes_the_batch():
    return BakesTheBatch(), torch.randn(1, 3, 8, 8)


class Branches(nn.Module):
    """Tracing follows one of two paths; only scripting keeps both."""

    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 3)

    def forward(self, x):
        if bool(x.sum() > 0):
            return self.net(x)
        return -2.0 * self.net(x)


def branches():
    torch.manual_seed(5)
    return Branches(), torch.randn(1, 4)


def branches_by_keyword():
    model, x = branches()
    return model, {"x": x}


class Diverges(nn.Module):
    def forward(self, x):
        return torch.log(x - x) * 0


def diverges():
    return Diverges(), torch.randn(1, 4)


class NoTensor(nn.Module):
    def forward(self, x):
        return "nothing"


def no_tensor():
    return NoTensor(), torch.randn(1, 4)


class Refuses(nn.Module):
    def forward(self, x):
        raise RuntimeError("sizes do not match here")


def refuses():
    return Refuses(), torch.randn(1, 4)


def chatty():
    print("a line on stdout from Python")
    os.system("echo a line on stdout from a child")
    return tiny()


def _wait():
    print("waiting", file=sys.stderr, flush=True)
    time.sleep(600)


def slow():
    _wait()
    return tiny()


def slow_and_deaf():
    try:
        _wait()
    except BaseException:
        time.sleep(600)
    return tiny()


def asleep_again():
    """Sleeps on after the first signals, without a step of Python in between: sorting compares by pausing."""
    libc = ctypes.CDLL(None)
    print("waiting", file=sys.stderr, flush=True)
    libc.qsort(ctypes.create_string_buffer(3), ctypes.c_size_t(3), ctypes.c_size_t(1), libc.pause)
    time.sleep(600)
    return tiny()


def raises():
    return {}["weights"]


def not_a_pair():
    return _tiny()


def no_inputs():
    return _tiny(), ()


def exported():
    program = torch.export.export(_tiny().eval(), (torch.randn(1, 3, 32, 32),))
    return program.module(), program.example_inputs[0]


class Colours(nn.Module):
    """Each class is a colour; `every` keeps the pixels apart."""

    def __init__(self, every):
        super().__init__()
        self.every = every

    def forward(self, x):
        return x * 2 if self.every else x.mean((2, 3)) * 2


def colours():
    return Colours(False), torch.rand(1, 3, 16, 16)


def coloured_pixels():
    return Colours(True), torch.rand(1, 3, 16, 16)


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        share = torch.sigmoid(x)
        return gradient * (share + x * share * (1 - share))


class OwnFunction(nn.Module):
    """Its sizes depend on the batch, so a script that fixes them is noticed."""

    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 6)

    def forward(self, x):
        parts = Swish.apply(self.net(x)).reshape(x.shape[0] * 2, 3)
        return parts.reshape(x.shape[0], -1) + torch.arange(x.shape[0] * 2).reshape(-1, 2).sum(1, keepdim=True)


def own_function():
    return OwnFunction(), torch.randn(1, 4)


class OwnFunctionAndBranch(nn.Module):
    def forward(self, x):
        x = Swish.apply(x)
        if x.sum() > 0:
            return x
        return -x


def own_function_and_branch():
    return OwnFunctionAndBranch(), torch.randn(1, 4)


class BothWays(nn.Module):
    """torch.cond, which only torch.export takes."""

    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 3)

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: self.net(x), lambda x: -2.0 * self.net(x), (x,))


def both_ways():
    return BothWays(), torch.randn(1, 4)


class Checkpointed(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 3)

    def forward(self, x):
        return torch.utils.checkpoint.checkpoint(self.net, x, use_reentrant=True)


def checkpointed():
    return Checkpointed(), torch.randn(1, 4)


class Refusing(nn.Module):
    """Takes every batch but one."""

    def __init__(self, refused):
        super().__init__()
        self.refused, self.net = refused, nn.Linear(4, 3)

    def forward(self, x):
        if x.shape[0] == self.refused:
            raise AssertionError(f"batch {x.shape[0]} is not my thing")
        return self.net(x)


def refuses_three():
    return Refusing(3), torch.randn(1, 4)


def refuses_two():
    return Refusing(2), torch.randn(1, 4)


class Positions(nn.Module):
    """Positions that are computed in float32 and then follow the weights, as in timm's EdgeNeXt."""

    def __init__(self):
        super().__init__()
        self.project, self.norm, self.head = nn.Conv2d(4, 8, 1), nn.LayerNorm(8), nn.Linear(8, 3)

    def forward(self, x):
        rows = torch.arange(x.shape[2], dtype=torch.float32).reshape(1, 1, -1, 1).expand(x.shape[0], 3, -1, x.shape[3])
        where = self.project(torch.cat([x[:, :1], (rows / 7).to(self.project.weight.dtype)], 1))
        tokens = self.norm(where.flatten(2).transpose(1, 2))
        weights = torch.softmax(tokens @ tokens.transpose(1, 2), -1, dtype=torch.float32)
        return self.head((weights.to(tokens.dtype) @ tokens).mean(1))


def positions():
    torch.manual_seed(4)
    return Positions(), torch.randn(1, 2, 6, 5)


class Wide(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width, bias=False) for _ in range(4)])

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x)) + x
        return x


def light():
    return Wide(16), torch.randn(1, 16)


def heavy():
    """256 MiB of weights."""
    return Wide(4096), torch.randn(1, 4096)


class SlowAtFirst(nn.Module):
    def __init__(self, passes):
        super().__init__()
        self.net, self.passes = nn.Linear(4, 3), passes

    def forward(self, x):
        if self.passes > 0:
            time.sleep(4)
            self.passes -= 1
        return self.net(x)


def slow_once():
    return SlowAtFirst(1), torch.randn(1, 4)


def slow_twice():
    return SlowAtFirst(2), torch.randn(1, 4)


class Counts(nn.Module):
    """The output is multiplied by a counter in a buffer."""

    def __init__(self):
        super().__init__()
        self.net = _tiny()
        self.register_buffer("count", torch.zeros(()))

    def forward(self, image):
        self.count.add_(1)
        return self.net(image) * self.count


def stateful():
    return Counts(), torch.randn(1, 3, 32, 32)


class CountsInPython(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = _tiny()
        self.calls = 0

    def forward(self, image):
        self.calls += 1
        return self.net(image) * self.calls


def stateful_in_python():
    return CountsInPython(), torch.randn(1, 3, 32, 32)


class CountsInAList(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = _tiny()
        self.seen = []

    def forward(self, image):
        self.seen.append({"size": image.shape})
        return self.net(image) * len(self.seen)


def stateful_in_a_list():
    return CountsInAList(), torch.randn(1, 3, 32, 32)


class Remembers(nn.Module):
    """It keeps what it computed for a shape, as rotary embeddings and anchors are kept. Its outputs stay the same."""

    def __init__(self):
        super().__init__()
        self.net = _tiny()
        self.register_buffer("passes", torch.zeros((), dtype=torch.int64))
        self.known = {}

    def forward(self, image):
        self.passes += 1
        size = str(image.shape[-1])
        if size not in self.known:
            self.known[size] = torch.linspace(0, 1, image.shape[-1])
        return self.net(image + self.known[size])


def remembers():
    return Remembers(), torch.randn(1, 3, 32, 32)


class AddsToItsInput(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = _tiny()

    def forward(self, image, scale):
        image.add_(1)
        return self.net(image) * scale


def changes_its_input():
    return AddsToItsInput(), (torch.randn(1, 3, 32, 32), torch.ones(1, 1))


class Noisy(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = _tiny()

    def forward(self, image):
        return self.net(image + torch.rand_like(image))


def draws():
    return Noisy(), torch.randn(1, 3, 32, 32)


class DropoutOn(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = _tiny()

    def forward(self, image):
        return nn.functional.dropout(self.net(image))


def dropout_on():
    return DropoutOn(), torch.randn(1, 3, 32, 32)


class Sleeps(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = _tiny()

    def forward(self, image):
        time.sleep(0.2)
        print("forward")
        return self.net(image)


def sleeps():
    return Sleeps(), torch.randn(1, 3, 32, 32)


class AsksTheClock(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = _tiny()

    def forward(self, image):
        return self.net(image) * (time.perf_counter_ns() % 1000 / 1000)


def asks_the_clock():
    return AsksTheClock(), torch.randn(1, 3, 32, 32)


class LastInput(nn.Module):
    """It keeps its input in a buffer and computes the difference from it."""

    def __init__(self):
        super().__init__()
        self.net = _tiny()
        self.register_buffer("last", torch.zeros(1, 3, 32, 32))

    def forward(self, image):
        result = self.net(image - self.last)
        self.last.copy_(image[:1])
        return result


def keeps_its_input():
    return LastInput(), torch.randn(1, 3, 32, 32)


class LastInputInPython(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = _tiny()
        self.last = None

    def forward(self, image):
        last = image if self.last is None or self.last.shape != image.shape else self.last
        self.last = image.clone()
        return self.net(image - last)


def keeps_its_input_in_an_attribute():
    return LastInputInPython(), torch.randn(1, 3, 32, 32)


class Largest(nn.Module):
    """It divides by the largest value that it has seen."""

    def __init__(self):
        super().__init__()
        self.net = _tiny()
        self.register_buffer("largest", torch.zeros(()))

    def forward(self, image):
        self.largest.copy_(torch.maximum(self.largest, image.abs().amax()))
        return self.net(image / self.largest)


def keeps_the_largest_value():
    return Largest(), torch.randn(1, 3, 32, 32)


class Recent(nn.Module):
    """It adds the mean of its last five inputs, which a list holds."""

    def __init__(self):
        super().__init__()
        self.net = _tiny()
        self.recent = []

    def forward(self, image):
        self.recent = (self.recent + [image.mean()])[-5:]
        return self.net(image) + torch.stack(self.recent).mean()


def keeps_recent_means():
    return Recent(), torch.randn(1, 3, 32, 32)


class NoisyCounter(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = _tiny()
        self.register_buffer("count", torch.zeros(()))

    def forward(self, image):
        self.count.add_(1)
        return self.net(image + 5 * torch.randn_like(image)) * self.count


def counts_and_draws():
    return NoisyCounter(), torch.randn(1, 3, 32, 32)


class Tally:
    def __init__(self):
        self.count = 0


class CountsInAnObject(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = _tiny()
        self.tally = Tally()

    def forward(self, image):
        self.tally.count += 1
        return self.net(image) * self.tally.count


def counts_in_an_object():
    return CountsInAnObject(), torch.randn(1, 3, 32, 32)


class SelfAttention(nn.Module):
    """nn.MultiheadAttention, which is asked for its weights though nobody reads them."""

    def __init__(self, gives_weights=False):
        super().__init__()
        self.attention = nn.MultiheadAttention(16, 2, batch_first=True)
        self.gives_weights = gives_weights

    def forward(self, x):
        found, weights = self.attention(x, x, x)
        return (found, weights) if self.gives_weights else found


def self_attention():
    return SelfAttention(), torch.randn(1, 33, 16)


def attention_weights():
    return SelfAttention(gives_weights=True), torch.randn(1, 33, 16)


class MaskedAttention(nn.Module):
    """Causal attention, attention with a mask, and with a mask that all queries share."""

    def __init__(self):
        super().__init__()
        self.project = nn.Linear(16, 48)

    def forward(self, x):
        heads = self.project(x).unflatten(-1, (3, 2, 8)).permute(2, 0, 3, 1, 4)
        before = torch.ones(33, 33).tril(3).log()
        shared = torch.arange(33).lt(20).expand(1, 33)
        attend = nn.functional.scaled_dot_product_attention
        causal, masked = attend(*heads, is_causal=True), attend(*heads, attn_mask=before)
        return {"causal": causal, "masked": masked, "shared": attend(*heads, shared)}


def masked_attention():
    return MaskedAttention(), torch.randn(1, 33, 16)


class ImportedAttention(Attention):
    """The function by a name of this file."""

    def forward(self, x):
        parts = self.project(x).reshape(x.shape[0], 32, 3, 2, 8).permute(2, 0, 3, 1, 4)
        return scaled_dot_product_attention(parts[0], parts[1], parts[2])


def imported_attention():
    return ImportedAttention(), torch.randn(1, 32, 16)


class TwoScales(nn.Module):
    """An image to a larger and a smaller one."""

    def __init__(self):
        super().__init__()
        self.first, self.shrink = nn.Conv2d(3, 3, 3, padding=1), nn.Conv2d(3, 5, 4, stride=4)

    def forward(self, image):
        features = self.first(image)
        return {"large": nn.functional.interpolate(features, scale_factor=2.0), "small": self.shrink(features)}


def two_scales():
    return TwoScales(), torch.randn(1, 3, 64, 96)


class FixedSize(nn.Module):
    """It adds a value for each place, so it takes images of one size only."""

    def __init__(self):
        super().__init__()
        self.places = nn.Parameter(torch.randn(3, 64, 64))

    def forward(self, image):
        return image + self.places


def fixed_size():
    return FixedSize(), torch.randn(1, 3, 64, 64)
