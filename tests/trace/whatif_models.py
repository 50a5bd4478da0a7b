# SPDX-License-Identifier: GPL-3.0-or-later
"""Models and real changes of them for whatif_truth.py: each case makes a model as it is and as it is changed."""

import torch
import torchvision
from torch import nn

INPUT = (1, 3, 224, 224)


def model(name):
    torch.manual_seed(0)
    return getattr(torchvision.models, name)(weights=None).eval()


def replaced(net, kind, by):
    """Replaces every module of a kind."""
    for name, child in net.named_children():
        if isinstance(child, kind):
            setattr(net, name, by(child))
        else:
            replaced(child, kind, by)
    return net


def without(net, kind):
    return replaced(net, kind, lambda _: nn.Identity())


def conv_like(conv, inputs=None, outputs=None):
    return nn.Conv2d(inputs or conv.in_channels, outputs or conv.out_channels, conv.kernel_size, conv.stride, conv.padding,
                     bias=conv.bias is not None)


def half_channels(net, block):
    """Half the channels between the two convolutions of a basic block."""
    half = block.conv1.out_channels // 2
    block.conv1 = conv_like(block.conv1, outputs=half)
    block.bn1 = nn.BatchNorm2d(half)
    block.conv2 = conv_like(block.conv2, inputs=half)
    return net.eval()


def half_hidden(net):
    """Half the width between the two linear layers of every block."""
    for module in net.modules():
        if isinstance(module, torchvision.models.convnext.CNBlock):
            first, second = module.block[3], module.block[5]
            half = first.out_features // 2
            module.block[3] = nn.Linear(first.in_features, half)
            module.block[5] = nn.Linear(half, second.out_features)
    return net.eval()


def without_linear(net, at):
    net.classifier[at] = nn.Identity()
    return net.eval()


def half_of_vgg(net):
    """Half the channels between its third and its fourth convolution."""
    net.features[6] = conv_like(net.features[6], outputs=128)
    net.features[8] = conv_like(net.features[8], inputs=128)
    return net.eval()


def without_block(net):
    net.layer1[1] = nn.Identity()
    return net


# Name of the case: model, side of the changed model's images, what is really done to the model, and the what-if that
# predicts it. Operators are counted in the order of their calls. Factors follow from the arithmetic or the bytes of the
# change, never from a measurement.
CASES = {
    "resnet18 without batch normalisation":
        ("resnet18", 224, lambda net: without(net, nn.BatchNorm2d), ["operator:batch_norm=remove"]),
    "resnet18 without rectifiers":
        ("resnet18", 224, lambda net: without(net, nn.ReLU), ["operator:/relu/=remove"]),
    "resnet18 half the channels in the first block":
        ("resnet18", 224, lambda net: half_channels(net, net.layer1[0]),
         ["operator:conv2d#2=50%", "operator:conv2d#3=50%", "operator:batch_norm#2=50%", "operator:/relu/#2=50%"]),
    "resnet18 half the channels in the last block":
        ("resnet18", 224, lambda net: half_channels(net, net.layer4[1]),
         ["operator:conv2d#19=50%", "operator:conv2d#20=50%"]),
    "resnet18 without the second block":
        ("resnet18", 224, without_block,
         ["operator:conv2d#4=remove", "operator:conv2d#5=remove", "operator:batch_norm#4=remove",
          "operator:batch_norm#5=remove", "operator:/relu/#4=remove", "operator:/relu/#5=remove", "operator:add_#2=remove"]),
    "resnet18 images of 160":
        ("resnet18", 160, lambda net: net, ["operator:/^aten::/=51%"]),
    "vgg11 without its second linear layer":
        ("vgg11", 224, lambda net: without_linear(net, 3), ["operator:linear#2=remove"]),
    "vgg11 half the channels of a layer":
        ("vgg11", 224, half_of_vgg, ["operator:conv2d#3=50%", "operator:conv2d#4=50%", "operator:/relu/#3=50%"]),
    "mobilenet_v3_small without batch normalisation":
        ("mobilenet_v3_small", 224, lambda net: without(net, nn.BatchNorm2d), ["operator:batch_norm=remove"]),
    "mobilenet_v3_small without hardswish":
        ("mobilenet_v3_small", 224, lambda net: without(net, nn.Hardswish), ["operator:/hardswish/=remove"]),
    "densenet121 without batch normalisation":
        ("densenet121", 224, lambda net: without(net, nn.BatchNorm2d), ["operator:batch_norm=remove"]),
    "convnext_tiny half the hidden width":
        ("convnext_tiny", 224, half_hidden, ["operator:linear=50%", "operator:gelu=50%"]),
    "convnext_tiny without GELU":
        ("convnext_tiny", 224, lambda net: without(net, nn.GELU), ["operator:gelu=remove"]),
    "squeezenet1_1 without rectifiers":
        ("squeezenet1_1", 224, lambda net: without(net, nn.ReLU), ["operator:/relu/=remove"]),
}


def case(name, changed):
    """A source for the exporter: the model of a case, and its inputs."""
    base, side, change, _ = CASES[name]
    net = model(base)
    return (change(net), (torch.randn(1, 3, side, side),)) if changed else (net, (torch.randn(INPUT),))
