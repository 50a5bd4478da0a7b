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

/// What a trial does under load: a scenario is chosen, run as a job with its progress, and stopped here, and the
/// results that the workspace keeps of the trial stand below, the newest first. Values are typed as on the command
/// line, which stands beside them; Enter in any field starts. GUI thread.
class LoadSection final : public controls::Panel
{
    Q_OBJECT
public:
    LoadSection(AppContext& context, QWidget* parent);

    /// `title`: how the trial is called while its job runs. `measured`: only what ran can be put under load; another
    /// trial shows this section only when there are results.
    void setTrial(model::TrialId trial, const QString& title, bool measured);
    void setResults(const std::vector<store::Store::Scenario>& results);

    /// What the fields say. Failures: invalidArgument, the first field that cannot be read or what makes no sense.
    base::Result<workload::Scenario> scenario() const;

Q_SIGNALS:
    void finished(); ///< there is a new result of this trial in the workspace

private:
    enum Field { bound, rate, samples, cameras, fps, deadline, duration, percentile, kFields };
    struct Entry
    {
        controls::Label* label = nullptr;
        QWidget* field = nullptr;
        QLineEdit* text = nullptr; ///< of the field
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
    controls::Label* m_hint = nullptr;    ///< what is wrong with the fields
    controls::Label* m_outcome = nullptr; ///< what went wrong with the run
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
