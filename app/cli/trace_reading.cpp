// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/trace_reading.h"

#include "app/cli/lookup.h"
#include "core/base/clock.h"
#include "core/base/errors.h"
#include "core/base/text.h"
#include "core/interchange/recording_import.h"
#include "core/runs/trace_context.h"

#include <algorithm>

namespace apertune::cli {

void Steps::begin(const char* what)
{
    m_what = what;
    m_started = base::monotonicNow();
    m_terminal.status(m_what + " …");
}

void Steps::at(double share, const std::string& more)
{
    std::string text = m_what + " … " + std::to_string(static_cast<int>(share * 100)) + " %" + more;
    const base::Nanoseconds spent = base::monotonicNow() - m_started;
    if (share > 0.05 && spent.seconds() > 0.5)
        text += ", about " + base::formatDuration(base::fromSeconds(spent.seconds() * (1 - share) / share)) + " left";
    m_terminal.status(text);
}

base::Result<trace::Trace> readTrace(const std::filesystem::path& file, Steps& steps, Session& session)
{
    trace::ImportOptions options;
    options.cancel = session.interrupt.token();
    options.progress = [&steps](const trace::ImportProgress& p) {
        steps.at(static_cast<double>(p.bytesRead) / static_cast<double>(std::max<std::int64_t>(1, p.bytesTotal)),
                 ", " + std::to_string(p.events) + " events");
    };
    steps.begin("Reading");
    return interchange::importRecording(file, options);
}

base::Result<OpenedTrace> openTrace(const std::string& text, Session& session)
{
    std::error_code ignored;
    if (std::filesystem::is_regular_file(text, ignored)) {
        Steps steps(session.terminal);
        auto imported = readTrace(text, steps, session);
        session.terminal.status({});
        if (!imported)
            return imported.error();
        return OpenedTrace{std::make_shared<const trace::Trace>(std::move(*imported)), text, {}};
    }
    // A name that looks like a file is none of the workspace, which may not even exist.
    if (std::filesystem::path(text).has_parent_path() || std::filesystem::path(text).has_extension())
        return base::Error{base::ErrorCode::notFound, base::message<base::errors::kNoFile>(text)};
    const auto store = store::Store::open(session.common.store, store::OpenMode::readOnly);
    if (!store)
        return store.error();
    const auto summary = findTrace(*store, text);
    if (!summary)
        return summary.error();
    auto trace = store->trace(summary->id);
    if (!trace)
        return trace.error();
    return OpenedTrace{std::move(*trace), toText(summary->id), runs::contextOf(*store, *summary)};
}

} // namespace apertune::cli
