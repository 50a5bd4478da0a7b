// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/workload/stages/flow.h"

#include <algorithm>
#include <deque>
#include <functional>

namespace apertune::workload::testing {

using base::Nanoseconds;

/// What each stage of each image, or of each pass, takes.
struct Costs
{
    std::function<Nanoseconds(Stage, std::int64_t)> of;
    Nanoseconds operator()(Stage stage, std::int64_t which) const { return of(stage, which); }
};

/// Random costs of at most `most` nanoseconds a stage, the same for the same image whoever asks.
inline Costs randomCosts(std::uint64_t seed, std::array<std::int64_t, kStageCount> most)
{
    return {[seed, most](Stage stage, std::int64_t which) {
        const auto s = static_cast<std::size_t>(stage);
        base::Random random(seed * 1'000'003 + static_cast<std::uint64_t>(which) * 31 + s);
        return Nanoseconds{1 + static_cast<std::int64_t>(random.uniform() * static_cast<double>(most[s]))};
    }};
}

/// Lets `images` flow through a Flow on a clock that only events move.
inline std::vector<PipelineItem> runVirtually(const PipelinePlan& plan, int batch, const Costs& costs,
                                              std::int64_t images)
{
    Flow flow(plan, batch);
    std::vector<std::optional<PipelineItem>> hosts(static_cast<std::size_t>(plan.decodeThreads));
    std::vector<PipelineItem> pass;
    Stage phase = Stage::copyIn;
    std::optional<PipelineItem> answering;
    std::int64_t admitted = 0;
    Nanoseconds now{};
    const auto begin = [&](PipelineItem& item, Stage stage, std::int64_t which) {
        item[stage] = {now, now + costs(stage, which)};
    };
    const auto beginPhase = [&](Stage stage) {
        phase = stage;
        for (PipelineItem& item : pass)
            begin(item, stage, item.pass);
    };
    while (!flow.drained()) {
        for (auto& host : hosts)
            if (host && (*host)[Stage::preprocess].end == now) {
                flow.prepared(std::move(*host));
                host.reset();
            }
        while (!pass.empty() && pass.front()[phase].end == now) {
            if (phase == Stage::copyIn) {
                flow.copied(pass);
                beginPhase(Stage::infer);
            } else if (phase == Stage::infer) {
                beginPhase(Stage::copyBack);
            } else {
                flow.inferred(pass);
                pass.clear();
            }
        }
        if (answering && (*answering)[Stage::postprocess].end == now) {
            flow.finished(std::move(*answering));
            answering.reset();
        }
        for (bool changed = true; changed;) {
            changed = false;
            if (!answering && (answering = flow.answer())) {
                begin(*answering, Stage::postprocess, answering->image);
                changed = true;
            }
            if (pass.empty() && !(pass = flow.batch(now)).empty()) {
                beginPhase(Stage::copyIn);
                changed = true;
            }
            for (auto& host : hosts)
                if (!host && admitted < images && (host = flow.admit(now))) {
                    begin(*host, Stage::decode, host->image);
                    const Nanoseconds decoded = (*host)[Stage::decode].end;
                    (*host)[Stage::preprocess] = {decoded, decoded + costs(Stage::preprocess, host->image)};
                    changed = true;
                    if (++admitted == images)
                        flow.close();
                }
        }
        std::optional<Nanoseconds> next = flow.wakeAt(now);
        const auto consider = [&](Nanoseconds time) {
            if (time > now && (!next || time < *next))
                next = time;
        };
        for (const auto& host : hosts)
            if (host)
                consider((*host)[Stage::preprocess].end);
        if (!pass.empty())
            consider(pass.front()[phase].end);
        if (answering)
            consider((*answering)[Stage::postprocess].end);
        if (!next)
            break; // nothing will ever happen: the test sees that images are missing
        now = *next;
    }
    return flow.items();
}

/// The same by plain lists and the rules as the headers tell them, sharing no code with Flow. `arrivals`: when each
/// image is there; empty: always.
inline std::vector<PipelineItem> reference(const PipelinePlan& plan, int batch, const Costs& costs, std::int64_t images,
                                           const std::vector<Nanoseconds>& arrivals)
{
    const auto full = static_cast<std::size_t>(plan.queueBatch > 0 ? plan.queueBatch : batch);
    std::size_t room = full * static_cast<std::size_t>(std::max(1, plan.prefetch));
    std::vector<PipelineItem> items(static_cast<std::size_t>(images));
    for (std::size_t i = 0; i < items.size(); ++i)
        items[i].image = static_cast<std::int64_t>(i);
    constexpr std::int64_t kNever = INT64_MAX;
    std::vector<std::int64_t> hostImage(static_cast<std::size_t>(plan.decodeThreads), -1);
    std::deque<std::size_t> ready, out;
    std::vector<std::size_t> inPass, finished;
    std::size_t next = 0, preparing = 0;
    std::int64_t passes = 0, answering = -1, now = 0;
    bool freed = false;
    while (finished.size() < items.size()) {
        for (auto& image : hostImage)
            if (image >= 0 && items[static_cast<std::size_t>(image)].stages[1].end.count == now) {
                ready.push_back(static_cast<std::size_t>(image));
                image = -1;
                --preparing;
            }
        if (!inPass.empty() && !freed && plan.prefetch > 0 && items[inPass[0]].stages[2].end.count == now) {
            room += inPass.size();
            freed = true;
        }
        if (!inPass.empty() && items[inPass[0]].stages[4].end.count == now) {
            if (plan.prefetch == 0)
                room += inPass.size();
            out.insert(out.end(), inPass.begin(), inPass.end());
            inPass.clear();
        }
        if (answering >= 0 && items[static_cast<std::size_t>(answering)].stages[5].end.count == now) {
            finished.push_back(static_cast<std::size_t>(answering));
            answering = -1;
        }
        for (bool changed = true; changed;) {
            changed = false;
            if (answering < 0 && !out.empty()) {
                answering = static_cast<std::int64_t>(out.front());
                out.pop_front();
                const auto i = static_cast<std::size_t>(answering);
                items[i].stages[5] = {{now}, {now + costs(Stage::postprocess, answering).count}};
                changed = true;
            }
            const bool last = next == items.size() && preparing == 0;
            const bool patient = !plan.queueWait ||
                                 (!ready.empty() && now < items[ready[0]].stages[1].end.count + plan.queueWait->count);
            if (inPass.empty() && !ready.empty() && out.size() < 2 * full &&
                (ready.size() >= full || last || !patient)) {
                while (inPass.size() < full && !ready.empty()) {
                    inPass.push_back(ready.front());
                    ready.pop_front();
                }
                std::int64_t time = now;
                for (const std::size_t stage : {2U, 3U, 4U}) {
                    const std::int64_t end = time + costs(static_cast<Stage>(stage), passes).count;
                    for (const std::size_t i : inPass) {
                        items[i].stages[stage] = {{time}, {end}};
                        items[i].pass = passes;
                        items[i].inPass = static_cast<int>(inPass.size());
                    }
                    time = end;
                }
                ++passes;
                freed = false;
                changed = true;
            }
            for (auto& image : hostImage)
                if (image < 0 && next < items.size() && room > 0 && (arrivals.empty() || arrivals[next].count <= now)) {
                    --room;
                    image = static_cast<std::int64_t>(next);
                    PipelineItem& item = items[next++];
                    item.due = arrivals.empty() ? Nanoseconds{now} : arrivals[static_cast<std::size_t>(image)];
                    item.stages[0] = {{now}, {now + costs(Stage::decode, image).count}};
                    item.stages[1] = {item.stages[0].end,
                                      {item.stages[0].end.count + costs(Stage::preprocess, image).count}};
                    ++preparing;
                    changed = true;
                }
        }
        std::int64_t soonest = kNever;
        const auto consider = [&](std::int64_t time) { soonest = time > now ? std::min(soonest, time) : soonest; };
        for (const auto image : hostImage)
            if (image >= 0)
                consider(items[static_cast<std::size_t>(image)].stages[1].end.count);
        if (!inPass.empty())
            for (const std::size_t stage : {2U, 4U})
                consider(items[inPass[0]].stages[stage].end.count);
        if (answering >= 0)
            consider(items[static_cast<std::size_t>(answering)].stages[5].end.count);
        if (next < items.size() && !arrivals.empty())
            consider(arrivals[next].count);
        if (!ready.empty() && plan.queueWait)
            consider(items[ready[0]].stages[1].end.count + plan.queueWait->count);
        if (soonest == kNever)
            break;
        now = soonest;
    }
    std::vector<PipelineItem> ordered;
    for (const std::size_t i : finished)
        ordered.push_back(items[i]);
    return ordered;
}

} // namespace apertune::workload::testing
