// SPDX-License-Identifier: GPL-3.0-or-later
// libnvonnxparser.so.10 as a name: the parser is beside the network that it fills, in fake_builder.cpp.
