// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/app_context.h"
#include "widgets/controls/scroll_page.h"

#include <array>

class QPushButton;
class QVBoxLayout;

namespace apertune::controls {
class KpiCard;
class Label;
class Panel;
} // namespace apertune::controls
namespace apertune::trace_views {
class ShareBar;
}

namespace apertune::gui {

/// The diagnosis of a trace on one page: the verdict in a sentence, an iteration as a bar divided by cause, and the
/// findings as cards with their evidence. GUI thread.
class BottleneckTab : public controls::ScrollPage
{
    Q_OBJECT
public:
    BottleneckTab(AppContext& context, QWidget* parent);

Q_SIGNALS:
    /// The user asked to see a range in the timeline.
    void rangeChosen(apertune::trace::TimeRange range);

private:
    void refresh();
    void showFindings();
    void makeFindings();
    void showUnevaluated();
    void showNotices();
    QWidget* makeQuery(const advice::Finding& finding, QWidget* card);

    AppContext& m_context;
    controls::Label* m_word = nullptr;
    controls::Label* m_sentence = nullptr;
    controls::Label* m_advice = nullptr;
    std::array<controls::KpiCard*, 4> m_cards{};
    controls::Panel* m_barPanel = nullptr;
    trace_views::ShareBar* m_bar = nullptr;
    controls::Label* m_findingsTitle = nullptr;
    QWidget* m_findings = nullptr;
    QVBoxLayout* m_findingsLayout = nullptr;
    QPushButton* m_fold = nullptr; ///< shows or hides the rules that had not enough evidence
    QWidget* m_unevaluated = nullptr;
    QVBoxLayout* m_unevaluatedLayout = nullptr;
    QPushButton* m_noticesFold = nullptr;
    controls::Label* m_notices = nullptr;
};

} // namespace apertune::gui
