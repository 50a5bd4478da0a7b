// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/racing.h"

#include "core/search/final_rounds.h"
#include "core/search/generator.h"
#include "core/search/leaderboard.h"
#include "core/search/memory_edge.h"
#include "core/search/race_budget.h"
#include "core/search/race_reasons.h"
#include "core/search/race_standing.h"
#include "core/search/reasons.h"
#include "core/search/search_state.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>

namespace apertune::search {

namespace {

constexpr double kPruneAfterOne =
    0.4; ///< share of the rival's speed below which a group is left for good after a probe
constexpr double kLeaveAfterOne = 0.7;  ///< share of the rival's speed below which a group is left after one probe
constexpr double kLeaveAfterTwo = 0.92; ///< share of the leader's speed below which a group is left after two probes
constexpr double kKnownGood = 1.25;     ///< cost over the best of an earlier search up to which a group is good
constexpr double kWorseMargin = 0.05; ///< a batch search ends when two in a row are so much worse than the group's best
constexpr double kResolvedHalfWidth = 0.004; ///< half-width of a log ratio below which further rounds decide nothing
constexpr int kRoundsMost = 60;              ///< rounds after which an undecided race ends
constexpr std::size_t kFinalists = 4;        ///< most configurations in the final rounds
constexpr double kFinalistMargin = 0.01; ///< log ratio to the winner up to which a third and fourth become finalists
constexpr int kFinalRounds = 20;
constexpr int kFinalRoundsLeast = 8;       ///< rounds before a finalist may leave; fewer than 6 give no interval
constexpr std::ptrdiff_t kLeaderShare = 4; ///< the leader's group gets at least this fraction (1/4) of the time left
constexpr base::Nanoseconds kProbeBlock = base::fromMilliseconds(100);
constexpr base::Nanoseconds kWarmUp = base::fromMilliseconds(100);

/// Progress of the search for the best batch of one group.
struct BatchSearch
{
    std::size_t group = 0;
    std::vector<std::size_t> batches;    ///< configurations to probe, the next one last
    std::vector<std::size_t> measured{}; ///< measured configurations in the order of measuring
    int consecutiveWorse = 0;            ///< configurations in a row that are kWorseMargin worse than the group's best
    int failures = 0;                    ///< configurations that failed for a reason other than memory
    bool open = false;                   ///< the edges are known and probing has begun
    bool paused = false;                 ///< the share of the budget is spent
};

/// Part of the budget that a batch search may take before it pauses.
struct BudgetShare
{
    base::Nanoseconds begin{};    ///< measuring time of the race when the share began
    std::ptrdiff_t remaining = 0; ///< batch searches that wait for the rest of the budget
    bool othersAreFresh = false;  ///< some batch searches have not begun
    bool singleProbe = false;     ///< this one has not begun either and gets one probe
};

/// The batch search that continues now.
struct NextSearch
{
    BatchSearch batchSearch;
    bool leads = false; ///< it was preferred because its group leads
};

/// A configuration that a batch search left out, and why.
struct PrunedConfiguration
{
    std::size_t configuration = 0;
    base::Message why;
};

class Racing final : public Searcher
{
public:
    Racing(const SearchTask& task, std::uint64_t seed) : m_state(task, seed), m_generator(run()) {}

    std::optional<Probe> next() override
    {
        auto probe = m_generator.next();
        if (probe)
            m_probe = *probe;
        return probe;
    }
    void tell(const ProbeResult& result) override
    {
        m_last = result;
        m_budget.count(m_probe, result);
        if (!m_probe.confirm) {
            m_state.note(m_probe, result);
            return;
        }
        // Blocks of the final rounds are kept apart from those of the race: they are longer and compared in pairs.
        ProbeResult bare = result;
        bare.passNs.clear();
        m_state.note(m_probe, bare);
        if (result.end == ProbeResult::End::ok)
            m_finalRounds.add(m_probe.configuration, result.passNs);
    }
    SearchOutcome outcome() const override;

private:
    Generator run();
    Generator probeKnownBest();
    Generator searchGroups();
    Generator findMemoryEdge(BatchSearch& batchSearch);
    Generator findLatencyEdge(BatchSearch& batchSearch);
    /// Sorts configurations of a group so that the batch which an earlier search found best comes last, after those
    /// that are nearest to it.
    /// REQUIRES: the group has a known best.
    void sortByKnownBest(std::size_t group, std::vector<std::size_t>& batches) const;
    Generator searchDownward(BatchSearch& batchSearch, BudgetShare share);
    Generator rescuePass();
    Generator race();
    Generator runFinalRounds();

    bool throughput() const { return m_state.task().goal.objective == model::Objective::throughput; }
    /// Whether probes of large batches have to be planned within a measuring budget.
    bool plansWithinBudget() const { return throughput() && m_state.task().measuring.count > 0; }
    bool failed() const { return m_last.end != ProbeResult::End::ok; }
    static std::vector<std::vector<std::size_t>> groups(const SearchTask& task);
    std::vector<std::size_t> groupOrder() const;
    NextSearch takeNextSearch();
    bool isEngineSeen(const std::string& engine) const;
    /// Expected time until the model is converted for the engine of a group; 0 when it is.
    base::Nanoseconds toConvert(std::size_t group) const;
    /// Reason not to open a group; empty when it is worth opening.
    model::Reason whyNotWorthwhile(std::size_t group) const;
    Probe shortProbe(std::size_t configuration) const { return {configuration, 2, kProbeBlock, kWarmUp, false}; }
    /// Removes arms that are surely worse and returns whether the race is decided. `first` has the number of samples
    /// that each configuration had before the race. Only rounds that all arms took part in count.
    bool dropSlower(std::vector<std::size_t>& arms, const std::vector<std::size_t>& first);

    SearchState m_state;
    const std::vector<std::vector<std::size_t>> m_configurations =
        groups(m_state.task());                ///< configurations by group, batches ascending
    std::deque<BatchSearch> m_batchSearches;   ///< a paused batch search waits behind those that have not begun
    std::ptrdiff_t m_begun = 0;                ///< batch searches that have begun
    std::ptrdiff_t m_leaderContinuesAt = 2;    ///< number of begun batch searches at which the leader's group continues
    std::vector<PrunedConfiguration> m_pruned; ///< candidates for the rescue pass
    ProbeResult m_last{};
    Probe m_probe{};
    RaceBudget m_budget{m_state};
    Leaderboard m_board{m_state};
    std::vector<std::size_t> m_finalists; ///< result of the race, the best first
    FinalRounds m_finalRounds{m_state};
    Generator m_generator; ///< declared last, because the coroutine uses all other members
};

std::vector<std::vector<std::size_t>> Racing::groups(const SearchTask& task)
{
    std::vector<std::vector<std::size_t>> configurations(task.groups.size());
    for (std::size_t i = 0; i < task.configurations.size(); ++i)
        configurations[task.configurations[i].group].push_back(i);
    for (auto& group : configurations)
        std::stable_sort(group.begin(), group.end(), [&](std::size_t a, std::size_t b) {
            return task.configurations[a].batch < task.configurations[b].batch;
        });
    return configurations;
}

std::vector<std::size_t> Racing::groupOrder() const
{
    const auto& groups = m_state.task().groups;
    double best = INFINITY;
    for (const ConfigurationGroup& group : groups)
        if (group.known)
            best = std::min(best, group.known->cost);
    // Groups that an earlier search found good come first, those of which nothing is known second, and those that it
    // found worse last.
    const auto promise = [best](const ConfigurationGroup& group) {
        if (!group.known)
            return std::pair(1, 0.0);
        return std::pair(group.known->cost <= kKnownGood * best ? 0 : 2, group.known->cost);
    };
    std::vector<std::size_t> order(groups.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    // The baseline stays first; of the others, those planned last promise most.
    if (order.size() > 1) {
        std::reverse(order.begin() + 1, order.end());
        std::stable_sort(order.begin() + 1, order.end(),
                         [&](std::size_t a, std::size_t b) { return promise(groups[a]) < promise(groups[b]); });
    }
    // One group of every engine comes before the second of any: which engine is best is what a short budget has to
    // find. Engines that need no conversion come first.
    std::map<std::string_view, std::size_t> measured;
    std::vector<std::size_t> rank(groups.size());
    for (const std::size_t group : order)
        // Only the first group of an engine is preferred; the others keep their order.
        rank[group] = std::min<std::size_t>(1, measured[groups[group].engine]++);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const auto key = [&](std::size_t group) {
            return std::tuple(groups[group].compile, rank[group],
                              rank[group] == 0 ? groups[group].convert : base::Nanoseconds{});
        };
        return key(a) < key(b);
    });
    return order;
}

bool Racing::isEngineSeen(const std::string& engine) const
{
    const SearchTask& task = m_state.task();
    for (std::size_t i = 0; i < task.configurations.size(); ++i)
        if (task.groups[task.configurations[i].group].engine == engine && !m_state.samples(i).empty())
            return true;
    return false;
}

base::Nanoseconds Racing::toConvert(std::size_t group) const
{
    const ConfigurationGroup& about = m_state.task().groups[group];
    return isEngineSeen(about.engine) ? base::Nanoseconds{} : about.convert;
}

model::Reason Racing::whyNotWorthwhile(std::size_t group) const
{
    const SearchTask& task = m_state.task();
    const ConfigurationGroup& about = task.groups[group];
    const double leader = m_board.leaderCost();
    // The leader's cost is in ns a sample, so 1e9 / leader is its throughput.
    if (throughput() && about.ceiling && std::isfinite(leader) && *about.ceiling * leader < 1e9)
        return model::Reason{model::ReasonKind::bound,
                             base::message<reasons::kCeiling>(base::SamplesPerSecond{*about.ceiling}, 1e9 / leader)};
    // Which engine is best matters more than which of two configurations is, so the first probe of an engine may take
    // the time that the race would have.
    if (const base::Nanoseconds convert = toConvert(group); convert.count > 0 && task.wall.count > 0) {
        const base::Nanoseconds probe = m_budget.firstProbe(convert);
        if (m_state.wall() + probe > task.wall)
            return model::Reason{
                model::ReasonKind::compileCost,
                base::message<reasons::kConvertTime>(probe, task.wall - std::min(task.wall, m_state.wall()))};
    }
    if (about.compile.count <= 0)
        return {};
    // A plain sibling that could not be measured is no evidence: a compiled model runs other code. It is compared at
    // its own batches, because it may have been probed at the smallest alone, where a GPU makes a fraction of its
    // throughput.
    if (const double behind = about.plain ? m_board.behindAtSameBatch(m_configurations[*about.plain]) : INFINITY;
        std::isfinite(behind) && behind > about.compileGain)
        return model::Reason{
            model::ReasonKind::compileCost,
            base::message<reasons::kCompileGain>(base::Share{1 / behind}, std::lround(about.compileGain))};
    const base::Nanoseconds compile = m_budget.compilation(about.compile);
    const base::Nanoseconds after = m_state.wall() + compile + m_budget.reserve();
    if (task.wall.count > 0 && after > task.wall)
        return model::Reason{
            model::ReasonKind::compileCost,
            base::message<reasons::kCompileTime>(compile, task.wall - std::min(task.wall, m_state.wall()))};
    return {};
}

bool Racing::dropSlower(std::vector<std::size_t>& arms, const std::vector<std::size_t>& first)
{
    // A visit gives fewer blocks than asked for when a pass is longer than a block, so arms may differ in rounds.
    std::size_t rounds = m_state.samples(arms.front()).size() - first[arms.front()];
    for (const std::size_t configuration : arms)
        rounds = std::min(rounds, m_state.samples(configuration).size() - first[configuration]);
    std::vector<std::vector<double>> costs(arms.size());
    for (std::size_t arm = 0; arm < arms.size(); ++arm)
        for (std::size_t round = 0; round < rounds; ++round)
            costs[arm].push_back(m_state.costOf(arms[arm], m_state.samples(arms[arm])[first[arms[arm]] + round]));
    const RaceStanding standing = raceStanding(costs);
    std::vector<std::size_t> left;
    m_finalists.clear();
    for (const std::size_t arm : standing.ranked) {
        if (!standing.surelyWorse(arm))
            left.push_back(arms[arm]);
        // The runner-up is the next best even when it left the race now.
        if (m_finalists.size() < 2 || (m_finalists.size() < kFinalists && standing.behind[arm] < kFinalistMargin))
            m_finalists.push_back(arms[arm]);
    }
    arms = std::move(left);
    return arms.size() == 1 || standing.halfWidth < kResolvedHalfWidth;
}

Generator Racing::run()
{
    const std::array stages{&Racing::probeKnownBest, &Racing::searchGroups, &Racing::rescuePass, &Racing::race,
                            &Racing::runFinalRounds};
    for (const auto stage : stages)
        for (Generator part = (this->*stage)(); const auto probe = part.next();)
            co_yield *probe;
}

NextSearch Racing::takeNextSearch()
{
    auto next = m_batchSearches.begin();
    bool leads = false;
    // Batch searches that have not begun stand in front. Once the first is open, all are, and the best group goes on.
    if (next->open) {
        next = std::min_element(
            m_batchSearches.begin(), m_batchSearches.end(), [&](const BatchSearch& one, const BatchSearch& other) {
                return m_board.bestOf(m_configurations[one.group]) < m_board.bestOf(m_configurations[other.group]);
            });
    } else if (plansWithinBudget() && m_begun >= m_leaderContinuesAt && m_board.leader() &&
               isEngineSeen(m_state.task().groups[next->group].engine)) {
        // The budget may end before paused searches continue, so the leader's group goes on after 2, 4, 8 … have begun.
        // Only the first probes of engines come before that.
        m_leaderContinuesAt *= 2;
        const std::size_t first = m_state.task().configurations[*m_board.leader()].group;
        const auto paused = std::find_if(m_batchSearches.begin(), m_batchSearches.end(),
                                         [&](const BatchSearch& other) { return other.open && other.group == first; });
        leads = paused != m_batchSearches.end();
        next = leads ? paused : next;
    }
    // The search is moved out, because the caller may push it back while others change.
    BatchSearch batchSearch = std::move(*next);
    m_batchSearches.erase(next);
    return {std::move(batchSearch), leads};
}

/// Probes the baseline and then the best configuration of an earlier search, so that even the shortest search can tell
/// how much it gains.
Generator Racing::probeKnownBest()
{
    const auto& groups = m_state.task().groups;
    const auto best = std::min_element(
        groups.begin(), groups.end(), [](const ConfigurationGroup& one, const ConfigurationGroup& other) {
            return (one.known ? one.known->cost : INFINITY) < (other.known ? other.known->cost : INFINITY);
        });
    if (!throughput() || best == groups.end() || !best->known || !groups.front().known)
        co_return;
    for (const std::size_t group : {std::size_t{0}, static_cast<std::size_t>(best - groups.begin())}) {
        std::vector<std::size_t> batches = m_configurations[group];
        if (batches.empty() || !whyNotWorthwhile(group).empty())
            continue;
        sortByKnownBest(group, batches);
        // The baseline may be the best itself.
        if (!m_state.spent() && m_state.samples(batches.back()).empty())
            co_yield shortProbe(batches.back());
    }
}

Generator Racing::searchGroups()
{
    for (const std::size_t group : groupOrder())
        if (!m_configurations[group].empty())
            m_batchSearches.push_back({group, m_configurations[group]});
    while (!m_batchSearches.empty() && !m_state.spent()) {
        NextSearch nextSearch = takeNextSearch();
        BatchSearch& batchSearch = nextSearch.batchSearch;
        const auto fresh = std::count_if(m_batchSearches.begin(), m_batchSearches.end(),
                                         [](const BatchSearch& other) { return !other.open; });
        // The leader's group gets at least a quarter of the rest, however many others wait, because it may win.
        const BudgetShare share{m_state.measuring(), nextSearch.leads ? std::min(fresh, kLeaderShare - 1) : fresh,
                                fresh > 0, plansWithinBudget() && !batchSearch.open && !m_batchSearches.empty()};
        if (!batchSearch.open) {
            if (const model::Reason reason = whyNotWorthwhile(batchSearch.group); !reason.empty()) {
                for (const std::size_t configuration : batchSearch.batches)
                    m_state.prune(configuration, reason.kind, reason.message);
                continue;
            }
            const std::array edges{&Racing::findMemoryEdge, &Racing::findLatencyEdge};
            for (const auto edge : edges)
                for (Generator part = (this->*edge)(batchSearch); const auto probe = part.next();)
                    co_yield *probe;
        }
        for (Generator part = searchDownward(batchSearch, share); const auto probe = part.next();)
            co_yield *probe;
        if (!batchSearch.paused)
            continue;
        batchSearch.paused = false;
        if (share.othersAreFresh || share.singleProbe)
            m_batchSearches.push_back(std::move(batchSearch));
        else
            // All searches are open and the share is spent.
            m_batchSearches.clear(); // The rest of the budget is reserved for the race.
    }
}

/// Finds the largest batch that fits into memory and prunes the batches beyond it.
Generator Racing::findMemoryEdge(BatchSearch& batchSearch)
{
    const SearchTask& task = m_state.task();
    std::vector<std::size_t>& batches = batchSearch.batches;
    // Two batches or fewer are simply measured.
    if (!throughput() || !task.memory || batches.size() <= 2 || fitsWithMargin(m_state, batches.back()))
        co_return;
    std::vector<double> batchSizes;
    for (const std::size_t configuration : batches)
        batchSizes.push_back(static_cast<double>(task.configurations[configuration].batch));
    std::vector<double> peaks;
    for (std::size_t i = 0; i < 2; ++i) {
        co_yield Probe{batches[i], 0, {}, {}, false};
        if (failed() || !m_last.peak)
            break;
        peaks.push_back(static_cast<double>(m_last.peak->count));
        // Every batch fits even if the whole peak grew with the batch, so the second probe is not needed.
        if (peaks[0] * batchSizes.back() / batchSizes[0] <= static_cast<double>(task.memory->count))
            break;
    }
    // Two small batches predict a large one poorly. Each step therefore measures the largest batch that surely fits and
    // corrects the line with its peak, until that batch is next to the edge. Six steps bound the number of passes.
    std::size_t known = 1;
    std::size_t edge = batches.size() - 1;
    for (int correction = 0; peaks.size() == 2 && correction < 6; ++correction) {
        const MemoryLine line(batchSizes[0], peaks[0], batchSizes[known], peaks[1]);
        const MemoryEdge reach = memoryEdge(line, batchSizes, known, *task.memory);
        edge = reach.edge;
        if (!reach.settled) {
            const std::size_t safe = reach.safe;
            // The batch next to the edge is a candidate itself, so it is timed and not only opened.
            co_yield (safe + 1 == edge ? shortProbe(batches[safe]) : Probe{batches[safe], 0, {}, {}, false});
            if (!failed() && m_last.peak) {
                known = safe;
                peaks[1] = static_cast<double>(m_last.peak->count);
                continue;
            }
            edge = safe;
        }
        for (std::size_t i = edge + 1; i < batches.size(); ++i)
            m_state.prune(batches[i], model::ReasonKind::batchEdge,
                          base::message<reasons::kBeyondMemory>(line.bytes(batchSizes[i]), *task.memory));
        break;
    }
    batches.resize(std::min(batches.size(), edge + 1));
}

/// Puts the batches into the order of probing. For throughput with a latency bound, it also finds the largest batch
/// within the bound by bisection and prunes the larger ones.
Generator Racing::findLatencyEdge(BatchSearch& batchSearch)
{
    std::vector<std::size_t>& batches = batchSearch.batches;
    if (!throughput())
        std::reverse(batches.begin(), batches.end());
    const auto latency = model::medianBound(m_state.task().goal);
    if (!throughput() || !latency || batches.size() <= 1)
        co_return;
    const double bound = static_cast<double>(latency->count);
    std::size_t low = 0;
    std::size_t high = batches.size(); // [0, low) keeps the bound, [high, …) breaks it.
    std::size_t middle = high - 1;     // Most often even the largest batch keeps the bound: one probe then.
    while (low < high) {
        co_yield shortProbe(batches[middle]);
        const bool holds = !failed() && m_state.outcomeOf(batches[middle]).passNs <= bound;
        // Exactly one bound moves, so the loop ends.
        (holds ? low : high) = holds ? middle + 1 : middle;
        middle = (low + high) / 2;
    }
    for (std::size_t i = low; i < batches.size(); ++i)
        m_state.prune(batches[i], model::ReasonKind::latency, base::message<reasons::kLatencyBound>(*latency));
    batches.resize(low);
}

void Racing::sortByKnownBest(std::size_t group, std::vector<std::size_t>& batches) const
{
    const SearchTask& task = m_state.task();
    const double known = std::log2(static_cast<double>(task.groups[group].known->batch));
    const auto distance = [&](std::size_t configuration) {
        return std::abs(std::log2(static_cast<double>(task.configurations[configuration].batch)) - known);
    };
    // Of two batches as near, the larger one stays behind the smaller and so comes first.
    std::stable_sort(batches.begin(), batches.end(),
                     [&](std::size_t a, std::size_t b) { return distance(a) > distance(b); });
}

/// Probes the batches of a group from the last element of `batches` to the first, until the group is done, is left as
/// hopeless, or has used its share of the budget.
Generator Racing::searchDownward(BatchSearch& batchSearch, BudgetShare share)
{
    std::vector<std::size_t>& batches = batchSearch.batches;
    const std::vector<std::size_t>& group = m_configurations[batchSearch.group];
    const std::size_t edge = batches.empty() ? 0 : batches.back();
    // As long as nothing is known of a group, it is assumed to be as slow as the slowest one.
    const auto cost = [&] { return batchSearch.measured.empty() ? m_board.slowestCost() : m_board.bestOf(group); };
    if (throughput() && m_state.task().groups[batchSearch.group].known)
        sortByKnownBest(batchSearch.group, batches);
    else if (share.singleProbe && !batches.empty())
        std::rotate(batches.begin(), batches.begin() + 1, batches.end()); // The smallest batch takes the least time.
    else if (plansWithinBudget() && batches.size() > 1)
        m_budget.startWithin(m_budget.share(share.begin, share.remaining), cost(), batches);
    // Searches that continue are not counted again.
    m_begun += batchSearch.open ? 0 : 1;
    batchSearch.open = true;
    const auto timeIsUp = [&] {
        const auto left = [&] {
            return share.begin + m_budget.share(share.begin, share.remaining) - m_state.measuring();
        };
        return m_budget.shareSpent(share.begin, share.remaining) ||
               (plansWithinBudget() && share.othersAreFresh && !m_budget.probeFits(batches.back(), left(), cost()));
    };
    bool probed = false;
    while (!batches.empty() && !m_state.spent()) {
        if (share.singleProbe ? probed : !batchSearch.measured.empty() && timeIsUp()) {
            batchSearch.paused = true;
            co_return;
        }
        const std::size_t configuration = batches.back();
        batches.pop_back();
        probed = true; // The probe happens now, or it happened while an edge was searched.
        if (m_state.samples(configuration).empty()) {
            co_yield shortProbe(configuration);
            // One failure may be of that batch alone; two say that the group does not run.
            if (m_last.end == ProbeResult::End::failed && ++batchSearch.failures == 2) {
                for (const std::size_t other : batches)
                    m_state.prune(other, model::ReasonKind::dominated,
                                  base::message<reasons::kTwoBatchesFailed>(m_last.reason.message));
                co_return;
            }
            if (failed())
                continue;
        }
        batchSearch.measured.push_back(configuration);
        const double best = m_board.bestOf(group);
        batchSearch.consecutiveWorse =
            m_state.optimisticCost(configuration) > best * (1 + kWorseMargin) ? batchSearch.consecutiveWorse + 1 : 0;
        const auto rival = m_board.rivalOf(configuration, configuration == edge);
        const bool isFirst = batchSearch.measured.size() == 1;
        const double rivalCost = rival ? m_state.optimisticCost(*rival) : INFINITY;
        // So far behind that no other batch can make up for it: pruned for good.
        if (isFirst && best * kPruneAfterOne > rivalCost) {
            const base::Message why = farBehindMessage(m_state, batchSearch.measured, *rival);
            for (const std::size_t other : batches)
                m_state.prune(other, model::ReasonKind::dominated, why);
            co_return;
        }
        const bool isBehindRival = isFirst && best * kLeaveAfterOne > rivalCost;
        const bool isBehindLeader = batchSearch.measured.size() == 2 && best * kLeaveAfterTwo > m_board.leaderCost();
        if (!isBehindRival && !isBehindLeader && batchSearch.consecutiveWorse < 2)
            continue;
        // Few probes may mislead, so these configurations are candidates for the rescue pass and not pruned yet.
        const base::Message why = isBehindRival    ? farBehindMessage(m_state, batchSearch.measured, *rival)
                                  : isBehindLeader ? farBehindMessage(m_state, batchSearch.measured, *m_board.leader())
                                                   : gettingWorseMessage(m_state, batchSearch.measured, group);
        for (auto other = batches.rbegin(); other != batches.rend(); ++other)
            m_pruned.push_back({*other, why});
        co_return;
    }
}

/// Probes the configurations that batch searches left out, as long as there is time: those of the best groups first.
/// Their batches need not get worse steadily, so a better one may be among them.
Generator Racing::rescuePass()
{
    const auto& task = m_state.task();
    std::stable_sort(m_pruned.begin(), m_pruned.end(), [&](const PrunedConfiguration& a, const PrunedConfiguration& b) {
        return m_board.bestOf(m_configurations[task.configurations[a.configuration].group]) <
               m_board.bestOf(m_configurations[task.configurations[b.configuration].group]);
    });
    // The time up to here is that of the batch searches.
    const base::Nanoseconds batchSearchTime = m_state.wall();
    for (const PrunedConfiguration& left : m_pruned)
        if (!m_budget.rescueEnds(batchSearchTime))
            co_yield shortProbe(left.configuration);
        else
            m_state.prune(left.configuration, model::ReasonKind::dominated, left.why);
    m_state.pruneRest(model::ReasonKind::budget, base::message<reasons::kBudgetSpent>());
}

/// Measures the configurations near the leader round by round until the best is known.
Generator Racing::race()
{
    const SearchTask& task = m_state.task();
    std::vector<std::size_t> arms = m_board.nearBest();
    // Memory is known from one probe, so no race is needed.
    if (task.goal.objective == model::Objective::memory || arms.empty())
        co_return;
    std::vector<std::size_t> first(m_state.size());
    for (const std::size_t configuration : arms)
        first[configuration] = m_state.samples(configuration).size();
    m_finalists = {arms.front()};
    if (arms.size() > 1) {
        m_finalists.push_back(arms[1]);
    } else {
        // The recommendation goes by the median and its interval, and the two blocks of a probe give neither.
        co_yield Probe{arms.front(), kRoundsLeast, kRaceBlock, kWarmUp, false};
        if (failed())
            m_finalists.clear();
    }
    for (int round = 0; round < kRoundsMost && arms.size() > 1 && !m_state.spent();) {
        // Every visit to a closed configuration loads it again, so it then takes the blocks of several rounds.
        const int visit = arms.size() > task.openAtOnce ? kRoundsLeast : 1;
        std::vector<std::size_t> order = arms;
        m_state.shuffle(order);
        for (const std::size_t configuration : order) {
            co_yield Probe{configuration, visit, kRaceBlock, kWarmUp, false};
            // An arm that fails leaves the race; the others go on.
            if (failed() || m_last.passNs.empty())
                std::erase(arms, configuration);
        }
        round += visit;
        if (round >= kRoundsLeast && !arms.empty() && dropSlower(arms, first))
            break;
    }
}

/// Measures the finalists interleaved, each over the time of the full protocol.
Generator Racing::runFinalRounds()
{
    const base::Nanoseconds block{m_budget.finalistTime().count / kFinalRounds};
    std::vector<std::size_t> finalists = m_finalists;
    for (std::size_t k = 0; k < kFinalRounds && finalists.size() > 1; ++k) {
        // Each round begins with another finalist, so that none always runs after the same one.
        for (std::size_t place = 0; place < finalists.size(); ++place) {
            co_yield Probe{finalists[(k + place) % finalists.size()], 1, block,
                           k == 0 ? kFullWarmUp : base::Nanoseconds{}, true};
            // Finalists that failed are not compared; the order of the race stands.
            if (failed())
                co_return;
        }
        if (k + 1 >= kFinalRoundsLeast)
            m_finalRounds.dropBeaten(finalists);
    }
}

SearchOutcome Racing::outcome() const
{
    SearchOutcome outcome = m_state.outcome();
    if (m_finalists.empty())
        return outcome;
    outcome.winner = m_finalists.front();
    if (m_finalists.size() < 2)
        return outcome;
    outcome.runnerUp = m_finalists[1];
    std::vector<std::size_t> ranked = m_finalists;
    // The final rounds decide only when every finalist took part; otherwise the order of the race stands.
    if (!m_finalRounds.rank(ranked))
        return outcome;
    outcome.winner = ranked[0];
    outcome.runnerUp = ranked[1];
    outcome.ratio = m_finalRounds.ratio(ranked[1], ranked[0]);
    return outcome;
}

} // namespace

std::unique_ptr<Searcher> makeRacing(const SearchTask& task, std::uint64_t seed)
{
    return std::make_unique<Racing>(task, seed);
}

} // namespace apertune::search
