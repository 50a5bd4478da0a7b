// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/added_engines.h"

#include "core/base/files.h"

#include <algorithm>
#include <system_error>

namespace apertune::worker {

namespace fs = std::filesystem;

fs::path addedEnginesFolder()
{
    return base::userDataDir() / "engines";
}

fs::path addedEngineFolder(const std::string& backend)
{
    return addedEnginesFolder() / backend;
}

std::vector<fs::path> addedEnginePackages()
{
    std::vector<fs::path> found;
    std::error_code code;
    for (fs::directory_iterator it(addedEnginesFolder(), code), end; !code && it != end; it.increment(code))
        // A folder without its record is one that is being filled.
        if (fs::exists(it->path() / kEngineRecord))
            found.push_back(it->path() / kSitePackages);
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace apertune::worker
