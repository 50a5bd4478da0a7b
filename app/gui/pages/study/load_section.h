// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/store/store.h"
#include "core/workload/load/scenario.h"
#include "widgets/controls/panel.h"

#include <array>

class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QStackedWidget;

namespace apertune::controls {
class CommandLine;
class Label;
} // namespace apertune::controls
namespace apertune::tables {
class LeanTable;
class TextTableModel;
} // namespace apertune::tables

namespace apertune::gui {

class AppContext;

/// The results of a trial under load. The user chooses a scenario, and runs and stops it here as a job. The stored
/// results of the trial stand below, the newest first. Values are typed as on the command line, which is shown beside
/// them. Enter in any field starts. GUI thread.
class LoadSection final : public controls::Panel
{
    Q_OBJECT
public:
    LoadSection(AppContext& context, QWidget* parent);

    /// `title` is the name of the trial while its job runs. Only a trial with `measured` can be put under load; for
    /// another one the section is shown only when there are results.
    void setTrial(model::TrialId trial, const QString& title, bool measured);
    void setResults(const std::vector<store::Scenario>& results, const QString& rateUnit);

    /// The scenario of the fields. Failures: invalidArgument, for the first field that cannot be read or for a scenario
    /// that is invalid.
    base::Result<workload::Scenario> scenario() const;

Q_SIGNALS:
    void finished(); ///< the workspace has a new result of this trial

private:
    enum Field { bound, rate, samples, cameras, fps, deadline, duration, percentile, kFields };
    struct Entry
    {
        controls::Label* label = nullptr;
        QWidget* field = nullptr;
        QLineEdit* text = nullptr; ///< the field itself, if it is a text field
    };

    controls::Label* makeNote();
    QWidget* makeFields();
    QWidget* makeRun();
    void addText(Field at, const QString& name, const QString& placeholder, const QString& toolTip);
    QDoubleSpinBox* addNumber(Field at, const QString& name, double least, double most, double value, int decimals,
                              const QString& toolTip);
    void add(Field at, const QString& name, QWidget* field, QLineEdit* text, const QString& toolTip);
    void showKind();
    void check();
    void start();
    void refresh();

    AppContext& m_context;
    model::TrialId m_trial{};
    QString m_title;
    bool m_measured = false;
    int m_rows = 0;
    QComboBox* m_kind = nullptr;
    QGridLayout* m_grid = nullptr;
    std::array<Entry, kFields> m_fields{};
    controls::Label* m_explanation = nullptr;
    controls::Label* m_hint = nullptr;    ///< error in the fields
    controls::Label* m_outcome = nullptr; ///< error of the run
    QWidget* m_controls = nullptr;
    QStackedWidget* m_stack = nullptr;
    QPushButton* m_start = nullptr;
    controls::Label* m_phase = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton* m_stop = nullptr;
    controls::CommandLine* m_command = nullptr;
    tables::TextTableModel* m_results = nullptr;
    tables::LeanTable* m_table = nullptr;
};

} // namespace apertune::gui
