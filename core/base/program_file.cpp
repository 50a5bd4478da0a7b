// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/program_file.h"

#include "core/base/text.h"

#include <unistd.h>

#include <cstdlib>

namespace apertune::base {

namespace fs = std::filesystem;

fs::path programFile(const std::string& name)
{
    const auto isProgram = [](const fs::path& file) {
        std::error_code ignored;
        return fs::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0;
    };
    if (name.find('/') != std::string::npos)
        return isProgram(name) ? fs::path(name) : fs::path();
    const char* const path = std::getenv("PATH");
    for (const std::string& folder : splitList(path ? path : "/usr/local/bin:/usr/bin:/bin", ':'))
        if (fs::path file = fs::path(folder) / name; isProgram(file))
            return file;
    return {};
}

} // namespace apertune::base
