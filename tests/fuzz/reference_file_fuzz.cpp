// SPDX-License-Identifier: GPL-3.0-or-later
// Outputs that a worker keeps for others to compare with, app/worker/reference_file.h.
#include "app/worker/reference_file.h"
#include "tests/app/worker/tensors.h"
#include "tests/fuzz/fuzz.h"

namespace apertune::fuzz {

using worker::KeptSet;
using worker::KeptTensor;

namespace {

constexpr std::uint32_t kMostSets = 100;

std::filesystem::path written(const std::vector<KeptSet>& sets)
{
    std::filesystem::path file = scratchFolder() / "reference";
    worker::ReferenceWriter writer(file);
    for (const KeptSet& set : sets)
        writer.addSet(worker::testing::handedOver(set));
    require(writer.finish().ok(), "outputs can be kept");
    return file;
}

/// The readable sets of a file, and whether they are all of them.
std::pair<std::vector<KeptSet>, bool> readAll(const std::filesystem::path& file)
{
    std::vector<KeptSet> sets;
    auto reader = worker::ReferenceReader::open(file);
    if (!valueOf(reader))
        return {std::move(sets), false};
    for (std::uint32_t i = 0; i < std::min(reader->sets(), kMostSets); ++i) {
        auto set = reader->next();
        if (!valueOf(set))
            return {std::move(sets), false};
        sets.push_back(std::move(*set));
    }
    return {std::move(sets), reader->sets() <= kMostSets};
}

bool sameBytes(const std::vector<float>& a, const std::vector<float>& b)
{
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

} // namespace

void examine(std::string_view input)
{
    const MemoryFile file(input);
    const auto [sets, whole] = readAll(file.path());
    for (const KeptSet& set : sets)
        for (const KeptTensor& tensor : set) {
            const auto count = static_cast<std::size_t>(worker::elementCount(tensor.shape));
            require(tensor.floats.size() + tensor.integers.size() == count, "a tensor has the values of its shape");
        }
    if (!whole)
        return;
    const auto [again, all] = readAll(written(sets));
    require(all && again.size() == sets.size(), "what was written can be read");
    for (std::size_t s = 0; s < sets.size(); ++s) {
        require(again[s].size() == sets[s].size(), "each tensor comes back");
        for (std::size_t t = 0; t < sets[s].size(); ++t) {
            const KeptTensor& a = sets[s][t];
            const KeptTensor& b = again[s][t];
            require(a.name.c_str() == std::string_view(b.name) && a.dtype == b.dtype && a.shape == b.shape &&
                        sameBytes(a.floats, b.floats) && a.integers == b.integers,
                    "a tensor comes back");
        }
    }
}

std::vector<std::string> seeds()
{
    using worker::testing::floats;
    using worker::testing::integers;
    return {contentOf(written({{floats("scores", {2, 2}, {1, 2, 3, 4}), integers("labels", {2}, {7, -8})},
                               {floats("", {}, {0.5F}), floats("none", {0, 4}, {})}})),
            contentOf(written({}))};
}

} // namespace apertune::fuzz
