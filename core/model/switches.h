// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/model/device.h"
#include "core/model/precision.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::model {

/// Switches by name, on or off. The map is ordered, so that equal sets have equal text and hashes.
using SwitchMap = std::map<std::string, bool>;

/// The arguments that a switch adds to the exporter's `compile` command, by its state.
struct CompileArguments
{
    std::vector<std::string> on{};
    std::vector<std::string> off{};

    bool operator==(const CompileArguments&) const = default;
};

/// Another switch, which a switch needs or excludes.
struct SwitchRelation
{
    std::string other{};    ///< name of the other switch; empty: none
    base::Message reason{}; ///< why the two are in conflict; empty: a sentence that names both
};

/// The declaration of one switch: everything that core knows about it. A backend applies the switch and reads it back.
struct SwitchInfo
{
    std::string name;                                             ///< "freeze"
    std::string summary;                                          ///< one line for help and tool tips
    bool (DeviceType::*devices)() const = nullptr;                ///< the devices that know it; null: all
    bool (*level)(OptLevel level, Precision precision) = nullptr; ///< whether a level turns it on; null: no level does
    CompileArguments compile{}; ///< arguments for compiling, which are part of the package's key; empty: no effect
    SwitchRelation needs{};     ///< the switch without which this one has no effect
    std::vector<SwitchRelation> excludes{}; ///< switches that cannot be on with it; one of two names the other
    bool inPrograms = true;                 ///< exported C++ programs have a constant for it (switchConstant())
    bool hashedWhenOff = false; ///< part of configHash() also while it is off; keep false for new switches, so that
                                ///< stored trials keep their identity

    bool knownOn(DeviceType device) const { return !devices || (device.*devices)(); }
};

/// Returns the name of a switch as a C++ constant: "kChannelsLast".
std::string switchConstant(std::string_view name);

/// Returns the entry of the catalogue with that name, or nullptr when there is none.
const SwitchInfo* findSwitch(std::string_view name);

/// The catalogue, in the order of help. `summary` of each entry says what the switch does.
const std::vector<SwitchInfo>& switchCatalogue();

/// Returns the switches of a level on a device, with an entry for every switch of the catalogue that the device knows.
/// tests/golden/model/levels_cpu.txt and levels_cuda.txt list them. tf32 is on exactly when the precision is tf32. A
/// level is fixed: it never adapts to a model.
SwitchMap expandLevel(OptLevel level, Precision precision, DeviceType device);

/// Returns the default precision of a level:
///   O0      fp32
///   O1      tf32 on a GPU that has it, else fp32
///   O2, O3  fp16 on a GPU, bf16 on a CPU with native bf16, else fp32
Precision defaultPrecision(OptLevel level, const Device& device);

} // namespace apertune::model
