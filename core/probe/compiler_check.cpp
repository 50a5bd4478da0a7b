// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/compiler_check.h"

#include "core/base/program_file.h"
#include "core/base/text.h"
#include "core/probe/errors.h"
#include "core/worker/installation.h"

#include <algorithm>
#include <cstdlib>

namespace apertune::probe {

namespace {

bool isOnPath(const std::string& program)
{
    return !base::programFile(program).empty();
}

base::Error missing(base::Message message, base::Message hint)
{
    return {base::ErrorCode::unsupported, std::move(message), {}, std::move(hint)};
}

} // namespace

base::Status canExportHere(const worker::Installation& installation)
{
    if (installation.python.empty())
        return missing(base::message<errors::kNoPython>(), base::message<errors::kNameTorchPython>());
    if (!isOnPath(installation.python.string()))
        return missing(base::message<errors::kPythonDoesNotRun>(installation.python.string()),
                       base::message<errors::kNamePython>());
    std::error_code ignored;
    // An interpreter without the exporter cannot do any of its work.
    if (!std::filesystem::is_directory(installation.exporter / "apertune_exporter", ignored))
        return missing(base::message<errors::kNoExporter>(installation.exporter.string()),
                       base::message<errors::kInstallAgain>());
    return {};
}

base::Status canBuildHere()
{
    const base::Message hint = base::message<errors::kInstallBuildTools>();
    if (!isOnPath("cmake"))
        return missing(base::message<errors::kNoCmake>(), hint);
    if (!isOnPath("make") && !isOnPath("ninja"))
        return missing(base::message<errors::kNoMake>(), hint);
    const char* chosen = std::getenv("CXX");
    // CXX may contain arguments, so its first word is the program.
    const std::vector<std::string> compilers = chosen && *chosen ? std::vector{base::splitList(chosen, ' ').front()}
                                                                 : std::vector<std::string>{"c++", "g++", "clang++"};
    if (std::none_of(compilers.begin(), compilers.end(), isOnPath))
        return missing(base::message<errors::kNoCompiler>(compilers.front()), hint);
    return {};
}

base::Status canCompileHere(const worker::Installation& installation)
{
    if (auto status = canExportHere(installation); !status)
        return status;
    const char* chosen = std::getenv("CXX");
    // AOTInductor takes g++ unless CXX names another.
    const std::string compiler = chosen && *chosen ? chosen : "g++";
    if (!isOnPath(base::splitList(compiler, ' ').front()))
        return missing(base::message<errors::kNoCompilerToCompile>(compiler),
                       base::message<errors::kInstallCompiler>());
    return {};
}

} // namespace apertune::probe
