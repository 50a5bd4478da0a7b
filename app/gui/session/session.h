// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/gateway/study_gateway.h"
#include "app/gui/presenters/comparison_side.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace apertune::gui {

/// The state that all pages share: workspace, study, selected trial, model, machine and comparison. Pages read it and
/// follow its signals; only the poller writes workspace states into it. Selections are shared, so that a point, a cell
/// and a row are the same trial everywhere. GUI thread.
class Session : public QObject
{
    Q_OBJECT
public:
    explicit Session(QObject* parent = nullptr);

    const std::filesystem::path& file() const { return m_file; }
    /// Changes to another workspace. Everything of the old one is dropped.
    void setFile(const std::filesystem::path& file);

    /// Whether the workspace was read once, or could not be read (loadError() says why).
    bool isLoaded() const { return m_loaded; }
    const std::optional<base::Error>& loadError() const { return m_loadError; }
    bool workspaceExists() const { return m_state.exists; }

    const std::vector<store::StudySummary>& studies() const { return m_state.studies; }
    const std::vector<model::ModelRef>& models() const { return m_state.models; }
    const std::vector<StarredTrial>& baselines() const { return m_state.baselines; }
    /// The mark of a trial; null: it is no baseline.
    const model::Baseline* baselineOf(model::TrialId trial) const;
    std::optional<std::int64_t> version() const { return m_version; }

    /// Asks for a reading at once instead of at the next poll, because something was just committed.
    void requestReading() { Q_EMIT studyRequested(); }

    std::shared_ptr<const model::StudySnapshot> snapshot() const { return m_state.snapshot; }
    /// The study that was asked for; 0 follows the latest one.
    model::StudyId wantedStudy() const { return m_wanted; }
    /// Shows another study. `trial` is selected in it; 0: the default one.
    void selectStudy(model::StudyId study, model::TrialId trial = {});

    model::TrialId selectedTrial() const { return m_trial; }
    void selectTrial(model::TrialId trial);
    /// The selected trial of the present snapshot; null when there is none.
    const model::Trial* trial() const;

    /// The model of the pages Model and Sweep: the chosen one, else that of the snapshot, else the first of the
    /// workspace.
    const model::ModelRef* model() const;
    void selectModel(const std::string& name);

    const std::optional<Machine>& machine() const { return m_machine; }
    void setMachine(Machine machine);

    const ComparisonSide& baseline() const { return m_baseline; }
    const ComparisonSide& candidate() const { return m_candidate; }
    void setComparison(const ComparisonSide& baseline, const ComparisonSide& candidate);

    void setState(WorkspaceState state);
    void setLoadError(const base::Error& error);

Q_SIGNALS:
    void fileChanged();
    void studyRequested();   ///< another study or a newer state is wanted; the poller reads it
    void workspaceChanged(); ///< the list of studies or models, or the load error, changed
    void snapshotChanged();
    void trialSelected(apertune::model::TrialId trial);
    void modelSelected();
    void machineChanged();
    void comparisonChanged();

private:
    std::filesystem::path m_file;
    bool m_loaded = false;
    std::optional<base::Error> m_loadError;
    std::optional<std::int64_t> m_version;
    WorkspaceState m_state;
    model::StudyId m_wanted{};
    model::TrialId m_wantedTrial{}; ///< is selected when its study has been read
    model::TrialId m_trial{};
    bool m_chosen = false; ///< the user chose m_trial; otherwise it is the default
    std::string m_model;
    std::optional<Machine> m_machine;
    ComparisonSide m_baseline;
    ComparisonSide m_candidate;
};

} // namespace apertune::gui
