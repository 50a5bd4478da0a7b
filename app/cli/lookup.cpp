// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lookup.h"

#include "core/report/recommendation.h"
#include "core/study/study_runner.h"
#include "core/text/format.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace apertune::cli {

using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

constexpr std::size_t kShortestUuid = 4;
constexpr std::string_view kBest = "best";

/// The number in "12", "#12" or, with prefix "t", "t12".
std::optional<std::int64_t> numberOf(std::string_view text, std::string_view prefix)
{
    // "#12", "t12" and "12" are the same trial.
    if (text.starts_with('#'))
        text.remove_prefix(1);
    else if (text.starts_with(prefix))
        text.remove_prefix(prefix.size());
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || code != std::errc() || end != text.data() + text.size() || value < 1)
        return std::nullopt;
    return value;
}

Error noStudies(const store::Store& store)
{
    return base::plainError(ErrorCode::notFound, "The workspace has no studies yet.", store.file().string(),
                            "Run one: `apertune tune torchvision:resnet50`.");
}

Error noStudy(const std::string& text, const std::vector<store::StudySummary>& studies)
{
    const store::StudySummary& last = *store::lastStudy(studies);
    return base::plainError(ErrorCode::notFound, "There is no study \"" + text + "\".", {},
                            "The last is " + text::toText(last.id) + " (" + last.modelName +
                                "); `apertune study list` lists all.");
}

/// The failure of "best" for a study whose candidates took no turns.
Error notConfirmed(const model::StudySnapshot& snapshot)
{
    const std::string first = text::toText(snapshot.shortlist.front().trial);
    const std::string command = report::confirmCommand(snapshot);
    return base::plainError(
        ErrorCode::notFound,
        "Study " + text::toText(snapshot.study.id) +
            " recommends no trial yet, because its candidates were not confirmed.",
        {},
        (command.empty() ? "They are confirmed at the end of the study" : "Confirm them with `" + command + "`") +
            ", or name a trial: " + first + " leads the shortlist of `apertune show " +
            text::toText(snapshot.study.id) + text::storeOption(snapshot.workspace) + "`.");
}

bool looksLikeTrial(const std::string& text)
{
    // A number that is too large is one of a trial, too: of one that is not there.
    const bool isNumbered =
        text.size() > 1 && text.front() == 't' && text.find_first_not_of("0123456789", 1) == std::string::npos;
    return text == kBest || text.ends_with(":best") || isNumbered;
}

/// The trial of the baseline of that name.
std::optional<model::TrialId> baselineNamed(const store::Store& store, const std::string& name)
{
    const auto baselines = store.baselines();
    if (!name.empty() && baselines)
        for (const model::Baseline& baseline : *baselines)
            if (baseline.name == name)
                return baseline.trial;
    return std::nullopt;
}

} // namespace

Result<model::StudyId> findStudy(const store::Store& store, const std::string& text)
{
    const auto studies = store.studies();
    if (!studies)
        return studies.error();
    if (studies->empty())
        return noStudies(store);
    // "last" is no beginning of a uuid, so it comes first.
    if (text == "last")
        return store::lastStudy(*studies)->id;
    if (const auto number = numberOf(text, "s"))
        for (const store::StudySummary& study : *studies)
            if (study.id.value == *number)
                return study.id;
    std::vector<model::StudyId> matches;
    // A few letters would match by chance.
    if (text.size() >= kShortestUuid)
        for (const store::StudySummary& study : *studies)
            if (study.uuid.starts_with(text))
                matches.push_back(study.id);
    if (matches.size() > 1)
        return base::plainError(ErrorCode::invalidArgument, "\"" + text + "\" is the beginning of several uuids.", {},
                                "Give more digits, or the study's number.");
    if (matches.empty())
        return noStudy(text, *studies);
    return matches.front();
}

Result<model::StudySnapshot> loadStudyOf(const store::Store& store, const std::string& text)
{
    const auto id = findStudy(store, text);
    if (!id)
        return id.error();
    return study::loadStudy(store, *id);
}

bool namesTrial(const store::Store& store, const std::string& text)
{
    return looksLikeTrial(text) || baselineNamed(store, text);
}

bool namesTrial(const std::filesystem::path& workspace, const std::string& text)
{
    if (looksLikeTrial(text))
        return true;
    const auto store = store::Store::open(workspace, store::OpenMode::readOnly);
    return store && baselineNamed(*store, text);
}

bool looksLikeTrace(const std::string& text)
{
    return text.starts_with("tr") && numberOf(text, "tr");
}

Result<FoundTrial> findTrial(const store::Store& store, const std::string& text)
{
    if (text == kBest || text.ends_with(":best")) {
        // "s3:best" names the study before the colon.
        const std::string study = text == kBest ? "last" : text.substr(0, text.rfind(':'));
        auto snapshot = loadStudyOf(store, study);
        if (!snapshot)
            return snapshot.error();
        if (!snapshot->recommended && !snapshot->shortlist.empty())
            return notConfirmed(*snapshot);
        if (!snapshot->recommended)
            return base::plainError(
                ErrorCode::notFound, "Study " + text::toText(snapshot->study.id) + " recommends no trial.", {},
                "See why with `apertune show " + text::toText(snapshot->study.id) +
                    text::storeOption(snapshot->workspace) + "`, or name a trial, for example t12.");
        const model::TrialId id = snapshot->recommended->trial;
        return FoundTrial{std::move(*snapshot), id};
    }
    const auto named = baselineNamed(store, text);
    const auto number = numberOf(text, "t");
    if (!named && !number)
        return base::plainError(ErrorCode::invalidArgument,
                                "\"" + text + "\" is neither a trial nor the name of a baseline.", {},
                                "Use for example t12, or best; `apertune trial list` lists the trials and `apertune "
                                "trial baselines` the names.");
    const model::TrialId id = named ? *named : model::TrialId{*number};
    const auto trial = store.trial(id);
    if (!trial)
        return base::plainError(ErrorCode::notFound, "There is no trial " + text::toText(id) + ".",
                                store.file().string(), "`apertune trial list` lists those of the newest study.");
    auto snapshot = study::loadStudy(store, trial->study);
    if (!snapshot)
        return snapshot.error();
    return FoundTrial{std::move(*snapshot), trial->id};
}

std::string toText(store::TraceId id)
{
    return "tr" + std::to_string(id.value);
}

Result<store::TraceSummary> findTrace(const store::Store& store, const std::string& text)
{
    const auto number = numberOf(text, "tr");
    if (!number && text != "last")
        return base::plainError(ErrorCode::invalidArgument, "\"" + text + "\" is not a trace.", {},
                                "Use for example tr3, or last; `apertune trace list` lists them.");
    const auto traces = store.traces();
    if (!traces)
        return traces.error();
    for (const store::TraceSummary& trace : *traces)
        // Without a number, the first trace is the newest one.
        if (!number || trace.id.value == *number)
            return trace;
    return base::plainError(
        ErrorCode::notFound, traces->empty() ? "The workspace has no traces yet." : "There is no trace " + text + ".",
        store.file().string(),
        traces->empty() ? "Record one: `apertune trace record best`." : "`apertune trace list` lists them.");
}

} // namespace apertune::cli
