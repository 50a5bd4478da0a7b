# SPDX-License-Identifier: GPL-3.0-or-later
"""INT8 after training: calibration data, quantized ONNX and OpenVINO files, the cost of each layer."""
