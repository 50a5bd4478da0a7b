// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace apertune::model {

/// What a model does, which decides how its outputs are read and compared.
enum class TaskType : std::uint8_t {
    unknown, ///< nobody has said it yet, such as before a model is imported
    classification,
    segmentation,
    detection,
    other
};

/// Returns the word in documents: "classification", "segmentation", "detection", "other"; "" for unknown.
std::string_view toString(TaskType task);
/// Returns the task of a word; other for a word that none has.
TaskType taskTypeFromString(std::string_view text);

} // namespace apertune::model
