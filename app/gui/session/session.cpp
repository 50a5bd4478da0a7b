// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/session.h"

#include <algorithm>

namespace apertune::gui {
namespace {

/// The trial that is selected when a study opens: its recommendation, else the first of its shortlist, else the
/// first trial that was measured.
model::TrialId defaultTrial(const model::StudySnapshot& snapshot)
{
    if (const model::Recommendation* leading = snapshot.leading())
        return leading->trial;
    const auto measured = std::find_if(snapshot.trials.begin(), snapshot.trials.end(),
                                       [](const model::Trial& trial) { return trial.state == model::TrialState::ok; });
    return measured == snapshot.trials.end() ? model::TrialId{} : measured->id;
}

} // namespace

Session::Session(QObject* parent) : QObject(parent)
{
}

void Session::setFile(const std::filesystem::path& file)
{
    // All that belongs to the former file goes before the first signal, so that no page shows a mixture.
    m_file = file;
    m_loaded = false;
    m_loadError.reset();
    m_version.reset();
    m_state = {};
    m_wanted = {};
    m_wantedTrial = {};
    m_trial = {};
    m_chosen = false;
    m_model.clear();
    m_baseline = {};
    m_candidate = {};
    Q_EMIT fileChanged();
    Q_EMIT workspaceChanged();
    Q_EMIT snapshotChanged();
}

void Session::selectStudy(model::StudyId study, model::TrialId trial)
{
    m_wanted = study;
    m_wantedTrial = trial;
    // Without a known version the next reading returns a state even if nothing was committed.
    m_version.reset();
    m_trial = {};
    m_chosen = false;
    Q_EMIT studyRequested();
}

void Session::selectTrial(model::TrialId trial)
{
    m_chosen = static_cast<bool>(trial);
    if (trial != m_trial) {
        m_trial = trial;
        Q_EMIT trialSelected(trial);
    }
}

const model::Trial* Session::trial() const
{
    return m_state.snapshot && m_trial ? m_state.snapshot->find(m_trial) : nullptr;
}

const model::Baseline* Session::baselineOf(model::TrialId trial) const
{
    const auto found = std::find_if(m_state.baselines.begin(), m_state.baselines.end(),
                                    [trial](const StarredTrial& starred) { return starred.baseline.trial == trial; });
    return found == m_state.baselines.end() ? nullptr : &found->baseline;
}

const model::ModelRef* Session::model() const
{
    for (const model::ModelRef& known : m_state.models)
        if (!m_model.empty() && known.name == m_model)
            return &known;
    if (m_state.snapshot)
        return &m_state.snapshot->study.model;
    return m_state.models.empty() ? nullptr : &m_state.models.front();
}

void Session::selectModel(const std::string& name)
{
    m_model = name;
    Q_EMIT modelSelected();
}

void Session::setMachine(Machine machine)
{
    m_machine = std::move(machine);
    Q_EMIT machineChanged();
}

void Session::setComparison(const ComparisonSide& baseline, const ComparisonSide& candidate)
{
    if (baseline == m_baseline && candidate == m_candidate)
        return;
    m_baseline = baseline;
    m_candidate = candidate;
    Q_EMIT comparisonChanged();
}

void Session::setState(WorkspaceState state)
{
    const bool first = !m_loaded;
    const model::StudyId before = m_state.snapshot ? m_state.snapshot->study.id : model::StudyId{};
    m_state = std::move(state);
    m_version = m_state.version;
    m_loaded = true;
    m_loadError.reset();
    // Identifiers of trials are numbered in each workspace, so the selection holds for one study only.
    const bool sameStudy = m_state.snapshot && m_state.snapshot->study.id == before;
    const model::TrialId selectedBefore = m_trial;
    // While a sweep runs, the selection follows the best trial until the user chooses one.
    if (!sameStudy || !trial() || !m_chosen) {
        m_trial = m_state.snapshot ? defaultTrial(*m_state.snapshot) : model::TrialId{};
        m_chosen = false;
    }
    if (m_wantedTrial && m_state.snapshot && m_state.snapshot->find(m_wantedTrial)) {
        m_trial = m_wantedTrial;
        m_chosen = true;
    }
    m_wantedTrial = {};
    Q_EMIT workspaceChanged();
    Q_EMIT snapshotChanged();
    if (!sameStudy || first || m_trial != selectedBefore)
        Q_EMIT trialSelected(m_trial);
    if (!sameStudy || first)
        Q_EMIT modelSelected();
}

void Session::setLoadError(const base::Error& error)
{
    // Polling meets the same error again and again; it is shown once.
    if (m_loadError && m_loadError->message == error.message && m_loadError->context == error.context)
        return;
    m_loaded = true;
    m_loadError = error;
    Q_EMIT workspaceChanged();
}

} // namespace apertune::gui
