// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/search/tpe_search.h"

#include "core/base/child_process.h"
#include "core/base/json.h"
#include "core/stats/block_stats.h"

#include <nlohmann/json.hpp>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <map>
#include <set>

namespace apertune::search::bench {

namespace {

using base::Json;
using search::Probe;
using search::ProbeResult;

constexpr int kStartLimitMs = 60'000;

class Process final : public TpeProcess
{
public:
    explicit Process(base::ChildProcess child) : m_child(std::move(child)) {}

    /// One line out, one in; null when the process does not answer.
    Json exchange(const Json& command)
    {
        const std::string line = command.dump() + "\n";
        for (std::size_t at = 0; at < line.size();) {
            const ssize_t n = ::write(m_child.stdinFd(), line.data() + at, line.size() - at);
            if (n < 0 && errno == EINTR)
                continue;
            if (n <= 0)
                return nullptr;
            at += static_cast<std::size_t>(n);
        }
        return read();
    }
    Json read()
    {
        while (true) {
            if (const auto end = m_text.find('\n'); end != std::string::npos) {
                const Json reply = Json::parse(m_text.substr(0, end), nullptr, false);
                m_text.erase(0, end + 1);
                return reply.is_object() ? reply : Json(nullptr);
            }
            pollfd ready{m_child.stdoutFd(), POLLIN, 0};
            if (::poll(&ready, 1, kStartLimitMs) <= 0)
                return nullptr;
            char buffer[4096];
            const ssize_t n = ::read(m_child.stdoutFd(), buffer, sizeof buffer);
            if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
                return nullptr;
            if (n > 0)
                m_text.append(buffer, static_cast<std::size_t>(n));
        }
    }

    std::string version() const override { return m_version; }
    void setVersion(std::string version) { m_version = std::move(version); }
    std::unique_ptr<search::Searcher> make(const search::SearchTask& task, std::uint64_t seed, bool quick) override;

private:
    base::ChildProcess m_child;
    std::string m_text;
    std::string m_version;
};

class Tpe final : public search::Searcher
{
public:
    Tpe(Process& process, const search::SearchTask& task, std::uint64_t seed, bool quick)
        : m_process(process), m_task(task), m_quick(quick), m_groups(task.groups.size())
    {
        m_outcome.configurations.resize(task.configurations.size());
        for (std::size_t i = 0; i < task.configurations.size(); ++i)
            m_groups[task.configurations[i].group].push_back(i);
        std::erase_if(m_groups, [](const auto& group) { return group.empty(); });
        Json sizes = Json::array();
        for (const auto& group : m_groups)
            sizes.push_back(group.size());
        m_alive = !m_process.exchange({{"new", {{"families", sizes}, {"seed", seed % 4294967295U}}}}).is_null();
    }

    std::optional<Probe> next() override
    {
        // What it asks again costs nothing and is told again: that is how its users keep results.
        for (std::size_t asked = 0; m_alive && m_asked < 5 * m_task.configurations.size() && !spent(); ++asked) {
            ++m_asked;
            const Json reply = m_process.exchange({{"ask", 1}});
            if (reply.is_null())
                break;
            const std::size_t configuration =
                m_groups[reply.at("family").get<std::size_t>()][reply.at("position").get<std::size_t>()];
            m_probe = {configuration, search::kFullBlocks, search::kFullBlock, search::kFullWarmUp, false};
            if (m_quick)
                m_probe = {configuration, 2, base::fromMilliseconds(100), base::fromMilliseconds(100), false};
            const auto known = m_costs.find(configuration);
            if (known == m_costs.end())
                return m_probe;
            tellCost(known->second);
        }
        return std::nullopt;
    }

    void tell(const ProbeResult& result) override
    {
        m_measuring += result.measuring;
        m_wall += result.wall;
        search::ConfigurationOutcome& configurationOutcome = m_outcome.configurations[m_probe.configuration];
        double cost = INFINITY;
        if (result.end == ProbeResult::End::ok && !result.passNs.empty()) {
            configurationOutcome.state = search::ConfigurationOutcome::State::measured;
            // The faster one of two short blocks counts, as in racing; a median needs more blocks.
            configurationOutcome.passNs =
                m_quick ? *std::min_element(result.passNs.begin(), result.passNs.end()) : stats::median(result.passNs);
            const auto& goal = m_task.goal;
            const auto bound = model::medianBound(goal);
            const bool allowed = (!bound || configurationOutcome.passNs <= static_cast<double>(bound->count)) &&
                                 (!goal.maxMemory || (result.peak && *result.peak <= *goal.maxMemory));
            if (allowed && goal.objective == model::Objective::memory)
                cost = result.peak ? static_cast<double>(result.peak->count) : INFINITY;
            else if (allowed)
                cost = goal.objective == model::Objective::latency
                           ? configurationOutcome.passNs
                           : configurationOutcome.passNs / m_task.configurations[m_probe.configuration].batch;
        } else {
            configurationOutcome.state = search::ConfigurationOutcome::State::failed;
            configurationOutcome.reason = result.reason;
        }
        m_costs[m_probe.configuration] = cost;
        if (std::isfinite(cost) && (!m_outcome.winner || cost < m_costs[*m_outcome.winner]))
            m_outcome.winner = m_probe.configuration;
        tellCost(cost);
    }

    search::SearchOutcome outcome() const override { return m_outcome; }

private:
    bool spent() const
    {
        return (m_task.measuring.count > 0 && m_measuring >= m_task.measuring) ||
               (m_task.wall.count > 0 && m_wall >= m_task.wall);
    }
    void tellCost(double cost)
    {
        m_alive = !m_process.exchange({{"tell", std::isfinite(cost) ? Json(std::log(cost)) : Json(nullptr)}}).is_null();
    }

    Process& m_process;
    const search::SearchTask m_task;
    const bool m_quick;
    std::vector<std::vector<std::size_t>> m_groups;
    std::map<std::size_t, double> m_costs;
    search::SearchOutcome m_outcome;
    base::Nanoseconds m_measuring{};
    base::Nanoseconds m_wall{};
    Probe m_probe{};
    std::size_t m_asked = 0;
    bool m_alive = false;
};

std::unique_ptr<search::Searcher> Process::make(const search::SearchTask& task, std::uint64_t seed, bool quick)
{
    return std::make_unique<Tpe>(*this, task, seed, quick);
}

} // namespace

base::Result<std::unique_ptr<TpeProcess>> TpeProcess::start(const std::filesystem::path& python,
                                                            const std::filesystem::path& script)
{
    const base::Error missing =
        base::plainError(base::ErrorCode::unsupported, "Optuna is not here, so its TPE does not take part.",
                         python.string(), "Install it: `" + python.string() + " -m pip install optuna`.");
    if (python.empty())
        return missing;
    auto child = base::ChildProcess::start({{python.string(), script.string()}, {}, {}});
    if (!child)
        return child.error();
    auto process = std::make_unique<Process>(std::move(*child));
    const Json hello = process->read();
    if (!hello.is_object() || !hello.contains("optuna"))
        return missing;
    process->setVersion(hello.at("optuna").get<std::string>());
    return std::unique_ptr<TpeProcess>(std::move(process));
}

} // namespace apertune::search::bench
