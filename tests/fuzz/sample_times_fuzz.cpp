// SPDX-License-Identifier: GPL-3.0-or-later
// Times of single passes as a workspace keeps them, core/store/sample_codec.h.
#include "core/store/sample_codec.h"
#include "tests/fuzz/fuzz.h"

namespace apertune::fuzz {

void examine(std::string_view bytes)
{
    Input input(bytes);
    const std::int64_t count = input.take<std::int16_t>();
    const auto decoded = store::decodeTimes(input.rest(), count);
    if (const auto* const times = valueOf(decoded)) {
        require(static_cast<std::int64_t>(times->size()) == count, "as many times are read as were asked for");
        const auto again = store::decodeTimes(store::encodeTimes(*times), count);
        require(again.ok() && *again == *times, "times come back");
    }
    std::vector<base::Nanoseconds> times;
    for (Input numbers(bytes); !numbers.atEnd();)
        times.push_back({numbers.take<std::int64_t>()});
    const auto again = store::decodeTimes(store::encodeTimes(times), static_cast<std::int64_t>(times.size()));
    require(again.ok() && *again == times, "any times come back");
}

std::vector<std::string> seeds()
{
    const std::vector<base::Nanoseconds> times{{21'000'000}, {21'100'000}, {20'950'000}, {-5}, {1}};
    return {bytesOf(static_cast<std::int16_t>(times.size())) + store::encodeTimes(times), bytesOf(std::int16_t{0})};
}

} // namespace apertune::fuzz
