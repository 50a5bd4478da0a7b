# SPDX-License-Identifier: GPL-3.0-or-later
"""torchvision's operators in plain tensor code, so that a scripted detector loads in LibTorch alone.

torchvision's own operators are in a library that needs Python. These follow the same definitions. `plain_operators`
substitutes them while a detector is scripted. The script is then compared with the eager module, which has the
originals.
"""

import contextlib
from typing import List, Union

import torch
from torch import Tensor


def nms(boxes: Tensor, scores: Tensor, iou_threshold: float) -> Tensor:
    """Indices of the boxes that stay, best first."""
    order = torch.sort(scores, stable=True, descending=True)[1]
    some = boxes[order]
    area = (some[:, 2] - some[:, 0]) * (some[:, 3] - some[:, 1])
    n = order.shape[0]
    alive = torch.ones_like(order, dtype=torch.bool)
    if n <= 2048:
        side = (torch.minimum(some[:, None, 2:], some[:, 2:]) - torch.maximum(some[:, None, :2], some[:, :2])).clamp(
            min=0
        )
        common = side[:, :, 0] * side[:, :, 1]
        falls = (common / (area[:, None] + area - common) > iou_threshold).triu(1)
        # A box stays if no better box that stays overlaps it. Each repetition settles one more link of every chain of
        # overlaps. The greedy answer is the only one that a repetition does not change.
        settled = False
        while not settled:
            after = ~(falls & alive[:, None]).any(0)
            settled = bool((after == alive).all())
            alive = after
    else:
        for i in range(n):
            if bool(alive[i]):
                side = (
                    torch.minimum(some[i, 2:], some[i + 1 :, 2:]) - torch.maximum(some[i, :2], some[i + 1 :, :2])
                ).clamp(min=0)
                common = side[:, 0] * side[:, 1]
                falls = common / (area[i] + area[i + 1 :] - common) > iou_threshold
                # A method call, because torch.jit.script silently drops `alive[...] &= ...`.
                alive[i + 1 :].logical_and_(~falls)
    return order[alive]


def roi_align(
    input: Tensor,
    boxes: Union[Tensor, List[Tensor]],
    output_size: List[int],
    spatial_scale: float = 1.0,
    sampling_ratio: int = -1,
    aligned: bool = False,
) -> Tensor:
    """Compute the mean of bilinear samples on a grid in each bin.

    `boxes` is [K, 5] with the image index first. REQUIRES: sampling_ratio > 0."""
    assert isinstance(boxes, Tensor)
    assert sampling_ratio > 0
    height, width = input.shape[2], input.shape[3]
    offset = 0.5 if aligned else 0.0
    x1, y1, x2, y2 = (boxes[:, 1:] * spatial_scale - offset).unbind(1)
    span_x, span_y = x2 - x1, y2 - y1
    if not aligned:
        span_x, span_y = span_x.clamp(min=1.0), span_y.clamp(min=1.0)
    rows, columns = output_size[0] * sampling_ratio, output_size[1] * sampling_ratio
    step_y = (torch.arange(rows, device=input.device, dtype=input.dtype) + 0.5) / rows
    step_x = (torch.arange(columns, device=input.device, dtype=input.dtype) + 0.5) / columns
    y = y1[:, None] + span_y[:, None] * step_y
    x = x1[:, None] + span_x[:, None] * step_x
    inside = ((y >= -1) & (y <= height))[:, :, None] & ((x >= -1) & (x <= width))[:, None, :]
    y, x = y.clamp(min=0, max=height - 1), x.clamp(min=0, max=width - 1)
    top, left = y.floor(), x.floor()
    wy, wx = (y - top)[:, :, None], (x - left)[:, None, :]
    t, l = top.long()[:, :, None], left.long()[:, None, :]
    b, r = (t + 1).clamp(max=height - 1), (l + 1).clamp(max=width - 1)
    flat = input.permute(0, 2, 3, 1).reshape(-1, input.shape[1])
    base = boxes[:, 0].long()[:, None, None] * (height * width)

    total = flat[base + t * width + l] * ((1 - wy) * (1 - wx) * inside)[..., None]
    total = total + flat[base + t * width + r] * ((1 - wy) * wx * inside)[..., None]
    total = total + flat[base + b * width + l] * (wy * (1 - wx) * inside)[..., None]
    total = total + flat[base + b * width + r] * (wy * wx * inside)[..., None]
    k, c = boxes.shape[0], input.shape[1]
    total = total.reshape(k, output_size[0], sampling_ratio, output_size[1], sampling_ratio, c)
    return total.mean([2, 4]).permute(0, 3, 1, 2)


@contextlib.contextmanager
def plain_operators():
    """Within the block, torch.jit.script finds the functions above in place of torchvision's."""
    import torchvision.ops.boxes
    import torchvision.ops.poolers

    replaced = [(torchvision.ops.boxes, "nms", nms), (torchvision.ops.poolers, "roi_align", roi_align)]
    originals = [getattr(module, name) for module, name, _ in replaced]
    for module, name, function in replaced:
        setattr(module, name, function)
    try:
        yield
    finally:
        for (module, name, _), original in zip(replaced, originals):
            setattr(module, name, original)
