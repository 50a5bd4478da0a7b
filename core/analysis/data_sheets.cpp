// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/data_sheets.h"

#include "core/base/text.h"

#include <array>
#include <string>
#include <string_view>

namespace apertune::analysis {

namespace {

/// A product. Rates in TFLOP/s, 0 for a format that it does not have; memory in GB/s.
struct Product
{
    std::string_view part; ///< the device's name contains it, in small letters
    int multiprocessors;   ///< 0: the name alone decides
    std::string_view name;
    double fp64, fp32, tf32, half, fp8, memory;
};

// The first that fits counts.
constexpr std::array kProducts{
    Product{"b200", 0, "NVIDIA B200", 37, 75, 1100, 2250, 4500, 8000},
    Product{"gh200", 0, "NVIDIA GH200", 67, 67, 495, 990, 1979, 4000},
    Product{"h200", 0, "NVIDIA H200", 67, 67, 495, 990, 1979, 4800},
    Product{"h100 nvl", 0, "NVIDIA H100 NVL", 60, 60, 418, 835, 1671, 3900},
    Product{"h100 pcie", 0, "NVIDIA H100 PCIe", 51, 51, 378, 756, 1513, 2000},
    Product{"h100 80gb hbm3", 0, "NVIDIA H100 SXM", 67, 67, 495, 990, 1979, 3350},
    Product{"h100", 132, "NVIDIA H100 SXM", 67, 67, 495, 990, 1979, 3350},
    Product{"a100-sxm4-80gb", 0, "NVIDIA A100 80GB SXM", 19.5, 19.5, 156, 312, 0, 2039},
    Product{"a100 80gb pcie", 0, "NVIDIA A100 80GB PCIe", 19.5, 19.5, 156, 312, 0, 1935},
    Product{"a100-sxm4-40gb", 0, "NVIDIA A100 40GB", 19.5, 19.5, 156, 312, 0, 1555},
    Product{"a100-pcie-40gb", 0, "NVIDIA A100 40GB", 19.5, 19.5, 156, 312, 0, 1555},
    Product{"v100-sxm2", 0, "NVIDIA V100 SXM2", 7.8, 15.7, 0, 125, 0, 900},
    Product{"v100-pcie", 0, "NVIDIA V100 PCIe", 7, 14, 0, 112, 0, 900},
    Product{"l40s", 0, "NVIDIA L40S", 0, 91.6, 183, 362, 733, 864},
    Product{"nvidia l4", 58, "NVIDIA L4", 0, 30.3, 60, 121, 242, 300},
    Product{"nvidia a10", 72, "NVIDIA A10", 0, 31.2, 62.5, 125, 0, 600},
    Product{"tesla t4", 0, "NVIDIA T4", 0, 8.1, 0, 65, 0, 320},
    Product{"rtx 2080 ti", 0, "NVIDIA RTX 2080 Ti", 0, 13.4, 0, 53.8, 0, 616},
    Product{"rtx 3090", 82, "NVIDIA RTX 3090", 0, 35.6, 35.6, 71, 0, 936},
    Product{"rtx 4090", 128, "NVIDIA RTX 4090", 0, 82.6, 82.6, 165, 330, 1008},
    Product{"mi355x", 0, "AMD Instinct MI355X", 78.6, 157, 0, 2516, 5033, 8000},
    Product{"mi350x", 0, "AMD Instinct MI350X", 72.1, 144, 0, 2307, 4614, 8000},
    Product{"mi325x", 0, "AMD Instinct MI325X", 163, 163, 654, 1307, 2615, 6000},
    Product{"mi300x", 0, "AMD Instinct MI300X", 163, 163, 654, 1307, 2615, 5300},
    Product{"mi250x", 0, "AMD Instinct MI250X (one die)", 47.9, 47.9, 0, 191.5, 0, 1638},
    Product{"mi250", 0, "AMD Instinct MI250 (one die)", 45.3, 45.3, 0, 181, 0, 1638},
    Product{"mi210", 0, "AMD Instinct MI210", 45.3, 45.3, 0, 181, 0, 1638},
};

double rateOf(const Product& product, NumberFormat format)
{
    switch (format) {
    case NumberFormat::fp64:
        return product.fp64;
    case NumberFormat::fp32:
        return product.fp32;
    case NumberFormat::tf32:
        return product.tf32;
    case NumberFormat::fp16:
        return product.half;
    case NumberFormat::bf16: // NVIDIA's came with TF32
        return product.tf32 > 0 || product.name.starts_with("AMD") ? product.half : 0;
    case NumberFormat::fp8:
        return product.fp8;
    case NumberFormat::fp4:
    case NumberFormat::int8:
    case NumberFormat::unknown:
        break;
    }
    return 0;
}

} // namespace

Ceilings dataSheetCeilings(const trace::DeviceProperties& device, NumberFormat format)
{
    constexpr double kTera = 1e12;
    constexpr double kGiga = 1e9;
    const std::string name = base::lower(device.name);
    // A part of a split GPU does not reach the rates of the whole one.
    if (name.find(" mig ") != std::string::npos)
        return {}; // a part of a GPU
    for (const Product& product : kProducts) {
        // Products of one name differ in their number of multiprocessors.
        if (name.find(product.part) == std::string::npos ||
            (product.multiprocessors > 0 && product.multiprocessors != device.multiprocessors))
            continue;
        const double rate = rateOf(product, format);
        if (rate <= 0)
            return {};
        Ceilings ceilings;
        ceilings.flops = rate * kTera;
        ceilings.memoryBandwidth = product.memory * kGiga;
        ceilings.fromDataSheet = true;
        ceilings.source = "data sheet of " + std::string(product.name) + ", " + std::string(toString(format));
        return ceilings;
    }
    return {};
}

} // namespace apertune::analysis
