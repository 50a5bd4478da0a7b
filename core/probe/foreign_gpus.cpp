// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/foreign_gpus.h"

#include "core/probe/reasons.h"
#include "core/probe/system_files.h"

#include <algorithm>
#include <array>

namespace apertune::probe {

namespace fs = std::filesystem;

namespace {

/// A vendor by its number on the PCI bus.
struct PciVendor
{
    const char* number;
    model::Vendor vendor;
    const base::MessageKind* what;
};

constexpr std::array kVendors{PciVendor{"0x1002", model::Vendor::amd, &reasons::kAmdGpu},
                              PciVendor{"0x8086", model::Vendor::intel, &reasons::kIntelGpu}};

} // namespace

std::vector<base::Message> foreignGpus(const fs::path& root, const std::vector<model::Device>& devices)
{
    std::vector<std::string> present;
    std::error_code failed;
    for (fs::directory_iterator it(root / "sys/class/drm", failed), end; !failed && it != end; it.increment(failed))
        present.push_back(readText(it->path() / "device/vendor"));
    std::vector<base::Message> found;
    for (const PciVendor& known : kVendors) {
        const bool opened = std::any_of(devices.begin(), devices.end(), [&](const model::Device& device) {
            return device.type == model::DeviceType{model::DeviceKind::gpu, known.vendor};
        });
        if (!opened && std::find(present.begin(), present.end(), known.number) != present.end())
            found.push_back(base::message(*known.what));
    }
    return found;
}

} // namespace apertune::probe
