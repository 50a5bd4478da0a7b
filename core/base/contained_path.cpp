// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/contained_path.h"

#include "core/base/errors.h"

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
    return Error{ErrorCode::corrupt,
                 message<errors::kOutsideItsModel>(file.string(), target.string()),
                 {},
                 message<errors::kCopyIntoFolder>()};
}

} // namespace apertune::base
