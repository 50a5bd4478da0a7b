// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/trial_run.h"

#include "app/cli/imported.h"
#include "core/sentences/sentences.h"
#include "core/text/format.h"

namespace apertune::cli {

std::string OpenedTrial::name() const
{
    return text::toText(found.id) + "  " + text::ConfigurationNames(found.snapshot).longName(found.trial());
}

base::Result<OpenedTrial> openTrial(const Common& common, const std::string& trial, store::OpenMode mode)
{
    auto workbench = engine::Workbench::open(common.store, mode);
    if (!workbench)
        return workbench.error();
    auto found = findTrial((*workbench)->store(), trial);
    if (!found)
        return found.error();
    if (const auto refusal = whyNotRun(found->snapshot.study, text::toText(found->id)))
        return *refusal;
    return OpenedTrial{std::move(*workbench), std::move(*found)};
}

study::PhaseSink statusOf(Terminal& terminal, const std::string& what)
{
    return [&terminal, before = what.empty() ? what : what + ": "](study::Phase phase, const base::Message& figure) {
        const std::string text = sentences::sentence(figure);
        terminal.status(before + std::string(toString(phase)) + (text.empty() ? std::string(" …") : " " + text + " …"));
    };
}

int failRun(Terminal& terminal, const base::Error& error)
{
    using enum base::ErrorCode;
    const int exit = terminal.fail(error);
    const auto code = error.code;
    return code == outOfMemory || code == crashed || code == timeout || code == modelThrew || code == compileFailed
               ? kNoResult
               : exit;
}

} // namespace apertune::cli
