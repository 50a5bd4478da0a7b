// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/machine_watch.h"

#include "app/worker/program_errors.h"
#include "core/base/clock.h"
#include "core/base/text.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <limits>
#include <sstream>

namespace apertune::worker {

namespace fs = std::filesystem;
using base::Nanoseconds;

namespace {

std::int64_t number(std::string_view text)
{
    std::int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

/// A loop in which each step needs the result of the one before, so the processor can neither overlap nor skip steps.
std::uint64_t chain(std::int64_t steps)
{
    static volatile std::uint64_t sink = 0x9e3779b97f4a7c15;
    std::uint64_t x = sink;
    for (std::int64_t i = 0; i < steps; ++i)
        x = x * 6364136223846793005ULL + 1442695040888963407ULL;
    sink = x;
    return x;
}

Nanoseconds timeOf(std::int64_t steps)
{
    const Nanoseconds begin = base::monotonicNow();
    chain(steps);
    return base::monotonicNow() - begin;
}

Nanoseconds fastestOf(int rounds, std::int64_t steps)
{
    Nanoseconds fastest{std::numeric_limits<std::int64_t>::max()};
    for (int i = 0; i < rounds; ++i)
        fastest = std::min(fastest, timeOf(steps));
    return fastest;
}

/// The file with that name of the process's control group; in version 1, of the group of `controller`.
fs::path groupFile(const std::string& controller, const std::string& name)
{
    std::ifstream groups("/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        // A line of another form is skipped.
        if (second == std::string::npos)
            continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const auto list = base::splitList(controllers);
        const bool here = controllers.empty() || std::find(list.begin(), list.end(), controller) != list.end();
        const fs::path root = controllers.empty() ? "/sys/fs/cgroup" : "/sys/fs/cgroup/" + controller;
        std::error_code ignored;
        // Inside a container the path may be that of the host; the root of the mount is then the own group.
        for (const fs::path& file : {root / fs::path(line.substr(second + 1)).relative_path() / name, root / name})
            if (here && fs::exists(file, ignored))
                return file;
    }
    return {};
}

} // namespace

std::vector<ThreadTimes> threadTimes(const fs::path& proc)
{
    std::vector<ThreadTimes> threads;
    std::error_code failed;
    for (fs::directory_iterator it(proc / "self" / "task", failed), end; !failed && it != end; it.increment(failed)) {
        std::ifstream in(it->path() / "schedstat");
        ThreadTimes times;
        if (in >> times.ran.count >> times.waited.count) {
            times.id = number(it->path().filename().native());
            threads.push_back(times);
        }
    }
    std::sort(threads.begin(), threads.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    return threads;
}

Nanoseconds longestWait(const std::vector<ThreadTimes>& before, const std::vector<ThreadTimes>& after)
{
    Nanoseconds longest{};
    auto at = before.begin();
    // Threads that began or ended in between appear in one list only. Both lists are sorted by id.
    for (const ThreadTimes& thread : after) {
        while (at != before.end() && at->id < thread.id)
            ++at;
        const bool known = at != before.end() && at->id == thread.id;
        longest = std::max(longest, thread.waited - (known ? at->waited : Nanoseconds{}));
    }
    return longest;
}

MachineTimes machineTimes(const fs::path& proc)
{
    MachineTimes times;
    const std::int64_t tick = 1'000'000'000 / std::max(1L, ::sysconf(_SC_CLK_TCK));
    std::ifstream stat(proc / "stat");
    for (std::string line; std::getline(stat, line) && line.rfind("cpu", 0) == 0;) {
        if (line.rfind("cpu ", 0) != 0) {
            ++times.processors;
            continue;
        }
        std::istringstream words(line.substr(4));
        std::array<std::int64_t, 8> t{}; // user, nice, system, idle, iowait, irq, softirq, steal
        for (std::int64_t& value : t)
            words >> value;
        times.busy.count = (t[0] + t[1] + t[2] + t[5] + t[6]) * tick;
        times.steal.count = t[7] * tick;
    }
    std::ifstream pressure(proc / "pressure" / "cpu");
    // The first line, "some", has the time in which any task waited; "full" follows.
    for (std::string word; pressure >> word && word != "full";)
        if (word.rfind("total=", 0) == 0)
            times.pressure.count = number(std::string_view(word).substr(6)) * 1000;
    return times;
}

Nanoseconds heldBack()
{
    // The file does not change, so it is looked for once.
    static const fs::path file = groupFile("cpu", "cpu.stat");
    if (file.empty())
        return {};
    std::ifstream in(file);
    std::string name;
    for (std::int64_t value = 0; in >> name >> value;) {
        // Version 2 has microseconds, version 1 nanoseconds.
        if (name == "throttled_usec")
            return {value * 1000};
        if (name == "throttled_time")
            return {value};
    }
    return {};
}

int allowedProcessors()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    return static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
}

double clockRate()
{
    constexpr std::int64_t kSteps = 12'000;
    return static_cast<double>(kSteps) / static_cast<double>(std::max<std::int64_t>(1, fastestOf(3, kSteps).count));
}

TimerCheck checkTimers()
{
    TimerCheck check;
    constexpr int kReads = 2000;
    bool wentBack = false;
    check.resolution.count = std::numeric_limits<std::int64_t>::max();
    const Nanoseconds begin = base::monotonicNow();
    Nanoseconds last = begin;
    for (int i = 0; i < kReads; ++i) {
        const Nanoseconds now = base::monotonicNow();
        // Two readings within one tick are equal.
        wentBack = wentBack || now < last;
        if (now > last)
            check.resolution = std::min(check.resolution, now - last);
        last = now;
    }
    check.cost.count = (last - begin).count / kReads;

    constexpr std::int64_t kSteps = 100'000;
    // The work must double when its steps do; a virtual clock may not.
    const Nanoseconds single = fastestOf(7, kSteps);
    const Nanoseconds doubled = fastestOf(7, 2 * kSteps);
    check.scaling = static_cast<double>(doubled.count) / static_cast<double>(std::max<std::int64_t>(1, single.count));

    const Nanoseconds cpu = base::processCpuTime();
    const Nanoseconds wall = base::monotonicNow();
    chain(10 * kSteps);
    const Nanoseconds ran = base::processCpuTime() - cpu;
    check.cpuShare = static_cast<double>(ran.count) /
                     static_cast<double>(std::max<std::int64_t>(1, (base::monotonicNow() - wall).count));
    check.problem = timerProblem(check, wentBack);
    return check;
}

base::Message timerProblem(const TimerCheck& check, bool wentBack)
{
    // Other work makes a loop slower, but rarely the fastest of seven. This finds a coarse, slow, jumping or
    // virtualised timer. It cannot find a clock that runs at a wrong rate, because that changes all loops alike.
    if (wentBack)
        return base::message(program_errors::kClockWentBack);
    if (check.resolution > Nanoseconds{10'000})
        return base::message<program_errors::kClockTicks>(check.resolution);
    if (check.cost > Nanoseconds{5'000})
        return base::message<program_errors::kClockCosts>(check.cost);
    if (check.scaling < 1.8 || check.scaling > 2.2)
        return base::message<program_errors::kTwiceTheWork>(base::formatSignificant(check.scaling));
    if (check.cpuShare > 1.2)
        return base::message<program_errors::kThreadCharged>(base::formatSignificant(check.cpuShare));
    return {};
}

} // namespace apertune::worker
