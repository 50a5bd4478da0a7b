// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/contained_path.h"

namespace apertune::base {

namespace fs = std::filesystem;

Status requireWithin(const fs::path& folder, const fs::path& file)
{
    std::error_code code;
    const fs::path root = fs::weakly_canonical(folder, code);
    std::error_code unresolved;
    const fs::path target = fs::weakly_canonical(file, unresolved);
    const fs::path inner = target.lexically_relative(root);
    if (!code && !unresolved && !inner.empty() && *inner.begin() != ".." && inner != ".")
        return {};
    return Error{ErrorCode::corrupt, "The file " + file.string() + " lies outside the folder of its model.",
                 "it leads to " + target.string(), "Put a copy of the file into the folder in place of the link."};
}

} // namespace apertune::base
