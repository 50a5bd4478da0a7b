// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enum_words.h"

#include <string_view>

namespace apertune::exports {

/// The kinds of an exported folder.
enum class ExportTarget {
    json,   ///< the configuration alone
    cpp,    ///< a C++ program
    python, ///< a Python program
    server, ///< the Python program with an HTTP server
    triton, ///< the Python program with a model repository for NVIDIA Triton
};

/// The targets and their words, in the order of help.
inline constexpr base::EnumWords<ExportTarget, 5> kExportTargets{{{ExportTarget::python, "python"},
                                                                  {ExportTarget::cpp, "cpp"},
                                                                  {ExportTarget::json, "json"},
                                                                  {ExportTarget::server, "server"},
                                                                  {ExportTarget::triton, "triton"}}};

constexpr std::string_view toString(ExportTarget target)
{
    return base::wordOf(kExportTargets, target);
}

/// Returns whether an export to this target holds the Python program (run.py).
constexpr bool hasPythonProgram(ExportTarget target)
{
    return target != ExportTarget::json && target != ExportTarget::cpp;
}

/// Returns whether an export to this target answers the requests of clients.
constexpr bool servesRequests(ExportTarget target)
{
    return target == ExportTarget::server || target == ExportTarget::triton;
}

} // namespace apertune::exports
