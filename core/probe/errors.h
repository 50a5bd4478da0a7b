// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::probe::errors {

using base::MessageKind;

// Statements of what happened, and why.
inline constexpr MessageKind kNoPython{"probe.no_python"};
inline constexpr MessageKind kPythonDoesNotRun{"probe.python_does_not_run", {"python"}};
inline constexpr MessageKind kNoExporter{"probe.no_exporter", {"folder"}};
inline constexpr MessageKind kNoCmake{"probe.no_cmake"};
inline constexpr MessageKind kNoMake{"probe.no_make"};
inline constexpr MessageKind kNoCompiler{"probe.no_compiler", {"compiler"}};
inline constexpr MessageKind kNoCompilerToCompile{"probe.no_compiler_to_compile", {"compiler"}};

// Hints on what to do.
inline constexpr MessageKind kNameTorchPython{"probe.name_torch_python"};
inline constexpr MessageKind kNamePython{"probe.name_python"};
inline constexpr MessageKind kInstallAgain{"probe.install_again"};
inline constexpr MessageKind kInstallBuildTools{"probe.install_build_tools"};
inline constexpr MessageKind kInstallCompiler{"probe.install_compiler"};

inline constexpr std::array kAll{kNoPython,   kPythonDoesNotRun, kNoExporter,          kNoCmake,
                                 kNoMake,     kNoCompiler,       kNoCompilerToCompile, kNameTorchPython,
                                 kNamePython, kInstallAgain,     kInstallBuildTools,   kInstallCompiler};

} // namespace apertune::probe::errors
