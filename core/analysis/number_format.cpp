// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/number_format.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>

namespace apertune::analysis {

namespace {

bool holds(std::string_view text, std::initializer_list<std::string_view> words)
{
    return std::any_of(words.begin(), words.end(),
                       [text](std::string_view w) { return text.find(w) != std::string_view::npos; });
}

/// The third word after Cijk holds the types of a Tensile product: "Cijk_Ailk_Bljk_HHS_BH_MT128x…".
NumberFormat formatOfTensile(std::string_view name)
{
    std::size_t at = 0;
    for (int words = 0; words < 3; ++words) {
        at = name.find('_', at);
        if (at == std::string_view::npos)
            return NumberFormat::unknown;
        ++at;
    }
    const std::string_view types = name.substr(at, name.find('_', at) - at);
    if (types.starts_with("f8") || types.starts_with("b8"))
        return NumberFormat::fp8;
    if (types.starts_with("i8"))
        return NumberFormat::int8;
    if (types.starts_with("bb") || types.starts_with("bs"))
        return NumberFormat::bf16;
    if (types.starts_with("h"))
        return NumberFormat::fp16;
    if (types.starts_with("s"))
        return NumberFormat::fp32;
    return types.starts_with("d") ? NumberFormat::fp64 : NumberFormat::unknown;
}

/// The first of the three or more letters is the type of a cuBLAS product on Hopper and later: "nvjet_hsh_192x192_…",
/// "nvjet_sm100_tst_…".
NumberFormat formatOfNvjet(std::string_view name)
{
    std::string_view rest = name.substr(name.find("nvjet_") + 6);
    if (rest.starts_with("sm"))
        rest.remove_prefix(std::min(rest.size(), rest.find('_') + 1));
    switch (rest.empty() ? ' ' : rest.front()) {
    case 'h':
        return NumberFormat::fp16;
    case 't':
        return NumberFormat::bf16;
    case 'q':
    case 'o':
        return NumberFormat::fp8;
    case 'd':
        return NumberFormat::fp64;
    default:
        return NumberFormat::unknown; // 's' is either fp32 or tf32
    }
}

struct Words
{
    NumberFormat format;
    std::initializer_list<std::string_view> words;
};

} // namespace

std::string_view toString(NumberFormat format)
{
    constexpr std::array<std::string_view, 9> kWords = {"unknown", "fp64", "fp32", "tf32", "fp16",
                                                        "bf16",    "fp8",  "fp4",  "int8"};
    return kWords[static_cast<std::size_t>(format)];
}

bool isNarrow(NumberFormat format)
{
    return format >= NumberFormat::fp16;
}

NumberFormat formatOfKernel(std::string_view name)
{
    const std::string n = base::lower(name);
    if (n.starts_with("cijk_"))
        return formatOfTensile(n);
    if (holds(n, {"nvjet_"}))
        return formatOfNvjet(n);
    // Narrow formats come first, because a name may also contain the wider format of the sums.
    static const std::array kFormats = {
        Words{NumberFormat::fp4, {"e2m1", "fp4", "mxf4"}},
        Words{NumberFormat::fp8, {"e4m3", "e5m2", "fp8", "float8", "f8f8"}},
        Words{NumberFormat::int8,
              {"imma", "int8gemm", "_int8_", "i8i8", "s8s8", "_s8_", "_i8816", "_i16832", "int8_t"}},
        Words{NumberFormat::bf16, {"bf16", "bfloat16", "df16b"}},
        Words{NumberFormat::fp16, {"f16", "half", "h884", "h1688", "h16816", "hgemm", "hmma", "hcudnn", "fp16"}},
        Words{NumberFormat::tf32, {"tf32", "_s1688"}},
        Words{NumberFormat::fp32,
              {"sgemm", "scudnn", "f32f32", "_f32_", "fp32", "float,", "<float", "float>", "float*", "_float_",
               "float "}},
        Words{NumberFormat::fp64, {"dgemm", "d884", "f64f64", "_f64_", "fp64", "double"}}};
    for (const Words& of : kFormats)
        if (holds(n, of.words))
            return of.format;
    return NumberFormat::unknown;
}

NumberFormat formatOfInputs(std::string_view types)
{
    const std::string n = base::lower(types);
    if (holds(n, {"float4", "e2m1"}))
        return NumberFormat::fp4;
    if (holds(n, {"float8"}))
        return NumberFormat::fp8;
    if (holds(n, {"qint8", "quint8", "signed char"}) && !holds(n, {"unsigned char"}))
        return NumberFormat::int8;
    if (holds(n, {"bfloat16"}))
        return NumberFormat::bf16;
    if (holds(n, {"half", "float16"}))
        return NumberFormat::fp16;
    if (holds(n, {"float"}))
        return NumberFormat::fp32;
    return holds(n, {"double"}) ? NumberFormat::fp64 : NumberFormat::unknown;
}

std::optional<bool> usesTensorCores(std::string_view name)
{
    const std::string n = base::lower(name);
    const OpClass opClass = classifyKernel(name);
    if (opClass == OpClass::other)
        return {};
    if (!isArithmetic(opClass))
        return false;
    if (holds(n, {"f32f32_f32f32"}) && !holds(n, {"tf32"}))
        return false; // xmma also names multiply-adds without tensor cores
    if (holds(n, {"imma",  "hmma",      "xmma",      "i8816",     "i88",         "884",   "1688",
                  "16816", "161616",    "16832",     "tensorop",  "tensor16x8x", "wgmma", "gmma",
                  "mfma",  "_mt16x16x", "flash_fwd", "flash_bwd", "flashattn",   "nvjet"}) ||
        (holds(n, {"cijk_"}) && holds(n, {"mi16", "mi32"})))
        return true;
    const NumberFormat format = formatOfKernel(name);
    if (format == NumberFormat::fp4 || format == NumberFormat::fp8 || format == NumberFormat::tf32)
        return true;
    if (holds(n, {"sgemm", "scudnn", "dgemm", "gemv", "winograd", "naive_conv", "direct_kernel", "depthwise", "im2col",
                  "col2im"}))
        return false;
    return {};
}

} // namespace apertune::analysis
