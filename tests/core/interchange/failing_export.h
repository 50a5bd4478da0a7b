// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/temporary_dir.h"
#include "core/trace/export_options.h"
#include "core/trace/trace_builder.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace apertune::interchange::test {

/// Has `write` stopped, and lets it write where it cannot: no file may be left in the folder.
template <typename Write>
void expectNothingLeftBehind(Write write)
{
    trace::TraceBuilder b;
    const trace::TrackId track =
        b.track({.type = trace::TrackType::hostThread, .process = 1, .thread = 1, .label = "t"});
    for (int i = 0; i < 20'000; ++i)
        b.add(track, trace::EventKind::range, {.start = {i}, .duration = {1}, .name = b.intern("range")});
    const trace::Trace trace = b.finish();
    const auto dir = base::TemporaryDir::create("export");
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = write(trace, dir->path() / "x.out", {.cancel = stop.get_token()});
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, base::ErrorCode::cancelled);
    const auto refused = write(trace, dir->path(), {});
    ASSERT_FALSE(refused);
    EXPECT_FALSE(refused.error().hint.empty());
    EXPECT_FALSE(write(trace, "/proc/nowhere/x.out", {}));
    EXPECT_TRUE(std::filesystem::is_empty(dir->path()));
}

} // namespace apertune::interchange::test
