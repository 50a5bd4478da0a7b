// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/device.h"

#include <algorithm>
#include <string_view>

namespace apertune::model {

std::string_view toString(DeviceKind kind)
{
    return kind == DeviceKind::cuda ? "cuda" : "cpu";
}

std::optional<DeviceKind> deviceKindFromString(std::string_view text)
{
    for (const DeviceKind kind : {DeviceKind::cpu, DeviceKind::cuda})
        if (text == toString(kind))
            return kind;
    return std::nullopt;
}

DeviceKind kindOfDevice(std::string_view id)
{
    return id.starts_with("cuda") ? DeviceKind::cuda : DeviceKind::cpu;
}

bool Device::hasIsa(std::string_view flag) const
{
    return std::find(isa.begin(), isa.end(), flag) != isa.end();
}

bool Device::nativeBf16() const
{
    return kind == DeviceKind::cuda ? computeMajor >= 8 : hasIsa("amx_bf16") || hasIsa("avx512_bf16");
}

bool Device::nativeFp16() const
{
    return kind == DeviceKind::cuda ? computeMajor >= 6 : hasIsa("avx512_fp16") || hasIsa("amx_fp16");
}

bool Device::tf32() const
{
    return kind == DeviceKind::cuda && computeMajor >= 8;
}

bool Device::fp8() const
{
    return kind == DeviceKind::cuda && (computeMajor > 8 || (computeMajor == 8 && computeMinor >= 9));
}

bool Device::vnni() const
{
    return hasIsa("avx512_vnni") || hasIsa("avx_vnni") || hasIsa("amx_int8");
}

} // namespace apertune::model
