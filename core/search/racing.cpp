// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/racing.h"

#include "core/base/text.h"
#include "core/search/last_turns.h"
#include "core/search/leaderboard.h"
#include "core/search/memory_edge.h"
#include "core/search/notebook.h"
#include "core/search/race_budget.h"
#include "core/search/race_standing.h"
#include "core/search/race_words.h"
#include "core/search/script.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <numeric>

namespace apertune::search {

namespace {

constexpr double kDrop = 0.85;      ///< of the leader, below which a family is left after two cells
constexpr double kDropAtOnce = 0.4; ///< …after its first
constexpr double kFalling = 0.05;   ///< worse than the family's best, twice in a row: the walk ends
constexpr double kResolved = 0.004; ///< half-width of a ratio at which the race has nothing left to tell
constexpr double kCompileGain = 3;  ///< what compiling gains at most, by the published ranges
constexpr int kRoundsMost = 60;
constexpr std::size_t kFinalists = 4;
constexpr double kFinal = 0.01;            ///< from the leader by the race: what takes turns with the first two
constexpr int kTurns = 20;                 ///< short ones, shared evenly
constexpr int kTurnsLeast = 8;             ///< fewer than 6 have no interval
constexpr std::ptrdiff_t kLeaderShare = 4; ///< of a budget's rest, one part: what a leader's further looks may take
constexpr base::Nanoseconds kScoutBlock = base::fromMilliseconds(100);
constexpr base::Nanoseconds kWarmUp = base::fromMilliseconds(100);

/// The way through a family's batches.
struct Walk
{
    std::size_t family = 0;
    std::vector<std::size_t> ladder; ///< cells not looked at yet, the next one last
    std::vector<std::size_t> seen{}; ///< measured ones, in order
    int falling = 0;
    int broken = 0;
    bool open = false;   ///< its edge is known
    bool paused = false; ///< its share of the budget is spent
};

/// What of the budget a walk may take before it pauses.
struct Share
{
    base::Nanoseconds begin{};   ///< measured before its turn
    std::ptrdiff_t toCome = 0;   ///< walks that what is left has to do for
    bool othersAreFresh = false; ///< there are some that have not begun
    bool oneLook = false;        ///< it begins, and others wait
};

/// A walk whose turn it is.
struct Turn
{
    Walk walk;
    bool leads = false; ///< it has it because its family does
};

/// What a walk left out, and why.
struct LeftOut
{
    std::size_t cell = 0;
    std::string why;
};

class Racing final : public Searcher
{
public:
    Racing(const SearchTask& task, std::uint64_t seed) : m_notes(task, seed), m_script(run()) {}

    std::optional<Probe> next() override
    {
        auto probe = m_script.next();
        if (probe)
            m_probe = *probe;
        return probe;
    }
    void tell(const ProbeResult& result) override
    {
        m_last = result;
        m_budget.count(m_probe, result);
        if (!m_probe.confirm) {
            m_notes.note(m_probe, result);
            return;
        }
        // The last turns stand apart: they are paired, and longer than what the race took.
        ProbeResult bare = result;
        bare.passNs.clear();
        m_notes.note(m_probe, bare);
        if (result.end == ProbeResult::End::ok)
            m_turns.add(m_probe.cell, result.passNs);
    }
    SearchOutcome outcome() const override;

private:
    Script run();
    Script walkFamilies();
    Script findMemoryEdge(Walk& walk);
    Script findLatencyEdge(Walk& walk);
    Script walkDown(Walk& walk, Share share);
    Script lookAgain();
    Script race();
    Script takeLastTurns();

    bool throughput() const { return m_notes.task().goal.objective == model::Objective::throughput; }
    /// Looks at large batches are planned with what is left of the budget.
    bool limited() const { return throughput() && m_notes.task().measuring.count > 0; }
    bool failed() const { return m_last.end != ProbeResult::End::ok; }
    static std::vector<std::vector<std::size_t>> families(const SearchTask& task);
    std::vector<std::size_t> familyOrder() const;
    Turn takeNextWalk();
    /// Why a family is not worth opening; empty: it is.
    model::Reason notWorth(std::size_t family) const;
    Probe scout(std::size_t cell) const { return {cell, 2, kScoutBlock, kWarmUp, false}; }
    /// Takes out of the race what is surely worse; true when it is decided. Looks at the rounds that all arms have.
    bool judge(std::vector<std::size_t>& arms, const std::vector<std::size_t>& first);

    Notebook m_notes;
    const std::vector<std::vector<std::size_t>> m_cells = families(m_notes.task()); ///< by family, in order of batch
    std::deque<Walk> m_walks;          ///< with a small budget some pause, and go on behind those that have not begun
    std::ptrdiff_t m_begun = 0;        ///< walks
    std::ptrdiff_t m_leaderGoesOn = 2; ///< the leader's turn comes when so many have begun
    std::vector<LeftOut> m_leftOut;    ///< by the walks
    ProbeResult m_last{};
    Probe m_probe{};
    RaceBudget m_budget{m_notes};
    Leaderboard m_board{m_notes};
    std::vector<std::size_t> m_finalists; ///< by the race, the best first
    LastTurns m_turns{m_notes};
    Script m_script; ///< last: it uses all the others
};

std::vector<std::vector<std::size_t>> Racing::families(const SearchTask& task)
{
    std::vector<std::vector<std::size_t>> cells(task.families.size());
    for (std::size_t i = 0; i < task.cells.size(); ++i)
        cells[task.cells[i].family].push_back(i);
    for (auto& family : cells)
        std::stable_sort(family.begin(), family.end(),
                         [&](std::size_t a, std::size_t b) { return task.cells[a].batch < task.cells[b].batch; });
    return cells;
}

std::vector<std::size_t> Racing::familyOrder() const
{
    const auto& families = m_notes.task().families;
    std::vector<std::size_t> order(families.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (order.size() > 1)
        std::reverse(order.begin() + 1, order.end());
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return families[a].compile < families[b].compile; });
    return order;
}

model::Reason Racing::notWorth(std::size_t family) const
{
    const SearchTask& task = m_notes.task();
    const SearchFamily& about = task.families[family];
    const double leader = m_board.leaderCost();
    if (throughput() && about.ceiling && std::isfinite(leader) && *about.ceiling * leader < 1e9)
        return {"bound",
                "It cannot exceed " + base::formatSignificant(*about.ceiling, 4) + " samples/s; the leader makes " +
                    base::formatSignificant(1e9 / leader, 4) + ".",
                {}};
    if (about.compile.count <= 0)
        return {};
    // A sibling that could not be measured says nothing: compiling takes another way through the model.
    if (const double plain = about.plain ? m_board.bestOf(m_cells[*about.plain]) : INFINITY;
        std::isfinite(plain) && plain > leader * kCompileGain)
        return {"compile_cost",
                "Without compiling it reaches " + base::formatPercent(leader / plain) +
                    " of the leader; compiling has gained 3× at most.",
                {}};
    const base::Nanoseconds after = m_notes.wall() + about.compile + m_budget.reserve();
    if (task.wall.count > 0 && after > task.wall)
        return {"compile_cost",
                "Compiling takes about " + base::formatDuration(about.compile) + " and " +
                    base::formatDuration(task.wall - std::min(task.wall, m_notes.wall())) + " of the budget are left.",
                {}};
    return {};
}

bool Racing::judge(std::vector<std::size_t>& arms, const std::vector<std::size_t>& first)
{
    // A visit that was asked for several blocks gives fewer where a pass takes longer than one of them.
    std::size_t rounds = m_notes.samples(arms.front()).size() - first[arms.front()];
    for (const std::size_t cell : arms)
        rounds = std::min(rounds, m_notes.samples(cell).size() - first[cell]);
    std::vector<std::vector<double>> costs(arms.size());
    for (std::size_t arm = 0; arm < arms.size(); ++arm)
        for (std::size_t round = 0; round < rounds; ++round)
            costs[arm].push_back(m_notes.costOf(arms[arm], m_notes.samples(arms[arm])[first[arms[arm]] + round]));
    const RaceStanding standing = raceStanding(costs);
    std::vector<std::size_t> left;
    m_finalists.clear();
    for (const std::size_t arm : standing.ranked) {
        if (!standing.surelyWorse(arm))
            left.push_back(arms[arm]);
        // The runner-up is the next best even when it left the race now.
        if (m_finalists.size() < 2 || (m_finalists.size() < kFinalists && standing.behind[arm] < kFinal))
            m_finalists.push_back(arms[arm]);
    }
    arms = std::move(left);
    return arms.size() == 1 || standing.halfWidth < kResolved;
}

Script Racing::run()
{
    const std::array stages{&Racing::walkFamilies, &Racing::lookAgain, &Racing::race, &Racing::takeLastTurns};
    for (const auto stage : stages)
        for (Script part = (this->*stage)(); const auto probe = part.next();)
            co_yield *probe;
}

Turn Racing::takeNextWalk()
{
    auto next = m_walks.begin();
    bool leads = false;
    if (next->open) {
        next = std::min_element(m_walks.begin(), m_walks.end(), [&](const Walk& one, const Walk& other) {
            return m_board.bestOf(m_cells[one.family]) < m_board.bestOf(m_cells[other.family]);
        });
    } else if (limited() && m_begun >= m_leaderGoesOn && m_board.leader()) {
        // A budget may end before the turn of those that pause, so who leads goes on after 2, 4, 8, … have begun.
        m_leaderGoesOn *= 2;
        const std::size_t first = m_notes.task().cells[*m_board.leader()].family;
        const auto paused = std::find_if(m_walks.begin(), m_walks.end(),
                                         [&](const Walk& other) { return other.open && other.family == first; });
        leads = paused != m_walks.end();
        next = leads ? paused : next;
    }
    Walk walk = std::move(*next);
    m_walks.erase(next);
    return {std::move(walk), leads};
}

Script Racing::walkFamilies()
{
    for (const std::size_t family : familyOrder())
        if (!m_cells[family].empty())
            m_walks.push_back({family, m_cells[family]});
    while (!m_walks.empty() && !m_notes.spent()) {
        Turn turn = takeNextWalk();
        Walk& walk = turn.walk;
        const auto fresh = std::count_if(m_walks.begin(), m_walks.end(), [](const Walk& other) { return !other.open; });
        const Share share{m_notes.measuring(), turn.leads ? std::min(fresh, kLeaderShare - 1) : fresh, fresh > 0,
                          limited() && !walk.open && !m_walks.empty()};
        if (!walk.open) {
            if (const model::Reason reason = notWorth(walk.family); !reason.empty()) {
                for (const std::size_t cell : walk.ladder)
                    m_notes.prune(cell, reason.kind, reason.text);
                continue;
            }
            const std::array edges{&Racing::findMemoryEdge, &Racing::findLatencyEdge};
            for (const auto edge : edges)
                for (Script part = (this->*edge)(walk); const auto probe = part.next();)
                    co_yield *probe;
        }
        for (Script part = walkDown(walk, share); const auto probe = part.next();)
            co_yield *probe;
        if (!walk.paused)
            continue;
        walk.paused = false;
        if (share.othersAreFresh || share.oneLook)
            m_walks.push_back(std::move(walk));
        else
            m_walks.clear(); // what is left belongs to the race
    }
}

/// The largest batch that fits; what surely does not leaves the ladder.
Script Racing::findMemoryEdge(Walk& walk)
{
    const SearchTask& task = m_notes.task();
    std::vector<std::size_t>& ladder = walk.ladder;
    if (!throughput() || !task.memory || ladder.size() <= 2 || fitsByFar(m_notes, ladder.back()))
        co_return;
    std::vector<double> batches;
    for (const std::size_t cell : ladder)
        batches.push_back(static_cast<double>(task.cells[cell].batch));
    std::vector<double> peaks;
    for (std::size_t i = 0; i < 2; ++i) {
        co_yield Probe{ladder[i], 0, {}, {}, false};
        if (failed() || !m_last.peak)
            break;
        peaks.push_back(static_cast<double>(m_last.peak->count));
        // So little that every batch fits whatever the slope.
        if (peaks[0] * batches.back() / batches[0] <= static_cast<double>(task.memory->count))
            break;
    }
    // Two small batches say little about a large one. The next is as large as surely fits, allocators' rounding allowed
    // for, until what surely fits is next to the edge; each of these corrects the line.
    std::size_t known = 1;
    std::size_t edge = ladder.size() - 1;
    for (int correction = 0; peaks.size() == 2 && correction < 6; ++correction) {
        const MemoryLine line(batches[0], peaks[0], batches[known], peaks[1]);
        const MemoryEdge reach = memoryEdge(line, batches, known, *task.memory);
        edge = reach.edge;
        if (!reach.settled) {
            const std::size_t safe = reach.safe;
            co_yield (safe + 1 == edge ? scout(ladder[safe]) : Probe{ladder[safe], 0, {}, {}, false});
            if (!failed() && m_last.peak) {
                known = safe;
                peaks[1] = static_cast<double>(m_last.peak->count);
                continue;
            }
            edge = safe;
        }
        for (std::size_t i = edge + 1; i < ladder.size(); ++i)
            m_notes.prune(ladder[i], "batch_edge",
                          "It would take about " + base::formatBytes(line.bytes(batches[i])) + " of " +
                              base::formatBytes(*task.memory) + ", by the peaks of smaller batches.");
        break;
    }
    ladder.resize(std::min(ladder.size(), edge + 1));
}

/// Turns the ladder so that the walk starts at its end; with a latency bound the largest batch within it is the end.
Script Racing::findLatencyEdge(Walk& walk)
{
    std::vector<std::size_t>& ladder = walk.ladder;
    if (!throughput())
        std::reverse(ladder.begin(), ladder.end());
    const auto latency = model::medianBound(m_notes.task().goal);
    if (!throughput() || !latency || ladder.size() <= 1)
        co_return;
    const double bound = static_cast<double>(latency->count);
    std::size_t low = 0;
    std::size_t high = ladder.size(); // [0, low) holds, [high, …) does not
    std::size_t middle = high - 1;
    while (low < high) {
        co_yield scout(ladder[middle]);
        const bool holds = !failed() && m_notes.fate(ladder[middle]).passNs <= bound;
        (holds ? low : high) = holds ? middle + 1 : middle;
        middle = (low + high) / 2;
    }
    for (std::size_t i = low; i < ladder.size(); ++i)
        m_notes.prune(ladder[i], "latency",
                      "A smaller batch of it exceeds the bound of " + base::formatDuration(*latency) + " already.");
    ladder.resize(low);
}

/// Down from the edge, or from what a budget has time to look at.
Script Racing::walkDown(Walk& walk, Share share)
{
    std::vector<std::size_t>& ladder = walk.ladder;
    const std::vector<std::size_t>& family = m_cells[walk.family];
    const std::size_t edge = ladder.empty() ? 0 : ladder.back();
    // A family of which nothing is known may be as slow as the slowest.
    const auto cost = [&] { return walk.seen.empty() ? m_board.slowestCost() : m_board.bestOf(family); };
    if (share.oneLook && !ladder.empty())
        std::rotate(ladder.begin(), ladder.begin() + 1, ladder.end()); // the smallest takes the least time
    else if (limited() && ladder.size() > 1)
        m_budget.startWithin(m_budget.share(share.begin, share.toCome), cost(), ladder);
    m_begun += walk.open ? 0 : 1;
    walk.open = true;
    const auto timeIsUp = [&] {
        const auto left = [&] { return share.begin + m_budget.share(share.begin, share.toCome) - m_notes.measuring(); };
        return m_budget.shareSpent(share.begin, share.toCome) ||
               (limited() && share.othersAreFresh && !m_budget.lookFits(ladder.back(), left(), cost()));
    };
    bool looked = false;
    while (!ladder.empty() && !m_notes.spent()) {
        if (share.oneLook ? looked : !walk.seen.empty() && timeIsUp()) {
            walk.paused = true;
            co_return;
        }
        const std::size_t cell = ladder.back();
        ladder.pop_back();
        looked = true; // now, or while its edge was looked for
        if (m_notes.samples(cell).empty()) {
            co_yield scout(cell);
            if (m_last.end == ProbeResult::End::failed && ++walk.broken == 2) {
                for (const std::size_t other : ladder)
                    m_notes.prune(other, "dominated", "Two batches of it could not be measured: " + m_last.reason.text);
                co_return;
            }
            if (failed())
                continue;
        }
        walk.seen.push_back(cell);
        const double best = m_board.bestOf(family);
        walk.falling = m_notes.optimisticCost(cell) > best * (1 + kFalling) ? walk.falling + 1 : 0;
        const auto rival = m_board.rivalOf(cell, cell == edge);
        if (walk.seen.size() == 1 && rival && best * kDropAtOnce > m_notes.optimisticCost(*rival)) {
            const std::string why = whyHopeless(m_notes, walk.seen, *rival);
            for (const std::size_t other : ladder)
                m_notes.prune(other, "dominated", why);
            co_return;
        }
        const bool hopeless = walk.seen.size() == 2 && best * kDrop > m_board.leaderCost();
        if (!hopeless && walk.falling < 2)
            continue;
        const std::string why =
            hopeless ? whyHopeless(m_notes, walk.seen, *m_board.leader()) : whyFalling(m_notes, walk.seen, family);
        for (auto other = ladder.rbegin(); other != ladder.rend(); ++other)
            m_leftOut.push_back({*other, why});
        co_return;
    }
}

/// Families need not fall evenly: what the walks left out is looked at, too, as far as there is time, what is next to
/// the best first.
Script Racing::lookAgain()
{
    const auto& task = m_notes.task();
    std::stable_sort(m_leftOut.begin(), m_leftOut.end(), [&](const LeftOut& a, const LeftOut& b) {
        return m_board.bestOf(m_cells[task.cells[a.cell].family]) < m_board.bestOf(m_cells[task.cells[b.cell].family]);
    });
    const base::Nanoseconds walked = m_notes.wall();
    for (const LeftOut& left : m_leftOut)
        if (!m_budget.secondLookEnds(walked))
            co_yield scout(left.cell);
        else
            m_notes.prune(left.cell, "dominated", left.why);
    m_notes.pruneRest("budget", "The budget was spent before its turn.");
}

/// Those next to the best take turns until it is clear which is.
Script Racing::race()
{
    const SearchTask& task = m_notes.task();
    std::vector<std::size_t> arms = m_board.nearBest();
    if (task.goal.objective == model::Objective::memory || arms.empty())
        co_return;
    std::vector<std::size_t> first(m_notes.size());
    for (const std::size_t cell : arms)
        first[cell] = m_notes.samples(cell).size();
    m_finalists = {arms.front()};
    if (arms.size() > 1) {
        m_finalists.push_back(arms[1]);
    } else {
        // Two looks give no interval, and what is recommended goes by the median, of which they say little.
        co_yield Probe{arms.front(), kRoundsLeast, kRaceBlock, kWarmUp, false};
        if (failed())
            m_finalists.clear();
    }
    for (int round = 0; round < kRoundsMost && arms.size() > 1 && !m_notes.spent();) {
        // With more cells than stay open side by side, a visit takes several rounds' blocks.
        const int visit = arms.size() > task.openAtOnce ? kRoundsLeast : 1;
        std::vector<std::size_t> order = arms;
        m_notes.shuffle(order);
        for (const std::size_t cell : order) {
            co_yield Probe{cell, visit, kRaceBlock, kWarmUp, false};
            if (failed() || m_last.passNs.empty())
                std::erase(arms, cell);
        }
        round += visit;
        if (round >= kRoundsLeast && !arms.empty() && judge(arms, first))
            break;
    }
}

/// The last ones in turns, over the time of the full protocol.
Script Racing::takeLastTurns()
{
    const base::Nanoseconds turn{m_budget.lastTime().count / kTurns};
    std::vector<std::size_t> finalists = m_finalists;
    for (std::size_t k = 0; k < kTurns && finalists.size() > 1; ++k) {
        for (std::size_t place = 0; place < finalists.size(); ++place) {
            co_yield Probe{finalists[(k + place) % finalists.size()], 1, turn,
                           k == 0 ? kFullWarmUp : base::Nanoseconds{}, true};
            if (failed())
                co_return;
        }
        if (k + 1 >= kTurnsLeast)
            m_turns.dropBeaten(finalists);
    }
}

SearchOutcome Racing::outcome() const
{
    SearchOutcome outcome = m_notes.outcome();
    if (m_finalists.empty())
        return outcome;
    outcome.winner = m_finalists.front();
    if (m_finalists.size() < 2)
        return outcome;
    outcome.runnerUp = m_finalists[1];
    std::vector<std::size_t> ranked = m_finalists;
    if (!m_turns.rank(ranked))
        return outcome;
    outcome.winner = ranked[0];
    outcome.runnerUp = ranked[1];
    outcome.ratio = m_turns.ratio(ranked[1], ranked[0]);
    return outcome;
}

} // namespace

std::unique_ptr<Searcher> makeRacing(const SearchTask& task, std::uint64_t seed)
{
    return std::make_unique<Racing>(task, seed);
}

} // namespace apertune::search
