// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/platform_matrix.h"

#include "core/base/enum_words.h"
#include "core/base/escape.h"
#include "core/exports/kit.h"
#include "core/model/imported.h"
#include "core/model/usable_interval.h"

#include <algorithm>
#include <utility>

namespace apertune::exports {

namespace {

constexpr base::EnumWords<CellState, 4> kStates{{{CellState::measuredHere, "measured_here"},
                                                 {CellState::measuredThere, "measured_there"},
                                                 {CellState::exportable, "exportable"},
                                                 {CellState::neverTried, "never_tried"}}};

/// Whether trials of the study are of the platform, if their device and engine are.
bool isOf(const Platform& platform, const model::Study& study, const model::Trial& trial)
{
    if (model::isImported(study))
        return model::settingOf(study.environment, model::kPlatform) == platform.name &&
               model::settingOf(study.environment, model::kStandInFor).empty();
    return model::typeOfDevice(trial.device) == model::typeOfDevice(platform.device) &&
           (platform.anyEngine || trial.config.backend == platform.backend);
}

double nsPerSample(const model::Trial& trial)
{
    return trial.measurement.latencyNs.value / trial.config.batch;
}

/// Whether the first is better: one with an interval that says something comes before one without.
bool isBetter(const model::Trial& a, const model::Trial& b)
{
    const auto lacks = [](const model::Trial& trial) {
        const model::Interval& latency = trial.measurement.latencyNs;
        return !(latency.confidence > 0) || model::isTooWide(latency);
    };
    return std::pair(lacks(a), nsPerSample(a)) < std::pair(lacks(b), nsPerSample(b));
}

/// Counts a trial, and keeps it where it is the best so far. Trials of Apertune come before those of kits.
void addTrial(PlatformCell& cell, std::span<const model::StudySnapshot> studies, std::size_t study,
              const model::Trial& trial)
{
    const bool there = model::isImported(studies[study].study);
    const bool first = there ? cell.here == 0 && cell.there == 0 : cell.here == 0;
    ++(there ? cell.there : cell.here);
    if (there && cell.here > 0)
        return;
    const model::Trial* best = first ? nullptr : studies[cell.best->study].find(cell.best->trial);
    if (best && !isBetter(trial, *best))
        return;
    const model::Device* device = studies[study].deviceOf(trial);
    cell.best = BestOfCell{study, trial.id, device ? device->name : trial.device};
}

bool hasDevice(std::span<const model::Device> devices, const Platform& platform)
{
    return std::any_of(devices.begin(), devices.end(), [&](const model::Device& device) {
        return device.type == model::typeOfDevice(platform.device);
    });
}

/// The first model of a family that a kit of the platform can measure; null without one.
const model::ModelRef* exportableTo(const Platform& platform, model::ModelFamily family,
                                    std::span<const model::ModelRef> models)
{
    const auto found = std::find_if(models.begin(), models.end(), [&](const model::ModelRef& model) {
        return model::familyOf(model) == family && checkKit(model, platform, {1}, {}).ok();
    });
    return found == models.end() ? nullptr : &*found;
}

void addCommand(PlatformCell& cell, const Platform& platform, const model::ModelRef* model,
                std::span<const model::Device> devices)
{
    const std::string name = base::shellQuoted(model ? model->name : std::string(model::exampleOf(cell.family)));
    if (hasDevice(devices, platform))
        cell.command = "apertune tune " + name + " --devices " + platform.device +
                       (platform.anyEngine ? std::string() : " --backends " + platform.backend);
    else if (!platform.target.empty())
        cell.command = "apertune kit " + platform.name + " " + name;
}

} // namespace

std::string_view toString(CellState state)
{
    return base::wordOf(kStates, state);
}

std::vector<PlatformRow> platformMatrix(std::span<const model::StudySnapshot> studies,
                                        std::span<const model::ModelRef> models, std::span<const model::Device> devices)
{
    std::vector<PlatformRow> rows;
    for (const Platform& platform : platforms()) {
        PlatformRow row{&platform, {}};
        for (const model::ModelFamily family : model::kAllFamilies) {
            PlatformCell cell;
            cell.family = family;
            for (std::size_t i = 0; i < studies.size(); ++i) {
                const model::Study& study = studies[i].study;
                if (model::familyOf(study.model, model::settingOf(study.environment, model::kModelSource)) != family)
                    continue;
                for (const model::Trial& trial : studies[i].trials)
                    if (trial.state == model::TrialState::ok && isOf(platform, study, trial))
                        addTrial(cell, studies, i, trial);
            }
            const model::ModelRef* model = exportableTo(platform, family, models);
            cell.state = cell.here > 0    ? CellState::measuredHere
                         : cell.there > 0 ? CellState::measuredThere
                         : model          ? CellState::exportable
                                          : CellState::neverTried;
            if (cell.here + cell.there == 0)
                addCommand(cell, platform, model, devices);
            row.cells.push_back(std::move(cell));
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace apertune::exports
