// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::sweeps::errors {

using base::MessageKind;

// Messages: each states the failure and its cause.
inline constexpr MessageKind kTooLarge{"sweeps.too_large", {"limit"}};
inline constexpr MessageKind kNotYaml{"sweeps.not_yaml", {"line", "why"}};
inline constexpr MessageKind kNoMapping{"sweeps.no_mapping"};
inline constexpr MessageKind kSecondDocument{"sweeps.second_document", {"line"}};
inline constexpr MessageKind kTooDeep{"sweeps.too_deep", {"line"}};
inline constexpr MessageKind kAnchor{"sweeps.anchor", {"line"}};
inline constexpr MessageKind kTag{"sweeps.tag", {"line"}};
inline constexpr MessageKind kNoKey{"sweeps.no_key", {"line"}};
inline constexpr MessageKind kTwice{"sweeps.twice", {"line", "key"}};
inline constexpr MessageKind kNoValue{"sweeps.no_value", {"line", "key"}};
inline constexpr MessageKind kNoText{"sweeps.no_text", {"line", "key"}};
inline constexpr MessageKind kControlCharacter{"sweeps.control_character", {"line"}};
inline constexpr MessageKind kOtherSchema{"sweeps.other_schema", {"line", "schema"}};

// Hints: each states the remedy.
inline constexpr MessageKind kKeepOne{"sweeps.keep_one"};
inline constexpr MessageKind kWriteValues{"sweeps.write_values"};
inline constexpr MessageKind kLeaveKeyOut{"sweeps.leave_key_out"};
inline constexpr MessageKind kSweepOfExport{"sweeps.sweep_of_export"};
inline constexpr MessageKind kNewerApertune{"sweeps.newer_apertune"};

inline constexpr std::array kAll{
    kTooLarge,    kNotYaml, kNoMapping,   kSecondDocument, kTooDeep,       kAnchor,
    kTag,         kNoKey,   kTwice,       kNoValue,        kNoText,        kControlCharacter,
    kOtherSchema, kKeepOne, kWriteValues, kLeaveKeyOut,    kSweepOfExport, kNewerApertune};

} // namespace apertune::sweeps::errors
