// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/presenters/what_if_view.h"
#include "app/gui/session/app_context.h"
#include "widgets/controls/scroll_page.h"

#include <memory>
#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace apertune::controls {
class CommandLine;
class Label;
class Panel;
} // namespace apertune::controls
namespace apertune::tables {
class LeanTable;
}

namespace apertune::gui {

/// What changes would do to an iteration of the open trace, alone and together: an editor for the next change, the
/// predictions, and what the chosen one rests on. Changes that Apertune can make are verified here. Predictions are
/// about the whole trace, whatever the time filter shows. GUI thread.
class WhatIfTab : public controls::ScrollPage
{
    Q_OBJECT
public:
    WhatIfTab(AppContext& context, QWidget* parent);

    QWidget* mainWidget() const; ///< the first control of the editor
    /// Adds a change as the command line writes it, "copies=remove", and predicts it.
    void add(const QString& change);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeEditor(QWidget* parent);
    QWidget* makePrediction(QWidget* parent);
    void readTrace();
    void showKind();
    QString editedChange() const;
    void predict(std::vector<advice::Change> changes);
    void show(std::shared_ptr<const WhatIfView> view);
    void showBusy(bool busy);
    void showRefusal(const QString& text);
    void showChosen();
    void removeChosen();
    qint64 chosenKey() const;

    AppContext& m_context;
    trace::TracePtr m_trace;    ///< the trace that names and predictions are of
    std::int64_t m_traceId = 0; ///< id of m_trace in the workspace
    WhatIfNames m_names;
    std::shared_ptr<const WhatIfView> m_view; ///< null without a change
    QComboBox* m_kind = nullptr;
    QComboBox* m_name = nullptr; ///< kernel, operator or layer
    QComboBox* m_setting = nullptr;
    QComboBox* m_copies = nullptr;
    QDoubleSpinBox* m_factor = nullptr; ///< per cent of the recorded time
    QSpinBox* m_count = nullptr;        ///< streams or threads
    QPushButton* m_predict = nullptr;
    QPushButton* m_cancel = nullptr;
    controls::Label* m_meaning = nullptr;
    controls::Label* m_state = nullptr; ///< a running prediction, or the reason of a refusal
    controls::Panel* m_prediction = nullptr;
    tables::TextTableModel* m_rows = nullptr;
    tables::LeanTable* m_table = nullptr;
    controls::Label* m_evidence = nullptr;
    controls::Label* m_verdicts = nullptr;
    QWidget* m_verification = nullptr; ///< button, barrier and result; made again for each choice
    QVBoxLayout* m_verificationLayout = nullptr;
    QPushButton* m_remove = nullptr;
    controls::CommandLine* m_command = nullptr;
};

} // namespace apertune::gui
