// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/claim_measuring.h"

#include "core/base/clock.h"
#include "core/models/model_library.h"
#include "core/runs/verification.h"
#include "core/study/study_runner.h"

#include <algorithm>
#include <optional>

namespace apertune::runs {

namespace {

class ClaimRun
{
public:
    ClaimRun(const ClaimTools& tools, const claims::ClaimPlan& plan, base::Nanoseconds budget, const ClaimWatch& watch,
             std::stop_token stop)
        : m_tools(tools), m_plan(plan), m_left(budget), m_watch(watch), m_stop(std::move(stop))
    {
    }

    MeasuredClaims all()
    {
        for (const std::string& source : m_plan.imports)
            step(source, [&]() -> base::Status { return statusOfResult(import(source)); });
        std::size_t open = m_plan.studies.size();
        for (const claims::ClaimStudy& study : m_plan.studies)
            step(study.model, [&] { return measure(study, open--); });
        for (const claims::ClaimPipeline& pipeline : m_plan.pipelines)
            step(pipeline.model, [&] { return fromImageToAnswer(pipeline); });
        for (const std::string& device : m_plan.ceilings)
            step(device, [&] { return copyRates(device); });
        m_result.interrupted = m_stop.stop_requested();
        return std::move(m_result);
    }

private:
    template <typename Value>
    static base::Status statusOfResult(const base::Result<Value>& result)
    {
        return result ? base::Status() : base::Status(result.error());
    }

    template <typename Work>
    void step(const std::string& subject, Work work)
    {
        ++m_step;
        if (m_stop.stop_requested())
            return;
        if (m_watch.step)
            m_watch.step(m_step, stepsOf(m_plan), subject);
        if (const base::Status done = work(); !done && !m_stop.stop_requested())
            m_result.failures.emplace_back(subject, done.error());
    }

    base::Result<model::ModelRef> import(const std::string& source)
    {
        return m_tools.models.resolve(source, m_watch.import, m_stop);
    }

    base::Status measure(const claims::ClaimStudy& planned, std::size_t open)
    {
        const auto model = import(planned.model);
        if (!model)
            return model.error();
        study::StudyRequest request;
        request.model = *model;
        request.goal.objective = model::Objective::latency;
        request.space = planned.space;
        // Time that the studies before left over is shared by those that are open.
        request.budget = {std::max<std::int64_t>(1, m_left.count / static_cast<std::int64_t>(open))};
        request.budgetKind = model::BudgetKind::measuring;
        request.purpose = model::StudyPurpose::claim;
        const auto runner = m_tools.makeRunner();
        runner->setLimits(verificationLimits());
        const base::Nanoseconds begin = base::monotonicNow();
        const auto outcome = runner->run(
            request,
            [this](const study::StudyEvent& event) {
                if (m_watch.study)
                    m_watch.study(event);
            },
            m_stop);
        m_left.count -= std::min((base::monotonicNow() - begin).count, request.budget.count);
        if (runner->studyId())
            m_result.studies.push_back(runner->studyId());
        return statusOfResult(outcome);
    }

    /// The newest measured trial of a model on a device.
    std::optional<model::TrialId> trialOf(const std::string& model, const std::string& device)
    {
        const auto known = m_tools.models.resolveKnown(model);
        const auto studies = m_tools.store.studies();
        if (!known || !*known || !studies)
            return std::nullopt;
        // The store lists the newest study first.
        for (const store::StudySummary& summary : *studies) {
            if (summary.modelName != (*known)->name)
                continue;
            const auto trials = m_tools.store.trials(summary.id, false);
            for (const model::Trial& trial : trials ? *trials : std::vector<model::Trial>())
                if (trial.state == model::TrialState::ok && trial.device == device)
                    return trial.id;
        }
        return std::nullopt;
    }

    base::Status fromImageToAnswer(const claims::ClaimPipeline& pipeline)
    {
        const auto trial = trialOf(pipeline.model, pipeline.device);
        if (!trial)
            return {}; // The study before it failed, and that is reported.
        return statusOfResult(m_tools.runPipeline(
            *trial,
            [this](study::Phase phase, const base::Message& figure) {
                if (m_watch.phase)
                    m_watch.phase(phase, figure);
            },
            m_stop));
    }

    base::Status copyRates(const std::string& id)
    {
        const model::Device* device = model::findDevice(m_tools.devices, id);
        return device ? statusOfResult(m_tools.measureCeilings(*device, m_stop)) : base::Status();
    }

    const ClaimTools& m_tools;
    const claims::ClaimPlan& m_plan;
    base::Nanoseconds m_left;
    const ClaimWatch& m_watch;
    std::stop_token m_stop;
    std::size_t m_step = 0;
    MeasuredClaims m_result{};
};

} // namespace

std::size_t stepsOf(const claims::ClaimPlan& plan)
{
    return plan.imports.size() + plan.studies.size() + plan.pipelines.size() + plan.ceilings.size();
}

base::Nanoseconds timeAfterStep(const claims::ClaimPlan& plan, base::Nanoseconds budget, std::size_t number)
{
    const auto behind = [number](std::size_t first, std::size_t count) {
        return static_cast<std::int64_t>(first + count - std::clamp(number, first, first + count));
    };
    const auto share = budget.count / static_cast<std::int64_t>(std::max<std::size_t>(1, plan.studies.size()));
    const std::size_t studies = plan.imports.size();
    const std::size_t pipelines = studies + plan.studies.size();
    return {share * behind(studies, plan.studies.size()) +
            kClaimPipelineTime.count * behind(pipelines, plan.pipelines.size())};
}

MeasuredClaims measureClaims(const ClaimTools& tools, const claims::ClaimPlan& plan, base::Nanoseconds budget,
                             const ClaimWatch& watch, std::stop_token stop)
{
    return ClaimRun(tools, plan, budget, watch, std::move(stop)).all();
}

} // namespace apertune::runs
