// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/load_watch.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace apertune::probe {

namespace fs = std::filesystem;

namespace {

// The limits are those for measuring a trial (core/stats). A smaller share of others is enough if a thread waited for
// them.
constexpr double kMostOthers = 0.25;
constexpr double kMostSteal = 0.01;
constexpr double kFewOthers = 0.03;
constexpr double kMostWaited = 0.05;

} // namespace

std::optional<LoadWatch::Reading> LoadWatch::read(int pid, base::Nanoseconds now) const
{
    const double tick = 1.0 / static_cast<double>(std::max(1L, ::sysconf(_SC_CLK_TCK)));
    Reading reading;
    reading.at = now;
    std::ifstream stat(m_proc / "stat");
    for (std::string line; std::getline(stat, line) && line.starts_with("cpu");) {
        if (!line.starts_with("cpu ")) {
            ++reading.processors;
            continue;
        }
        std::istringstream words(line.substr(4));
        std::array<double, 8> t{}; // user, nice, system, idle, iowait, irq, softirq, steal
        for (double& value : t)
            words >> value;
        reading.busy = (t[0] + t[1] + t[2] + t[5] + t[6]) * tick;
        reading.steal = t[7] * tick;
    }
    const fs::path own = m_proc / std::to_string(pid);
    std::string text;
    std::getline(std::ifstream(own / "stat"), text);
    const auto name = text.rfind(')'); // the program's name may contain blanks
    if (reading.processors == 0 || name == std::string::npos)
        return std::nullopt;
    std::istringstream words(text.substr(name + 1));
    std::string skipped;
    for (int i = 0; i < 11; ++i) // skips the fields from state to cmajflt
        words >> skipped;
    // The times of children that ended count as the program's own: its compilers are not other programs.
    std::array<double, 4> t{}; // utime, stime, cutime, cstime
    for (double& value : t)
        words >> value;
    reading.own = (t[0] + t[1] + t[2] + t[3]) * tick;
    std::error_code failed;
    for (fs::directory_iterator it(own / "task", failed), end; !failed && it != end; it.increment(failed)) {
        double ran = 0;
        double waited = 0;
        if (std::ifstream(it->path() / "schedstat") >> ran >> waited)
            reading.waits[it->path().filename().string()] = waited * 1e-9;
    }
    return reading;
}

void LoadWatch::sample(int pid, base::Nanoseconds now)
{
    constexpr base::Nanoseconds kWindow{1'000'000'000};
    if (m_last && now - m_last->at < kWindow)
        return;
    auto reading = read(pid, now);
    if (!reading)
        return;
    const auto last = std::exchange(m_last, std::move(reading));
    if (!last)
        return;
    const double seconds = (m_last->at - last->at).seconds();
    const double all = seconds * m_last->processors;
    const double others = std::max(0.0, m_last->busy - last->busy - (m_last->own - last->own)) / all;
    const double steal = std::max(0.0, m_last->steal - last->steal) / all;
    double waited = 0;
    for (const auto& [thread, time] : m_last->waits) {
        const auto before = last->waits.find(thread);
        waited = std::max(waited, (time - (before == last->waits.end() ? 0 : before->second)) / seconds);
    }
    ++m_sums.windows;
    m_sums.contended +=
        others > kMostOthers || steal > kMostSteal || (others > kFewOthers && waited > kMostWaited) ? 1 : 0;
    m_sums.others += others;
    m_sums.steal += steal;
    m_sums.waited += waited;
}

MachineLoad LoadWatch::load() const
{
    MachineLoad load = m_sums;
    for (double* sum : {&load.others, &load.steal, &load.waited})
        *sum /= std::max(1, load.windows);
    return load;
}

} // namespace apertune::probe
