// SPDX-License-Identifier: GPL-3.0-or-later
// kill_sweep [--kills N] [--seed S] [--search grid|racing]
//
// Sends N times SIGKILL at random instants to a supervisor that sweeps the scripted backend, or to its worker, lets
// the sweep go on each time, and looks at the workspace in between: every trial that was committed before a kill must
// be there after it, once and unchanged; no worker may outlive its supervisor; the last sweep must complete and the
// store be sound. A race goes on measuring what it has committed, so there a measured trial must stay measured, with
// no fewer blocks. Prints one line of counts. Exit code 0 when all of it holds.
#include "core/base/child_process.h"
#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/sentences/sentences.h"
#include "core/store/store.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>

using namespace apertune;
namespace fs = std::filesystem;

namespace {

/// What must not change once it is committed.
struct Committed
{
    std::string hash;
    model::TrialState state;
    std::string finished;
    double latency;
    std::size_t blocks;
    bool operator==(const Committed&) const = default;
    bool goesOnAs(const Committed& later) const
    {
        const bool measured = state == model::TrialState::ok;
        return hash == later.hash && (!measured || (later.state == state && later.blocks >= blocks));
    }
};

struct Counts
{
    int kills = 0;
    int supervisors = 0;
    int workers = 0;
    int studies = 0;
    int lost = 0;
    int changed = 0;
    int duplicates = 0;
    int orphans = 0;
    int unsound = 0;
};

class Driver
{
public:
    Driver(int kills, unsigned seed, std::string search) : m_kills(kills), m_search(std::move(search)), m_random(seed)
    {
    }

    int run()
    {
        if (auto written = base::writeFileAtomically(m_dir.path() / "fake.json", R"({"latency_ms": 0.3})"); !written)
            return fail(written.error());
        while (m_counts.kills < m_kills) {
            auto host = startHost();
            if (!host)
                return fail(host.error());
            harass(*host);
            if (const auto status = inspect(); !status)
                return fail(status.error());
        }
        if (const auto status = complete(); !status)
            return fail(status.error());
        return report();
    }

private:
    static int fail(const base::Error& error)
    {
        std::fprintf(stderr, "kill_sweep: %s\n", sentences::describe(error).c_str());
        return 1;
    }

    fs::path workspace() const { return m_dir.path() / "kill.apertune"; }

    base::Result<base::ChildProcess> startHost()
    {
        const auto program = base::installPrefix() / "tests" / "sweep_host";
        return base::ChildProcess::start({{program.string(), workspace().string(), m_dir.path().string(), m_search}});
    }

    static std::optional<int> workerOf(int pid)
    {
        std::error_code ignored;
        for (fs::directory_iterator it("/proc", ignored), end; !ignored && it != end; it.increment(ignored)) {
            const std::string name = it->path().filename().string();
            if (name.find_first_not_of("0123456789") != std::string::npos)
                continue;
            std::ifstream in(it->path() / "stat");
            std::string stat;
            std::getline(in, stat);
            const std::size_t paren = stat.rfind(')'); // the name before it may hold anything
            char state = 0;
            int parent = 0;
            if (paren != std::string::npos && std::sscanf(stat.c_str() + paren + 1, " %c %d", &state, &parent) == 2 &&
                parent == pid && state != 'Z')
                return std::stoi(name);
        }
        return std::nullopt;
    }

    void sleepRandomly()
    {
        std::uniform_int_distribution<int> ms(1, 500);
        ::usleep(static_cast<useconds_t>(ms(m_random)) * 1000);
    }

    /// Kills workers of this host until it kills the host or the host has finished.
    void harass(base::ChildProcess& host)
    {
        while (m_counts.kills < m_kills) {
            sleepRandomly();
            if (host.poll())
                return;
            const std::optional<int> worker = workerOf(host.pid());
            if (worker)
                m_workersSeen.insert(*worker);
            const bool takeWorker = worker && m_random() % 3 == 0;
            ::kill(takeWorker ? *worker : host.pid(), SIGKILL);
            ++m_counts.kills;
            ++(takeWorker ? m_counts.workers : m_counts.supervisors);
            if (takeWorker)
                continue;
            host.wait(base::fromSeconds(60));
            countOrphans();
            return;
        }
        host.kill();
        host.wait(base::fromSeconds(60));
    }

    void countOrphans()
    {
        const base::Nanoseconds deadline = base::monotonicNow() + base::fromSeconds(60);
        for (const int pid : m_workersSeen) {
            const auto runs = [pid] {
                std::error_code ignored;
                const auto exe = fs::read_symlink("/proc/" + std::to_string(pid) + "/exe", ignored);
                return exe.filename() == "apertune-worker";
            };
            while (runs() && base::monotonicNow() < deadline)
                ::usleep(2000);
            m_counts.orphans += runs();
        }
        m_workersSeen.clear();
    }

    /// Compares the workspace with what was committed at the last look.
    base::Status inspect()
    {
        std::error_code ignored;
        if (!fs::exists(workspace(), ignored))
            return {};
        auto store = store::Store::open(workspace(), store::OpenMode::readOnly);
        if (!store)
            return m_committed.empty() ? base::Status{} : store.error(); // killed while it made the file
        if (!store->checkIntegrity())
            ++m_counts.unsound;
        const auto studies = store->studies();
        if (!studies)
            return studies.error();
        m_counts.studies = static_cast<int>(studies->size());
        std::map<std::int64_t, Committed> now;
        for (const store::StudySummary& study : *studies) {
            const auto trials = store->trials(study.id);
            if (!trials)
                return trials.error();
            std::set<std::string> hashes;
            for (const model::Trial& trial : *trials) {
                m_counts.duplicates += !hashes.insert(trial.hash).second;
                if (model::isFinal(trial.state))
                    now[trial.id.value] = {trial.hash, trial.state, trial.finishedUtc,
                                           trial.measurement.latencyNs.value, trial.measurement.blocks.size()};
            }
        }
        for (const auto& [id, trial] : m_committed) {
            const auto it = now.find(id);
            m_counts.lost += it == now.end();
            m_counts.changed +=
                it != now.end() && !(m_search == "racing" ? trial.goesOnAs(it->second) : it->second == trial);
        }
        m_committed = std::move(now);
        return {};
    }

    /// Lets the last sweep run to its end and looks that nothing is left open.
    base::Status complete()
    {
        auto host = startHost();
        if (!host)
            return host.error();
        const auto exit = host->wait(base::fromSeconds(240));
        if (!exit || !exit->clean())
            return base::plainError(
                base::ErrorCode::internal,
                "The resumed sweep did not complete: " + (exit ? base::describe(*exit) : "it still runs") + ".");
        if (const auto status = inspect(); !status)
            return status;
        auto store = store::Store::open(workspace(), store::OpenMode::readWrite);
        if (!store)
            return store.error();
        const auto studies = store->studies();
        if (!studies)
            return studies.error();
        for (const store::StudySummary& study : *studies)
            if (study.remaining > 0 || study.state != model::StudyState::finished)
                return base::plainError(base::ErrorCode::internal,
                                        study.name + " has " + std::to_string(study.remaining) + " trials open.");
        return store->checkIntegrity();
    }

    int report() const
    {
        std::printf("kills %d (supervisor %d, worker %d), studies %d, committed %zu, duplicates %d, lost %d, "
                    "changed %d, orphans %d, integrity %s\n",
                    m_counts.kills, m_counts.supervisors, m_counts.workers, m_counts.studies, m_committed.size(),
                    m_counts.duplicates, m_counts.lost, m_counts.changed, m_counts.orphans,
                    m_counts.unsound == 0 ? "ok" : "BROKEN");
        const bool good =
            m_counts.duplicates + m_counts.lost + m_counts.changed + m_counts.orphans + m_counts.unsound == 0 &&
            !m_committed.empty();
        return good ? 0 : 1;
    }

    const int m_kills;
    const std::string m_search;
    std::mt19937 m_random;
    base::TemporaryDir m_dir = std::move(base::TemporaryDir::create("kill")).value();
    Counts m_counts;
    std::set<int> m_workersSeen;
    std::map<std::int64_t, Committed> m_committed;
};

} // namespace

int main(int argc, char** argv)
{
    int kills = 20;
    unsigned seed = 1;
    std::string search = "grid";
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string option = argv[i];
        if (option == "--kills")
            kills = std::atoi(argv[i + 1]);
        else if (option == "--seed")
            seed = static_cast<unsigned>(std::atoi(argv[i + 1]));
        else if (option == "--search")
            search = argv[i + 1];
    }
    if (kills < 1 || argc % 2 == 0 || (search != "grid" && search != "racing")) {
        std::fprintf(stderr, "usage: kill_sweep [--kills N] [--seed S] [--search grid|racing]\n");
        return 2;
    }
    return Driver(kills, seed, search).run();
}
