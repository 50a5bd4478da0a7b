// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/repaired_name.h"

#include <string>
#include <system_error>

namespace apertune::store {

std::filesystem::path repairedName(const std::filesystem::path& damaged)
{
    // Neither the damaged file nor an earlier repair is overwritten.
    for (int n = 1;; ++n) {
        const std::string suffix = n == 1 ? "-repaired" : "-repaired-" + std::to_string(n);
        const std::filesystem::path name =
            damaged.parent_path() / (damaged.stem().string() + suffix + damaged.extension().string());
        std::error_code code;
        if (!std::filesystem::exists(name, code))
            return name;
    }
}

} // namespace apertune::store
