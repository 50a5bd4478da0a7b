// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/values.h"

#include "core/base/text.h"
#include "core/model/device.h"
#include "core/probe/cpu_probe.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace apertune::cli {

using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

Error bad(const std::string& option, const std::string& text, const std::string& what, const std::string& hint)
{
    return base::plainError(ErrorCode::invalidArgument, option + ": \"" + text + "\" is not " + what + ".", {}, hint);
}

/// Parses one of a few words. The error for a typing error names the nearest word.
Error unknownWord(const std::string& option, const std::string& word, const std::string& what,
                  const std::vector<std::string>& known)
{
    const std::string nearest = base::closestMatch(word, known);
    return bad(option, word, what,
               (nearest.empty() ? std::string() : "Did you mean " + nearest + "? ") + "Known: " + base::join(known) +
                   ".");
}

/// Splits "1,2,4". An empty part, as in "1,,4", is a typing error. `example` is a value that is right.
Result<std::vector<std::string>> parts(const std::string& option, const std::string& text, const std::string& what,
                                       const std::string& example)
{
    std::vector<std::string> list = base::splitList(text);
    if (list.size() != static_cast<std::size_t>(std::count(text.begin(), text.end(), ',')) + 1)
        return bad(option, text, what, "Use for example " + option + " " + example + ".");
    return list;
}

/// Parses words in any case.
template <typename T, std::size_t N>
Result<std::vector<T>> parseWords(const std::string& option, const std::string& text, const std::string& what,
                                  const std::array<T, N>& all)
{
    std::vector<std::string> known;
    for (const T value : all)
        known.emplace_back(toString(value));
    const auto list = parts(option, text, "a list", known.front() + "," + known.back());
    if (!list)
        return list.error();
    std::vector<T> values;
    for (const std::string& word : *list) {
        const auto found = std::find_if(
            all.begin(), all.end(), [&](const T value) { return base::lower(toString(value)) == base::lower(word); });
        if (found == all.end())
            return unknownWord(option, word, what, known);
        values.push_back(*found);
    }
    return values;
}

} // namespace

Result<std::vector<model::OptLevel>> parseLevels(const std::string& text)
{
    return parseWords("--levels", text, "a level", model::kAllLevels);
}

Result<std::vector<model::Precision>> parsePrecisions(const std::string& text)
{
    return parseWords("--precisions", text, "a precision", model::kAllPrecisions);
}

Result<std::vector<int>> parseCounts(const std::string& option, const std::string& text, const std::string& example,
                                     int least)
{
    const auto list = parts(option, text, "a list of numbers", example);
    if (!list)
        return list.error();
    std::vector<int> values;
    for (const std::string& word : *list) {
        int value = 0;
        const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (code != std::errc() || end != word.data() + word.size() || value < least)
            return bad(option, word, "a number of " + std::to_string(least) + " or more",
                       "Use for example " + option + " " + example + ".");
        values.push_back(value);
    }
    return values;
}

Result<std::vector<int>> parseBatches(const std::string& text)
{
    if (base::lower(text) == "auto")
        return std::vector<int>{model::SearchSpace::kAutoBatch};
    return parseCounts("--batches", text, "1,2,4 or --batches auto");
}

Result<std::vector<int>> parseThreads(const std::string& text)
{
    auto threads = parseCounts("--threads", text, "1,2");
    const int most = static_cast<int>(probe::allowedProcessors().size());
    if (threads && *std::max_element(threads->begin(), threads->end()) > most)
        return base::plainError(ErrorCode::invalidArgument,
                                "--threads: this program may use " + base::counted(most, "processor") + " here, not " +
                                    std::to_string(*std::max_element(threads->begin(), threads->end())) + ".",
                                {}, "Use numbers up to " + std::to_string(most) + ".");
    return threads;
}

Result<std::vector<int>> parseImageSizes(const std::string& text)
{
    return parseCounts("--image-sizes", text, "160,224,288");
}

Result<std::vector<std::string>> parseDevices(const std::string& text)
{
    auto devices = parts("--devices", base::lower(text), "a list of devices", "cpu or --devices all");
    if (!devices)
        return devices.error();
    for (const std::string& device : *devices)
        if (device != "all" && !model::isDeviceId(device))
            return unknownWord("--devices", device, "a device", {"all", "cpu", "cuda:0", "xpu:0", "npu:0"});
    return devices;
}

Result<std::map<std::string, std::vector<bool>>> parseSwitches(const std::vector<std::string>& texts)
{
    // The engines know the names of switches, and planGrid() reports unknown ones.
    std::map<std::string, std::vector<bool>> axes;
    for (const std::string& text : texts) {
        const auto equals = text.find('=');
        const std::string name = text.substr(0, equals);
        if (axes.contains(name))
            return bad("--switch", text, "allowed: " + name + " was given before",
                       "Give both values at once: --switch " + name + "=on,off.");
        std::vector<bool>& values = axes[name];
        for (const std::string& word :
             base::splitList(equals == std::string::npos ? std::string() : base::lower(text.substr(equals + 1)))) {
            if (word != "on" && word != "off")
                return bad("--switch", text, "of the form NAME=on,off", "Use for example --switch freeze=on,off.");
            values.push_back(word == "on");
        }
        if (values.empty())
            return bad("--switch", text, "of the form NAME=on,off", "Use for example --switch freeze=on,off.");
    }
    return axes;
}

Result<std::vector<model::Variant>> parseVariants(const std::vector<std::string>& texts)
{
    std::vector<model::Variant> variants;
    for (const std::string& text : texts) {
        const auto equals = text.find('=');
        const std::string name = text.substr(0, equals);
        const auto& kinds = model::variantKinds();
        const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                       [&](const model::VariantKind& known) { return known.name == name; });
        if (kind == kinds.end()) {
            std::vector<std::string> names;
            for (const model::VariantKind& known : kinds)
                names.emplace_back(known.name);
            return unknownWord("--variant", name, "a kind of variant", names);
        }
        const std::string example = name + "=" + std::string(kind->example);
        const auto values = parts("--variant", equals == std::string::npos ? std::string() : text.substr(equals + 1),
                                  "a list of values", example);
        if (!values)
            return values.error();
        for (const std::string& value : *values) {
            if (!kind->takes(value))
                return bad("--variant", text, "of the form " + name + "=VALUE,VALUE",
                           "Use for example --variant " + example + ".");
            if (const model::Variant variant{name, value};
                std::find(variants.begin(), variants.end(), variant) == variants.end())
                variants.push_back(variant);
        }
    }
    return variants;
}

} // namespace apertune::cli
