// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/presenters/difference_view.h"
#include "app/gui/session/app_context.h"
#include "widgets/controls/panel.h"

#include <array>
#include <memory>
#include <optional>

class QPushButton;

namespace apertune::controls {
class Label;
}
namespace apertune::plots {
class WaterfallPlot;
}

namespace apertune::gui {

/// A trial whose trace is to be compared.
struct TracedTrial
{
    std::filesystem::path file; ///< workspace that holds the trial
    model::TrialId trial{};
    double batch = 0;
    QString name; ///< "resnet50 O2 bf16 b4"

    bool operator==(const TracedTrial&) const = default;
};

/// Where the difference of two trials comes from, on the Compare page: the waterfall of their newest traces. Where a
/// trial has none, the section offers to record it. GUI thread.
class DifferenceSection final : public controls::Panel
{
    Q_OBJECT
public:
    DifferenceSection(AppContext& context, QWidget* parent);

    /// Shows the difference of two trials; nullopt when the page has no pair to show.
    void setPair(const std::optional<std::pair<TracedTrial, TracedTrial>>& pair);
    bool isReady() const { return !m_loading; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Found
    {
        std::array<std::optional<store::TraceSummary>, 2> traces;
        base::Result<std::shared_ptr<const DifferenceView>> view; ///< null while a trace is missing
    };
    void refreshTraces();
    void compare();
    void present(const Found& found);
    void showText(const QString& text);
    void record(int side);
    void openTraces();

    AppContext& m_context;
    std::optional<std::pair<TracedTrial, TracedTrial>> m_pair;
    std::array<std::optional<store::TraceSummary>, 2> m_traces; ///< the first belongs to A, the second to B
    bool m_loading = false;
    controls::Label* m_text = nullptr;
    plots::WaterfallPlot* m_waterfall = nullptr;
    QWidget* m_menu = nullptr; ///< the menu of the plot
    std::array<QPushButton*, 2> m_record{};
    QPushButton* m_open = nullptr;
};

} // namespace apertune::gui
