// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/gateway/export_gateway.h"
#include "app/gui/session/page.h"

#include <vector>

class QButtonGroup;
class QLineEdit;
class QCheckBox;
class QListWidget;
class QPlainTextEdit;
class QStackedLayout;

namespace apertune::controls {
class CommandLine;
class EmptyState;
class Label;
class Panel;
} // namespace apertune::controls

namespace apertune::gui {

/// Exports a trial (the selected one, else the recommended one) as a folder with a program that runs: choose a target,
/// look at the files, save.
class ExportPage final : public Page
{
    Q_OBJECT
public:
    ExportPage(AppContext& context, QWidget* parent);

    QString title() const override { return tr("Export"); }
    QString facts() const override;
    void setSnapshot(std::shared_ptr<const model::StudySnapshot> snapshot) override;
    bool isReady() const override { return !m_snapshot || m_planned; }

private:
    QWidget* makeContent();
    QWidget* makeTargets(QWidget* parent);
    const model::Trial* trial() const;
    void showCommand();
    bool allBatches() const; ///< the box is checked, and there are other batches
    void refresh();
    void plan();
    void showPlan(const base::Result<std::vector<exports::ExportFile>>& files);
    void showFile(int row);
    void save(bool overwrite);
    void showMessage(controls::Tone tone, const QString& text);

    /// The content of the page. The study around it may change meanwhile.
    struct Shown
    {
        model::TrialId trial{};
        std::string finishedUtc;
        exports::ExportTarget target = exports::ExportTarget::python;
        bool operator==(const Shown&) const = default;
    };

    std::shared_ptr<const model::StudySnapshot> m_snapshot;
    Shown m_shown;
    std::vector<exports::ExportFile> m_files;
    bool m_planned = false;
    exports::ExportTarget m_target = exports::ExportTarget::python;

    QStackedLayout* m_stack = nullptr;
    controls::EmptyState* m_empty = nullptr;
    controls::Label* m_what = nullptr;
    controls::Label* m_numbers = nullptr;
    QCheckBox* m_allBatches = nullptr;
    controls::CommandLine* m_command = nullptr;
    controls::Label* m_note = nullptr;
    controls::Panel* m_previewPanel = nullptr;
    QLineEdit* m_folder = nullptr;
    QListWidget* m_list = nullptr;
    QPlainTextEdit* m_preview = nullptr;
    QAction* m_save = nullptr;
};

} // namespace apertune::gui
