// SPDX-License-Identifier: GPL-3.0-or-later
// Files of reference envelopes, which users keep beside their workspaces: core/comparison/envelopes.h.
#include "core/comparison/envelopes.h"
#include "core/model/json_codec.h"
#include "tests/fuzz/fuzz.h"

#include <cmath>

namespace apertune::fuzz {

namespace {

comparison::Envelope envelope()
{
    comparison::Envelope made;
    made.machine = "AMD EPYC, 8 cores";
    made.model = "zoo:resnet50";
    made.device = "cpu";
    made.config.backend = "libtorch";
    made.config.switches = {{"channels_last", true}};
    made.loNs = 41e6;
    made.hiNs = 55e6;
    made.trials = 6;
    made.lastUtc = "2026-11-21T14:02:11Z";
    return made;
}

} // namespace

void examine(std::string_view input)
{
    const auto envelopes = comparison::envelopesFromText(input);
    if (!envelopes)
        return;
    for (const comparison::Envelope& each : *envelopes) {
        require(!each.machine.empty(), "an envelope has a class of machine");
        require(std::isfinite(each.loNs) && each.loNs > 0 && each.hiNs >= each.loNs, "an envelope is a range of times");
        const model::Interval latency{each.hiNs, each.loNs, each.hiNs, 0.95};
        require(!toString(comparison::envelopeVerdict(each, latency)).empty(), "every trial has a verdict");
        require(!comparison::envelopeSentence(each, latency).empty(), "every trial has a sentence");
    }
    const auto again = comparison::envelopesFromText(comparison::envelopesText(*envelopes));
    require(again && again->size() == envelopes->size(), "a file is read as it was written");
    for (std::size_t i = 0; i < envelopes->size(); ++i)
        require((*again)[i].config == (*envelopes)[i].config && (*again)[i].machine == (*envelopes)[i].machine,
                "a row is read as it was written");
}

std::vector<std::string> seeds()
{
    const comparison::Envelope one = envelope();
    // The upper end of the interval would be infinite in nanoseconds.
    const std::string tooLong = R"({"schema": "apertune.envelopes/1", "envelopes": [{"machine": "m", "lo_ms": 1, )"
                                R"("hi_ms": 1e308, "config": )" +
                                toJson(one.config).dump() + "}]}";
    return {comparison::envelopesText({}), comparison::envelopesText(std::vector{one, one}), tooLong};
}

} // namespace apertune::fuzz
