// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/panel.h"

class QGridLayout;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QStackedWidget;

namespace apertune::models {
struct ImportRequest;
}

namespace apertune::gui {

class AppContext;

/// Imports a model that is not in the list, from a source as the command line takes it or from a file. Weights may be
/// named separately. While an import runs, the bar shows its progress and stops it. After a failure it shows the
/// message. If a TorchScript file does not describe its inputs, it asks for them. GUI thread.
class ImportBar final : public controls::Panel
{
    Q_OBJECT
public:
    ImportBar(AppContext& context, QWidget* parent);

    /// Imports with the weights named in the bar. Shows a message instead when another job runs.
    void importSource(const QString& source, const QString& name = {});
    models::ImportRequest request(const QString& source,
                                  const QString& name) const; ///< the request that importSource() makes

private:
    QLineEdit* addField(QGridLayout* fields, const QString& name, const QString& placeholder, const QString& toolTip);
    void chooseFile();
    void chooseWeights();
    void start(const models::ImportRequest& request);
    /// Asks for the inputs of the file whose import has just failed because it does not describe them. Then imports it
    /// again.
    void askInputs();
    void refresh();

    AppContext& m_context;
    bool m_importing = false;
    QStackedWidget* m_stack = nullptr;
    QLineEdit* m_source = nullptr;
    QLineEdit* m_weights = nullptr;
    QPushButton* m_start = nullptr;
    controls::Label* m_phase = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton* m_stop = nullptr;
    controls::Label* m_outcome = nullptr;
};

} // namespace apertune::gui
