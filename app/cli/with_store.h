// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/lookup.h"
#include "app/cli/session.h"

namespace apertune::cli {

/// Opens the workspace and returns use(store), an exit code. A failure is shown, and its exit code returned.
template <typename Use>
int withStore(Session& session, Use use, store::OpenMode mode = store::OpenMode::readOnly)
{
    auto store = store::Store::open(session.common.store, mode);
    return store ? use(*store) : session.terminal.fail(store.error());
}

/// Opens the workspace for reading, loads the study that `text` names and returns use(store, snapshot).
template <typename Use>
int withStudy(Session& session, const std::string& text, Use use)
{
    return withStore(session, [&](const store::Store& store) {
        const auto snapshot = loadStudyOf(store, text);
        return snapshot ? use(store, *snapshot) : session.terminal.fail(snapshot.error());
    });
}

/// Opens the workspace, finds the trace that `text` names and returns use(store, summary).
template <typename Use>
int withTrace(Session& session, const std::string& text, Use use, store::OpenMode mode = store::OpenMode::readOnly)
{
    return withStore(
        session,
        [&](store::Store& store) {
            const auto summary = findTrace(store, text);
            return summary ? use(store, *summary) : session.terminal.fail(summary.error());
        },
        mode);
}

} // namespace apertune::cli
