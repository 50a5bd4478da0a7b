// SPDX-License-Identifier: GPL-3.0-or-later
// The inspection of zip archives (TorchScript files, weights) before a loader opens them.
#include "core/models/archive_check.h"
#include "core/sentences/sentences.h"
#include "tests/core/models/zip_writer.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>
#include <cstring>

namespace apertune::fuzz {

void examine(std::string_view input)
{
    const base::Message fault = models::archiveFault(input.size(), [&](std::uint64_t offset, std::span<char> bytes) {
        require(offset <= input.size() && bytes.size() <= input.size() - offset, "no byte beyond the file is read");
        std::memcpy(bytes.data(), input.data() + offset, bytes.size());
        return true;
    });
    const std::string why = fault.empty() ? std::string() : sentences::sentence(fault);
    require(fault.empty() == why.empty(), "an archive is refused with a sentence");
    require(std::ranges::none_of(why, [](char c) { return static_cast<unsigned char>(c) < 0x20; }),
            "a name of a member steers no terminal");
}

std::vector<std::string> seeds()
{
    using models::testing::zipOf;
    return {zipOf({{"net/code/model.py", "def forward(self): pass"}, {"net/data.pkl", "data"}}),
            zipOf({{"net/data/0", "weights"}}, true),
            zipOf({{"../x", "x"}, {"a\x1b[2J", "y"}}),
            zipOf({{"net/link", "/etc/passwd", 0, 0120777}}),
            zipOf({{"net/bomb", "z", 1U << 30}}),
            zipOf({}),
            "no archive"};
}

} // namespace apertune::fuzz
