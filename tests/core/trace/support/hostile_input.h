// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/sentences/sentences.h"
#include "core/trace/trace.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace apertune::trace::test {

// What an importer may make of any file: a sound trace, or a sentence that says what is wrong and what to do.

inline void expectSentence(const base::Error& error)
{
    EXPECT_TRUE(sentences::sentence(error.message).ends_with('.')) << sentences::sentence(error.message);
    // A sentence, or a command to type.
    EXPECT_TRUE(sentences::sentence(error.hint).ends_with('.') ||
                sentences::sentence(error.hint).find(": ") != std::string::npos)
        << sentences::sentence(error.message) << " | " << sentences::sentence(error.hint);
    EXPECT_NE(error.code, base::ErrorCode::internal) << sentences::sentence(error.message);
    EXPECT_EQ(sentences::sentence(error.message).find('\n'), std::string::npos);
}

/// How many rows Event::detail of a kind may choose from.
inline std::size_t detailsOf(const Trace& trace, EventKind kind)
{
    switch (kind) {
    case EventKind::kernel:
    case EventKind::graphLaunch:
        return trace.details.kernels.size();
    case EventKind::copy:
    case EventKind::memset:
        return trace.details.copies.size();
    case EventKind::synchronization:
        return trace.details.synchronizations.size();
    case EventKind::operatorCall:
        return trace.details.operators.size();
    case EventKind::deviceMemory:
    case EventKind::tensorMemory:
        return trace.details.memory.size();
    case EventKind::compilation:
    case EventKind::overhead:
        return trace.details.notes.size();
    default:
        return 1;
    }
}

/// What every reader of a trace relies on.
inline void expectSound(const Trace& trace)
{
    for (const Loss& loss : trace.losses)
        EXPECT_FALSE(loss.reason.empty());
    std::size_t last = 0;
    for (const Series& series : trace.series) {
        ASSERT_LT(series.track.value, trace.tracks.size());
        ASSERT_FALSE(series.events.empty());
        EXPECT_GE(series.track.value, last);
        last = series.track.value;
        const EventColumns& e = series.events;
        for (std::size_t i = 0; i < e.size(); ++i) {
            EXPECT_GE(e.duration[i], 0);
            EXPECT_GE(e.end(i), e.start[i]);
            EXPECT_TRUE(i == 0 || e.start[i] >= e.start[i - 1]);
            ASSERT_LT(e.name[i], trace.strings.size());
        }
        for (const std::uint32_t detail : e.detail)
            ASSERT_LT(detail, detailsOf(trace, series.kind));
        EXPECT_TRUE(e.correlation.empty() || e.correlation.size() == e.size());
        EXPECT_TRUE(e.link.empty() || e.link.size() == e.size());
        EXPECT_TRUE(e.detail.empty() || e.detail.size() == e.size());
        EXPECT_TRUE(e.value.empty() || e.value.size() == e.size());
    }
    for (const OperatorDetail& d : trace.details.operators)
        for (const StringId text : {d.inputShapes, d.inputStrides, d.inputTypes, d.module, d.collective})
            EXPECT_LT(text.value, trace.strings.size());
}

/// Either a sentence or a sound trace.
inline void expectNoHarm(const base::Result<Trace>& trace)
{
    if (trace)
        expectSound(*trace);
    else
        expectSentence(trace.error());
}

} // namespace apertune::trace::test
