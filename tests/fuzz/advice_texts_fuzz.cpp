// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that a user writes for the advice: a change of a what-if, and a file of thresholds (`--rules`).
#include "core/advice/thresholds.h"
#include "core/advice/what_if.h"
#include "tests/fuzz/fuzz.h"

#include <cmath>

namespace apertune::fuzz {

namespace {

void examineChange(const std::string& text)
{
    const auto parsed = advice::parseChange(text);
    const advice::Change* const change = valueOf(parsed);
    if (!change)
        return;
    require(change->text == text, "a change keeps its text");
    require(std::isfinite(change->factor) && change->factor >= 0, "a factor is a number from 0 on");
    require(change->count >= 1 && change->occurrence >= 0, "counts begin at 1");
    const std::string_view kind = toString(change->kind);
    require(!kind.empty() && text.starts_with(kind), "a change begins with its kind");
    require(change->pattern.empty() || text.find(change->pattern) != std::string::npos,
            "a pattern is part of the text");
    require(advice::parseChange(change->text).value() == *change, "a change is read as it was written");
}

void examineThresholds(std::string_view text)
{
    const auto parsed = advice::thresholdsFromText(text);
    const advice::Thresholds* const thresholds = valueOf(parsed);
    if (!thresholds)
        return;
    for (const advice::ThresholdInfo* info : thresholds->changed())
        require(std::isfinite(thresholds->of(info->id)), "a threshold is a number");
}

} // namespace

void examine(std::string_view input)
{
    examineChange(std::string(input));
    examineThresholds(input);
}

std::vector<std::string> seeds()
{
    return {"kernel:/conv.*/=0.5",
            "operator:aten::relu#2=remove",
            "layer:backbone=50%",
            "copies=overlap",
            "graph",
            "streams=4",
            "host=2",
            "switch:channels_last=on",
            "threads=8",
            R"({"rules": {"tiny-kernels": {"share": 0.2}}})",
            R"({"schema": "x", "rules": {}})"};
}

} // namespace apertune::fuzz
