// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/sample.h"

#include "core/base/files.h"
#include "core/store/store.h"

namespace apertune::store {

std::filesystem::path sampleWorkspace()
{
    return base::installPrefix() / "share" / "apertune" / "sample" / "sample.apertune";
}

base::Status copySample(const std::filesystem::path& target)
{
    const auto sample = Store::open(sampleWorkspace(), OpenMode::readOnly);
    if (!sample)
        return sample.error();
    std::error_code ignored; // the copy says why it cannot be written
    std::filesystem::create_directories(std::filesystem::absolute(target).parent_path(), ignored);
    return sample->saveCopy(target);
}

} // namespace apertune::store
