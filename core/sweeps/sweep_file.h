// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::sweeps {

/// Value of the key `schema` of a sweep file. The key may be left out.
inline constexpr const char* kSchema = "apertune.sweep/1";

/// Key of the model, which is an argument of `apertune tune` and no option.
inline constexpr const char* kModelKey = "model";

/// Key of the switches, whose value is a map.
inline constexpr const char* kSwitchKey = "switch";

/// A key of a sweep file with its value. The key is kModelKey or the long name of an option of `apertune tune` without
/// its dashes: "batches". core/report/schema.md describes the file.
struct SweepEntry
{
    enum class Form {
        text, ///< one text or number
        flag, ///< true or false
        list, ///< several texts
        map,  ///< names with values
    };
    std::string key;
    Form form = Form::text;
    /// text and flag: one; list: one or more; map: "NAME=on,off", one or more.
    std::vector<std::string> values{};
    int line = 0; ///< where it stands in the file; 0: nowhere
};

/// Reads the keys of a YAML or JSON text, in the order of the text. It does not know which keys there are, only that
/// none is there twice.
/// Failures: those of readYaml(), and invalidArgument with the line.
base::Result<std::vector<SweepEntry>> readSweep(std::string_view text);

/// Reads the keys of a file. A longer file than readYaml() takes is not read to its end.
/// Failures: those of readSweep(), with the file as context; notFound, io.
base::Result<std::vector<SweepEntry>> readSweepFile(const std::filesystem::path& file);

/// Write the entries as readSweep() reads them, with `schema` as the first key.
std::string sweepYaml(const std::vector<SweepEntry>& entries);
std::string sweepJson(const std::vector<SweepEntry>& entries);

/// The words of the command line that say the same, each unquoted: "resnet50", "--batches", "1,8". Flags that are false
/// have none.
std::vector<std::string> commandWords(const std::vector<SweepEntry>& entries);

} // namespace apertune::sweeps
