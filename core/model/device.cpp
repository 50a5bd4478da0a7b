// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/device.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace apertune::model {

namespace {

/// Every type of device with the word of its ids, which is PyTorch's name where PyTorch has one.
struct DeviceWord
{
    std::string_view word;
    DeviceType type;
};
constexpr std::array<DeviceWord, 8> kDeviceWords{{
    {"cpu", DeviceType::cpu()},
    {"cuda", DeviceType::nvidiaGpu()},
    {"rocm", {DeviceKind::gpu, Vendor::amd}},
    {"xpu", {DeviceKind::gpu, Vendor::intel}},
    {"mps", {DeviceKind::gpu, Vendor::apple}},
    {"npu", {DeviceKind::npu, Vendor::intel}},
    {"qnn", {DeviceKind::npu, Vendor::unknown}}, // an NPU of Qualcomm, by the name of its runtime
    {"gpu", {DeviceKind::gpu, Vendor::unknown}}, // one of any vendor, as DirectML and browsers show it
}};

const DeviceWord* deviceWordOf(std::string_view id)
{
    const std::string_view word = id.substr(0, id.find(':'));
    const auto found = std::find_if(kDeviceWords.begin(), kDeviceWords.end(),
                                    [&](const DeviceWord& entry) { return entry.word == word; });
    return found == kDeviceWords.end() ? nullptr : &*found;
}

} // namespace

std::string_view toString(DeviceKind kind)
{
    switch (kind) {
    case DeviceKind::gpu:
        return "gpu";
    case DeviceKind::npu:
        return "npu";
    case DeviceKind::cpu:
        break;
    }
    return "cpu";
}

std::optional<DeviceKind> deviceKindFromString(std::string_view text)
{
    for (const DeviceKind kind : {DeviceKind::cpu, DeviceKind::gpu, DeviceKind::npu})
        if (text == toString(kind))
            return kind;
    return std::nullopt;
}

std::string_view toString(Vendor vendor)
{
    switch (vendor) {
    case Vendor::amd:
        return "amd";
    case Vendor::apple:
        return "apple";
    case Vendor::intel:
        return "intel";
    case Vendor::nvidia:
        return "nvidia";
    case Vendor::unknown:
        break;
    }
    return "";
}

std::optional<Vendor> vendorFromString(std::string_view text)
{
    for (const Vendor vendor : {Vendor::unknown, Vendor::amd, Vendor::apple, Vendor::intel, Vendor::nvidia})
        if (text == toString(vendor))
            return vendor;
    return std::nullopt;
}

std::string_view toString(DeviceType type)
{
    const auto found = std::find_if(kDeviceWords.begin(), kDeviceWords.end(),
                                    [&](const DeviceWord& entry) { return entry.type == type; });
    return found == kDeviceWords.end() ? toString(type.kind) : found->word;
}

DeviceType typeOfDevice(std::string_view id)
{
    const DeviceWord* entry = deviceWordOf(id);
    return entry ? entry->type : DeviceType::cpu();
}

bool isDeviceId(std::string_view id)
{
    const DeviceWord* entry = deviceWordOf(id);
    if (!entry || entry->type.isCpu())
        return id == toString(DeviceType::cpu());
    const std::string_view number = id.substr(std::min(id.size(), entry->word.size() + 1));
    return !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
}

const std::string* engineVersion(const Environment& environment, std::string_view engine)
{
    for (const auto& [name, version] : environment.engines)
        if (name == engine)
            return &version;
    return nullptr;
}

bool waitsPassively(const Environment& environment)
{
    return std::any_of(environment.settings.begin(), environment.settings.end(), [](const auto& setting) {
        return setting.first == kWaitPolicy && base::lower(setting.second) == kPassiveWaits;
    });
}

bool Device::hasIsa(std::string_view flag) const
{
    return std::find(isa.begin(), isa.end(), flag) != isa.end();
}

bool Device::nativeBf16() const
{
    if (type.isNvidiaGpu())
        return computeMajor >= 8;
    return !type.isCpu() || hasIsa("amx_bf16") || hasIsa("avx512_bf16");
}

bool Device::nativeFp16() const
{
    if (type.isNvidiaGpu())
        return computeMajor >= 6;
    return !type.isCpu() || hasIsa("avx512_fp16") || hasIsa("amx_fp16");
}

bool Device::tf32() const
{
    return type.isNvidiaGpu() && computeMajor >= 8;
}

bool Device::fp8() const
{
    return type.isNvidiaGpu() && (computeMajor > 8 || (computeMajor == 8 && computeMinor >= 9));
}

bool Device::vnni() const
{
    return hasIsa("avx512_vnni") || hasIsa("avx_vnni") || hasIsa("amx_int8");
}

const Device* findDevice(const std::vector<Device>& devices, std::string_view id)
{
    for (const Device& device : devices)
        if (device.id == id)
            return &device;
    return nullptr;
}

} // namespace apertune::model
