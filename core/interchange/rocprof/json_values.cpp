// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/rocprof/json_values.h"

#include "core/trace/import_options.h"

#include <algorithm>

namespace apertune::interchange::rocprof {

namespace dom = simdjson::dom;

std::optional<dom::element> member(dom::element of, std::initializer_list<std::string_view> keys)
{
    for (const std::string_view key : keys)
        if (of[key].get(of) != simdjson::SUCCESS)
            return std::nullopt;
    return of;
}

std::int64_t integer(dom::element of, std::initializer_list<std::string_view> keys, std::int64_t otherwise)
{
    const auto found = member(of, keys);
    std::int64_t value = 0;
    std::uint64_t large = 0;
    if (found && found->get(value) == simdjson::SUCCESS)
        return value;
    return found && found->get(large) == simdjson::SUCCESS ? static_cast<std::int64_t>(large) : otherwise;
}

int smallInteger(dom::element of, std::string_view key)
{
    return static_cast<int>(std::clamp<std::int64_t>(integer(of, {key}), 0, 0x7fffffff));
}

std::string_view text(dom::element of, std::initializer_list<std::string_view> keys)
{
    const auto found = member(of, keys);
    std::string_view value;
    return found && found->get(value) == simdjson::SUCCESS ? value : std::string_view();
}

std::vector<dom::element> list(dom::element of, std::initializer_list<std::string_view> keys)
{
    const auto found = member(of, keys);
    dom::array values;
    if (!found || found->get(values) != simdjson::SUCCESS)
        return {};
    return {values.begin(), values.end()};
}

trace::DeviceProperties propertiesOf(dom::element agent)
{
    trace::DeviceProperties d;
    const std::string_view product = text(agent, {"product_name"});
    d.name = product.empty() ? text(agent, {"name"}) : product;
    const int target = smallInteger(agent, "gfx_target_version"); // 90402: gfx942
    d.computeMajor = target / 10'000;
    d.computeMinor = target / 100 % 100;
    d.multiprocessors = smallInteger(agent, "cu_count");
    d.warpSize = std::max(1, std::min(smallInteger(agent, "wave_front_size"), 1024));
    d.maxThreadsPerBlock = smallInteger(agent, "workgroup_max_size");
    d.maxThreadsPerMultiprocessor = std::min(smallInteger(agent, "max_waves_per_cu"), 1024) * d.warpSize;
    d.sharedBytesPerBlock = std::int64_t{1024} * smallInteger(agent, "lds_size_in_kb");
    d.sharedBytesPerMultiprocessor = d.sharedBytesPerBlock;
    for (const dom::element bank : list(agent, {"mem_banks"}))
        d.totalMemory =
            std::min(d.totalMemory + std::clamp<std::int64_t>(integer(bank, {"size_in_bytes"}), 0, trace::kMostBytes),
                     trace::kMostBytes);
    return d;
}

} // namespace apertune::interchange::rocprof
