// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <string>
#include <vector>

namespace apertune::interchange::test {

/// The events of a kind as "name start+duration on track".
inline std::vector<std::string> eventLines(const trace::Trace& trace, trace::EventKind kind)
{
    std::vector<std::string> texts;
    for (const trace::Series& series : trace.series) {
        if (series.kind != kind)
            continue;
        const trace::Track& track = trace.track(series);
        for (std::size_t i = 0; i < series.events.size(); ++i) {
            const trace::Event e = series.events.at(i);
            texts.push_back(trace.strings[e.name.value] + " " + std::to_string(e.start.count) + "+" +
                            std::to_string(e.duration.count) + " on " +
                            (track.device >= 0 ? "GPU " + std::to_string(track.device) + " " : "") + track.label +
                            (e.value != 0 ? " of " + std::to_string(e.value) : "") +
                            (e.correlation != 0 ? " #" + std::to_string(e.correlation) : ""));
        }
    }
    return texts;
}

} // namespace apertune::interchange::test
