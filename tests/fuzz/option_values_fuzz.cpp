// SPDX-License-Identifier: GPL-3.0-or-later
// Values of options of the command line.
#include "app/cli/values.h"
#include "core/base/text.h"
#include "core/model/device.h"
#include "core/model/study.h"
#include "core/workload/load/scenario.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>

namespace apertune::fuzz {

namespace {

void examineQuantities(const std::string& text)
{
    const auto duration = base::parseDuration("--budget", text);
    if (const base::Nanoseconds* const value = valueOf(duration)) {
        require(value->count >= 0, "no duration is negative");
        // A double represents every nanosecond exactly up to 2^53 ns, which is 104 days.
        if (value->count < std::int64_t{1} << 53)
            require(base::parseDuration(std::to_string(value->count) + "ns").value() == *value,
                    "a duration is read as it was written");
        require(!base::formatDuration(*value).empty(), "a duration has a text");
    }
    const auto bytes = base::parseBytes("--max-memory", text);
    if (const base::Bytes* const value = valueOf(bytes)) {
        require(value->count >= 0, "no size is negative");
        if (value->count < std::int64_t{1} << 53)
            require(base::parseBytes(std::to_string(value->count) + "B").value() == *value,
                    "a size is read as it was written");
        require(!base::formatBytes(*value).empty(), "a size has a text");
    }
    const auto share = base::parseShare("--min-quality", text);
    if (const double* const value = valueOf(share))
        require(*value >= 0 && *value <= 1, "a share is a part of 1");
    const auto target = model::targetFromText("--target", text);
    if (const double* const value = valueOf(target))
        require(*value > 0 && *value <= 1, "a target is a part of 1");
    const auto percentile = workload::parsePercentile("--percentile", text);
    if (const double* const value = valueOf(percentile))
        require(*value >= 0 && *value <= 1, "a percentile is a part of 1");
}

void examineLists(const std::string& text)
{
    for (const auto read : {cli::parseBatches, cli::parseThreads, cli::parseImageSizes}) {
        const auto list = read(text);
        if (const std::vector<int>* const values = valueOf(list)) {
            require(!values->empty(), "a list has a value");
            std::vector<std::string> words;
            for (const int value : *values)
                words.push_back(std::to_string(value));
            if (base::lower(text) != "auto")
                require(read(base::join(words, ",")).value() == *values, "a list is read as it was written");
        }
    }
    const auto levels = cli::parseLevels(text);
    if (const auto* const values = valueOf(levels))
        require(!values->empty(), "a list has a level");
    const auto precisions = cli::parsePrecisions(text);
    if (const auto* const values = valueOf(precisions))
        require(!values->empty(), "a list has a precision");
    const auto devices = cli::parseDevices(text);
    if (const auto* const values = valueOf(devices))
        for (const std::string& device : *values)
            require(device == "all" || model::isDeviceId(device), "a list names devices");
    const auto switches = cli::parseSwitches({text});
    if (const auto* const axes = valueOf(switches))
        require(axes->size() == 1 && !axes->begin()->second.empty(), "a switch has a value");
    const std::vector<std::string> parts = base::splitList(text);
    require(base::splitList(base::join(parts, ",")) == parts, "a list comes back");
}

} // namespace

void examine(std::string_view input)
{
    const std::string text(input);
    examineQuantities(text);
    examineLists(text);
    if (input.size() > 64)
        return; // longer ones are no typing errors, and take their square of time
    const std::vector<std::string> words{"libtorch", "channels_last", "O1"};
    const std::string nearest = base::closestMatch(text, words);
    require(nearest.empty() || std::ranges::find(words, nearest) != words.end(), "the nearest word is one of them");
}

std::vector<std::string> seeds()
{
    return {"20ms",
            "1.5s",
            "2m",
            "1h",
            "0",
            "4GiB",
            "500MB",
            "17B",
            "3%",
            "0.03",
            "quick",
            "99.9",
            "p99",
            "1,2, 4",
            "auto",
            "O0,O3",
            "fp32,bf16",
            "cuda:0,cpu",
            "freeze=on,off",
            "1e300s",
            "-1ms",
            "nan%",
            "99999999999,1"};
}

} // namespace apertune::fuzz
