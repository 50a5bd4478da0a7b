// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/stage_view.h"

#include "core/base/text.h"
#include "core/report/pipeline_report.h"
#include "core/text/format.h"
#include "core/workload/stages/pipeline_run.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"
#include "widgets/theme/theme.h"

#include <QObject>

namespace apertune::gui {

std::optional<StageView> makeStageView(const std::vector<store::Pipeline>& runs)
{
    for (auto stored = runs.rbegin(); stored != runs.rend(); ++stored) {
        const auto run = workload::pipelineRunFromText(stored->document);
        if (!run)
            continue;
        StageView view;
        for (const report::StagePart& part : report::stageBar(*run)) {
            const workload::StageFigure& figure = run->summary[part.stage];
            const QString name = theme::fromCore(report::stageMessage(part.stage));
            const QString time = QObject::tr("%1 ms").arg(theme::toQt(text::formatPlusMinus(figure.perImageNs, 1e-6)));
            view.parts.push_back({name, time, part.to - part.from,
                                  theme::categoryColor(static_cast<int>(part.stage), theme::currentScheme()),
                                  QObject::tr("%1: %2 an image, %3 of the bar")
                                      .arg(name, time, theme::percent(part.to - part.from, 2))});
        }
        view.sentence = theme::fromCore(report::stageBarMessage(*run));
        view.rate = QObject::tr("%1 images/s from JPEG to answer")
                        .arg(theme::toQt(text::formatPlusMinus(run->summary.perSecond, 1)));
        view.modelOnly = theme::fromCore(report::modelOnlyMessage(*run));
        view.bound = theme::fromCore(report::boundMessage(*run));
        view.source = QObject::tr("Images: %1").arg(theme::toQt(run->source));
        return view;
    }
    return std::nullopt;
}

} // namespace apertune::gui
