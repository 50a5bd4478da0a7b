// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/compiler_check.h"

#include "core/base/text.h"
#include "core/worker/installation.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace apertune::probe {

namespace {

bool isOnPath(const std::string& program)
{
    if (program.find('/') != std::string::npos)
        return ::access(program.c_str(), X_OK) == 0;
    const char* path = std::getenv("PATH");
    for (const std::string& folder : base::splitList(path ? path : "/usr/bin:/bin", ':'))
        if (::access((folder + "/" + program).c_str(), X_OK) == 0)
            return true;
    return false;
}

base::Error missing(const std::string& what, const std::string& hint)
{
    return {base::ErrorCode::unsupported, what, {}, hint};
}

} // namespace

base::Status canExportHere(const worker::Installation& installation)
{
    if (installation.python.empty())
        return missing(
            "There is no Python with PyTorch on this machine.",
            "Name one that has torch 2.11 and torchvision (pip install torch==2.11.0 torchvision==0.26.0) in "
            "APERTUNE_PYTHON.");
    if (!isOnPath(installation.python.string()))
        return missing("The Python interpreter " + installation.python.string() + " cannot be run.",
                       "Name another in APERTUNE_PYTHON.");
    std::error_code ignored;
    if (!std::filesystem::is_directory(installation.exporter / "apertune_exporter", ignored))
        return missing("The exporter is missing from this installation (" + installation.exporter.string() + ").",
                       "Install Apertune again.");
    return {};
}

base::Status canBuildHere()
{
    const std::string hint = "Install them: sudo apt-get install cmake make g++";
    if (!isOnPath("cmake"))
        return missing("There is no cmake on this machine, which builds C++ programs.", hint);
    if (!isOnPath("make") && !isOnPath("ninja"))
        return missing("There is neither make nor ninja on this machine, which build C++ programs.", hint);
    const char* chosen = std::getenv("CXX");
    const std::vector<std::string> compilers = chosen && *chosen ? std::vector{base::splitList(chosen, ' ').front()}
                                                                 : std::vector<std::string>{"c++", "g++", "clang++"};
    if (std::none_of(compilers.begin(), compilers.end(), isOnPath))
        return missing("There is no C++ compiler (" + compilers.front() + ") on this machine.", hint);
    return {};
}

base::Status canCompileHere(const worker::Installation& installation)
{
    if (auto status = canExportHere(installation); !status)
        return status;
    const char* chosen = std::getenv("CXX");
    const std::string compiler = chosen && *chosen ? chosen : "g++";
    if (!isOnPath(base::splitList(compiler, ' ').front()))
        return missing("There is no C++ compiler (" + compiler + "), which ahead-of-time compilation needs.",
                       "Install one: sudo apt-get install g++");
    return {};
}

} // namespace apertune::probe
