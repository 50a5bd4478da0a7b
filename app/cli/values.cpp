// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/values.h"

#include "core/base/text.h"
#include "core/model/device.h"

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

template <typename T, std::size_t N, typename Parse>
Result<std::vector<T>> parseWords(const std::string& option, const std::string& text, const std::string& what,
                                  const std::array<T, N>& all, Parse parse)
{
    std::vector<T> values;
    std::vector<std::string> known;
    for (const T value : all)
        known.emplace_back(toString(value));
    for (const std::string& word : base::splitList(text)) {
        const std::optional<T> value = parse(word);
        if (!value)
            return unknownWord(option, word, what, known);
        values.push_back(*value);
    }
    if (values.empty())
        return bad(option, text, "a list",
                   "Write for example " + option + " " + known.front() + "," + known.back() + ".");
    return values;
}

Result<std::vector<int>> parseCounts(const std::string& option, const std::string& text, const std::string& example)
{
    std::vector<int> values;
    for (const std::string& word : base::splitList(text)) {
        int value = 0;
        const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (code != std::errc() || end != word.data() + word.size() || value < 1)
            return bad(option, word, "a number from 1 up", "Write for example " + option + " " + example + ".");
        values.push_back(value);
    }
    if (values.empty())
        return bad(option, text, "a list of numbers", "Write for example " + option + " " + example + ".");
    return values;
}

} // namespace

Result<std::vector<model::OptLevel>> parseLevels(const std::string& text)
{
    return parseWords("--levels", text, "a level", model::kAllLevels, model::levelFromString);
}

Result<std::vector<model::Precision>> parsePrecisions(const std::string& text)
{
    return parseWords("--precisions", text, "a precision", model::kAllPrecisions, model::precisionFromString);
}

Result<std::vector<int>> parseBatches(const std::string& text)
{
    if (text == "auto")
        return std::vector<int>{model::SearchSpace::kAutoBatch};
    return parseCounts("--batches", text, "1,2,4 or --batches auto");
}

Result<std::vector<int>> parseThreads(const std::string& text)
{
    return parseCounts("--threads", text, "1,2");
}

Result<std::vector<int>> parseImageSizes(const std::string& text)
{
    return parseCounts("--image-sizes", text, "160,224,288");
}

Result<std::vector<std::string>> parseDevices(const std::string& text)
{
    std::vector<std::string> devices = base::splitList(text);
    for (const std::string& device : devices)
        if (device != "all" && !model::isDeviceId(device))
            return unknownWord("--devices", device, "a device", {"all", "cpu", "cuda:0", "xpu:0", "npu:0"});
    if (devices.empty())
        return bad("--devices", text, "a list of devices", "Write for example --devices cpu or --devices all.");
    return devices;
}

Result<std::map<std::string, std::vector<bool>>> parseSwitches(const std::vector<std::string>& texts)
{
    std::map<std::string, std::vector<bool>>
        axes; // the engines know the names of switches, and planGrid() reports unknown ones
    for (const std::string& text : texts) {
        const auto equals = text.find('=');
        const std::string name = text.substr(0, equals);
        if (axes.contains(name))
            return bad("--switch", text, "allowed: " + name + " was given before",
                       "Give both values at once: --switch " + name + "=on,off.");
        std::vector<bool>& values = axes[name];
        for (const std::string& word :
             base::splitList(equals == std::string::npos ? std::string() : text.substr(equals + 1))) {
            if (word != "on" && word != "off")
                return bad("--switch", text, "of the form NAME=on,off", "Write for example --switch freeze=on,off.");
            values.push_back(word == "on");
        }
        if (values.empty())
            return bad("--switch", text, "of the form NAME=on,off", "Write for example --switch freeze=on,off.");
    }
    return axes;
}

} // namespace apertune::cli
