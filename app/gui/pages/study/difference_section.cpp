// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/difference_section.h"

#include "widgets/controls/label.h"
#include "widgets/plots/chart_view.h"
#include "widgets/plots/plot_actions.h"
#include "widgets/plots/waterfall_plot.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"

#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace apertune::gui {

using controls::Label;
using controls::Tone;

namespace {

const QString kDifference = QStringLiteral("difference");

/// The newest trace of a trial's work. What stands behind a comma in its name says that hardware counters were recorded
/// instead of the work.
std::optional<store::TraceSummary> traceOf(const std::vector<store::TraceSummary>& traces, model::TrialId trial)
{
    const auto found = std::find_if(traces.begin(), traces.end(), [trial](const store::TraceSummary& trace) {
        return trace.trial == trial && trace.complete && trace.name.find(',') == std::string::npos;
    });
    return found == traces.end() ? std::nullopt : std::optional(*found);
}

std::string traceName(const store::TraceSummary& trace)
{
    return "tr" + std::to_string(trace.id.value);
}

base::Result<std::shared_ptr<const DifferenceView>>
differenceOf(TraceGateway& gateway, const std::array<const TracedTrial*, 2>& trials,
             const std::array<std::optional<store::TraceSummary>, 2>& traces, const LoadTask& task)
{
    std::array<DifferenceInput, 2> sides;
    for (std::size_t side = 0; side < 2; ++side) {
        auto opened = gateway.storedTrace(trials[side]->file, traces[side]->id, task);
        if (!opened)
            return opened.error();
        sides[side] = {{traceName(*traces[side]), traces[side]->name, traces[side]->id.value, opened->trace},
                       trials[side]->batch};
    }
    return compareForView(sides[0], sides[1], {}, trials[1]->file);
}

} // namespace

DifferenceSection::DifferenceSection(AppContext& context, QWidget* parent)
    : Panel(tr("Where the difference comes from"), parent), m_context(context)
{
    for (const int side : {0, 1}) {
        auto* button = new QPushButton(side == 0 ? tr("Trace A") : tr("Trace B"), this);
        button->setToolTip(tr("Runs the configuration once more while everything is recorded, and shows its trace"));
        connect(button, &QPushButton::clicked, this, [this, side] { record(side); });
        addHeaderWidget(button);
        button->hide();
        m_record[static_cast<std::size_t>(side)] = button;
    }
    m_open = new QPushButton(tr("Parts and layers"), this);
    m_open->setToolTip(tr("Opens the trace of B and what differs from A in it: each part, each layer, allocations"));
    connect(m_open, &QPushButton::clicked, this, &DifferenceSection::openTraces);
    addHeaderWidget(m_open);
    m_text = new Label({}, theme::Type::body, Tone::secondary, this);
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    body()->addWidget(m_text);
    m_waterfall = new plots::WaterfallPlot(this);
    m_waterfall->chart()->setAccessibleName(tr("Steps from the time of A to the time of B"));
    body()->addWidget(m_waterfall, 1);
    m_menu = plots::PlotActions::addTo(this, m_waterfall->chart());
    showText(tr("Choose a configuration that both sides have."));
    // A trace that was recorded or imported in the meantime may be the one that is missing.
    connect(&context.session, &Session::workspaceChanged, this, &DifferenceSection::refreshTraces);
}

void DifferenceSection::showEvent(QShowEvent* event)
{
    Panel::showEvent(event);
    refreshTraces();
}

void DifferenceSection::refreshTraces()
{
    if (isVisible() && !m_loading && m_pair && !(m_traces[0] && m_traces[1]))
        compare();
}

void DifferenceSection::setPair(const std::optional<std::pair<TracedTrial, TracedTrial>>& pair)
{
    if (pair == m_pair && (!pair || (m_traces[0] && m_traces[1])))
        return;
    m_pair = pair;
    m_traces = {};
    if (pair) {
        compare();
        return;
    }
    m_context.tasks.cancel(this, kDifference);
    m_loading = false;
    showText(tr("Choose a configuration that both sides have."));
}

void DifferenceSection::compare()
{
    m_loading = true;
    showText(tr("The traces are being compared."));
    m_context.tasks.start(
        this, kDifference,
        [gateway = m_context.traceGateway, pair = *m_pair](const TaskRunner::Scope& scope) -> Found {
            const std::array<const TracedTrial*, 2> trials{&pair.first, &pair.second};
            Found found{{}, std::shared_ptr<const DifferenceView>()};
            for (std::size_t side = 0; side < 2; ++side) {
                const auto traces = gateway->traces(trials[side]->file);
                if (!traces) {
                    found.view = traces.error();
                    return found;
                }
                found.traces[side] = traceOf(*traces, trials[side]->trial);
            }
            LoadTask task;
            task.stop = scope.stop();
            if (found.traces[0] && found.traces[1])
                found.view = differenceOf(*gateway, trials, found.traces, task);
            return found;
        },
        [this](const Found& found) {
            m_loading = false;
            present(found);
        });
}

void DifferenceSection::present(const Found& found)
{
    m_traces = found.traces;
    if (!found.view) {
        showText(theme::fromCore(found.view.error()));
        return;
    }
    if (!*found.view) {
        const bool a = !found.traces[0];
        const bool b = !found.traces[1];
        showText(a && b ? tr("Neither configuration was traced. Record both, and each microsecond of the difference "
                             "gets its step.")
                 : a    ? tr("The configuration of A was not traced. Record it, and each microsecond of the difference "
                                "gets its step.")
                        : tr("The configuration of B was not traced. Record it, and each microsecond of the difference "
                                "gets its step."));
        const std::array<const TracedTrial*, 2> trials{&m_pair->first, &m_pair->second};
        for (std::size_t side = 0; side < 2; ++side)
            m_record[side]->setVisible(!found.traces[side] && trials[side]->file == m_context.session.file());
        return;
    }
    const DifferenceView& view = **found.view;
    showText(view.headline);
    m_text->setToolTip(view.remarks.join(QLatin1Char('\n')));
    m_waterfall->setWaterfall(view.waterfall, tr("%1 more steps"));
    for (QWidget* shown : {static_cast<QWidget*>(m_waterfall), m_menu, static_cast<QWidget*>(m_open)})
        shown->show();
}

void DifferenceSection::showText(const QString& text)
{
    m_text->setText(text);
    m_text->setToolTip({});
    m_waterfall->hide();
    m_menu->hide();
    m_open->hide();
    for (QPushButton* button : m_record)
        button->hide();
}

/// Runs a trial once more while everything is recorded, and goes to the trace.
void DifferenceSection::record(int side)
{
    const TracedTrial& trial = side == 0 ? m_pair->first : m_pair->second;
    m_context.traces.capture(trial.file, trial.trial, trial.name);
    m_context.navigate(PageId::trace);
}

void DifferenceSection::openTraces()
{
    m_context.traces.wantTab(kDifference);
    m_context.traces.wantOther(m_traces[0]->id);
    m_context.traces.openStored(m_pair->second.file, m_traces[1]->id, m_pair->second.name);
    m_context.navigate(PageId::trace);
}

} // namespace apertune::gui
