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

/// Imports a model that is not in the list: a source as the command line takes it, or a file, with weights of its own
/// where they are named. While an import runs it shows how far it is and stops it; a failed one leaves its one sentence
/// here, and asks for the inputs of a TorchScript file that does not say them. GUI thread.
class ImportBar final : public controls::Panel
{
    Q_OBJECT
public:
    ImportBar(AppContext& context, QWidget* parent);

    /// With the weights that are named here. Tells when another job runs instead of importing.
    void importSource(const QString& source, const QString& name = {});
    models::ImportRequest request(const QString& source,
                                  const QString& name) const; ///< the request that importSource() makes

private:
    QLineEdit* addField(QGridLayout* fields, const QString& name, const QString& placeholder, const QString& toolTip);
    void chooseFile();
    void chooseWeights();
    void start(const models::ImportRequest& request);
    /// Of the file whose import has just failed because it does not say them; then imports it again.
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
