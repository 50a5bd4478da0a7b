// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/contained_path.h"

#include "core/base/errors.h"

namespace apertune::base {

namespace fs = std::filesystem;

bool isWithin(const fs::path& folder, const fs::path& path)
{
    // A path that has no relation to the folder, such as a relative one to an absolute folder, gives an empty path.
    const fs::path inner = path.lexically_relative(folder);
    return !inner.empty() && *inner.begin() != "..";
}

Status requireWithin(const fs::path& folder, const fs::path& file)
{
    std::error_code code;
    const fs::path root = fs::weakly_canonical(folder, code);
    std::error_code unresolved;
    const fs::path target = fs::weakly_canonical(file, unresolved);
    if (!code && !unresolved && isWithin(root, target) && target != root)
        return {};
    return Error{ErrorCode::corrupt,
                 message<errors::kOutsideItsModel>(file.string(), target.string()),
                 {},
                 message<errors::kCopyIntoFolder>()};
}

} // namespace apertune::base
