// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/files/recording_name.h"

#include <string_view>

namespace apertune::interchange::files {

std::string recordingName(const std::filesystem::path& file)
{
    std::string name = file.filename().string();
    for (const std::string_view ending : {".gz", ".zst", ".json", ".pftrace", ".perfetto-trace", ".trace", ".pt"})
        if (name.size() > ending.size() && name.ends_with(ending))
            name.resize(name.size() - ending.size());
    return name;
}

} // namespace apertune::interchange::files
