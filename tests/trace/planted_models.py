# SPDX-License-Identifier: GPL-3.0-or-later
"""Small models with one fault each, and their sound twins: planted_models.py OUT EXPORTER.

OUT gets an artifact a model. The exporter makes the first; the others are copies of it with another TorchScript file,
as all take the same input. OUT is made once, and again when this file or torch has changed.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys

BLOCKS = 4
CHANNELS = 32
SIDE = 128


def modules():
    import torch
    from torch import nn

    class Block(nn.Module):
        """Convolution and activation, in place: nothing to find."""

        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1)

        def forward(self, x):
            return torch.relu_(self.conv(x))

    class AllocatesInTheLoop(Block):
        def forward(self, x):
            scratch = torch.zeros([40 * 1024 * 1024 // 4])  # above what the allocator keeps
            return torch.relu_(self.conv(x)).add_(scratch[0])

    class KeepsItsScratch(Block):
        def __init__(self):
            super().__init__()
            self.register_buffer("scratch", torch.zeros([40 * 1024 * 1024 // 4]))

        def forward(self, x):
            return torch.relu_(self.conv(x)).add_(self.scratch[0])

    class CopiesTooMuch(Block):
        """So many that they stay far above the rule's bound on a processor whose convolutions others disturb."""

        def forward(self, x):
            kept = x.clone().clone().clone()
            before = self.conv(kept.clone())
            return torch.relu_(before.clone().clone()).clone().clone()

    class Normalises(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1, bias=False)
            self.norm = nn.BatchNorm2d(CHANNELS)

        def forward(self, x):
            return torch.relu_(self.norm(self.conv(x)))

    class ChangesLayout(Block):
        def forward(self, x):
            x = torch.relu_(x.contiguous(memory_format=torch.channels_last))
            x = self.conv(x.contiguous(memory_format=torch.contiguous_format))
            x = torch.relu_(x.contiguous(memory_format=torch.channels_last))
            return x.contiguous(memory_format=torch.contiguous_format)

    class Net(nn.Module):
        def __init__(self, block):
            super().__init__()
            self.stem = nn.Conv2d(3, CHANNELS, 3, padding=1)
            self.blocks = nn.Sequential(*[block() for _ in range(BLOCKS)])

        def forward(self, x):
            return self.blocks(self.stem(x)).mean((2, 3))

    torch.manual_seed(3)
    kinds = {"sound": Block, "allocates": AllocatesInTheLoop, "keeps": KeepsItsScratch, "copies": CopiesTooMuch,
             "normalises": Normalises, "changes_layout": ChangesLayout}
    return {name: Net(block).eval() for name, block in kinds.items()}


def sound():
    """The function that the exporter calls."""
    import torch

    return modules()["sound"], torch.randn(1, 3, SIDE, SIDE)


def fingerprint():
    with open(os.path.abspath(__file__), "rb") as stream:
        return hashlib.sha256(sys.prefix.encode() + stream.read()).hexdigest()


def main(out, exporter):
    stamp = os.path.join(out, "complete")
    wanted = fingerprint()
    if os.path.isfile(stamp) and open(stamp, encoding="utf-8").read() == wanted:
        return
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    first = os.path.join(out, "sound")
    subprocess.run([sys.executable, "-m", "apertune_exporter", "export", f"python:{os.path.abspath(__file__)}:sound",
                    "--out", first], cwd=exporter, check=True, stdout=sys.stderr)
    import warnings

    warnings.simplefilter("ignore")
    import torch

    for name, net in modules().items():
        if name == "sound":
            continue
        folder = os.path.join(out, name)
        shutil.copytree(first, folder)
        script = os.path.join(folder, "model.ts.pt")
        torch.jit.script(net).save(script)
        path = os.path.join(folder, "manifest.json")
        with open(path, encoding="utf-8") as stream:
            manifest = json.load(stream)
        described = manifest["files"]["torchscript"]
        described["bytes"] = os.path.getsize(script)
        with open(script, "rb") as stream:
            described["sha256"] = hashlib.sha256(stream.read()).hexdigest()
        with open(path, "w", encoding="utf-8") as stream:
            json.dump(manifest, stream)
    with open(stamp, "w", encoding="utf-8") as stream:
        stream.write(wanted)


if __name__ == "__main__":
    main(*sys.argv[1:])
