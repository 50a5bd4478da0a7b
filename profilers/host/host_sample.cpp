// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilers/host/host_sample.h"

#include "core/base/clock.h"
#include "profilers/host/reasons.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <functional>
#include <string_view>

namespace apertune::profilers {

using base::Nanoseconds;

namespace {

// A file of /sys has at most a page, and the first lines of those of /proc suffice.
constexpr std::size_t kLargestFile = 4096;
constexpr std::size_t kMostProcessors = 16; // enough for a mean, and each costs a read

int openFile(const std::filesystem::path& file)
{
    return ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
}

std::vector<std::int64_t> numbersIn(std::string_view text)
{
    std::vector<std::int64_t> numbers;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at < end) {
        std::int64_t value = 0;
        const auto [next, code] = std::from_chars(at, end, value);
        if (code == std::errc())
            numbers.push_back(value);
        at = code == std::errc() ? next : at + 1;
    }
    return numbers;
}

} // namespace

HostReader::HostReader(const std::filesystem::path& root) : m_packages(root)
{
    m_buffer.resize(kLargestFile);
    m_statm = openFile(root / "proc/self/statm");
    if (m_statm < 0)
        m_missing.push_back(base::message<host::reasons::kNoResidentMemory>());
    m_stat = openFile(root / "proc/stat");
    if (m_stat < 0)
        m_missing.push_back(base::message<host::reasons::kNoStolenTime>());

    cpu_set_t mine;
    CPU_ZERO(&mine);
    ::sched_getaffinity(0, sizeof mine, &mine);
    for (std::size_t cpu = 0; cpu < CPU_SETSIZE && m_frequencies.size() < kMostProcessors; ++cpu) {
        if (!CPU_ISSET(cpu, &mine))
            continue;
        const int file =
            openFile(root / ("sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cpufreq/scaling_cur_freq"));
        if (file >= 0)
            m_frequencies.push_back(file);
    }
    if (m_frequencies.empty())
        m_missing.push_back(base::message<host::reasons::kNoClock>());

    if (m_packages.access() != base::PackageEnergy::Access::readable)
        m_missing.push_back(m_packages.access() == base::PackageEnergy::Access::forbidden
                                ? base::message<host::reasons::kPowerForRoot>()
                                : base::message<host::reasons::kNoPower>());
}

HostReader::~HostReader()
{
    for (const int file : {m_statm, m_stat})
        if (file >= 0)
            ::close(file);
    for (const int file : m_frequencies)
        ::close(file);
}

std::string HostReader::contentOf(int file)
{
    // The kernel makes the content of /proc files anew for each read from the beginning.
    const ssize_t size = file < 0 ? 0 : ::pread(file, m_buffer.data(), m_buffer.size(), 0);
    return size > 0 ? m_buffer.substr(0, static_cast<std::size_t>(size)) : std::string();
}

HostSample HostReader::read()
{
    HostSample sample;
    // The counters that cost no file come first, so that they belong to the time of the sample.
    sample.time = base::monotonicNow();
    // Without this thread, whose sampling is not work of the program.
    sample.cpu = base::processCpuTime() - base::threadCpuTime();
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    sample.voluntarySwitches = usage.ru_nvcsw;
    sample.involuntarySwitches = usage.ru_nivcsw;
    if (const auto pages = numbersIn(contentOf(m_statm)); pages.size() > 1)
        sample.residentBytes = pages[1] * ::sysconf(_SC_PAGESIZE);
    const std::string stat = contentOf(m_stat);
    // "cpu user nice system idle iowait irq softirq steal …"
    if (const auto ticks = numbersIn(std::string_view(stat).substr(0, stat.find('\n'))); ticks.size() >= 8) {
        sample.stealTicks = ticks[7];
        sample.allTicks = 0;
        // Guest time, which follows, is already part of user and nice.
        for (std::size_t i = 0; i < 8; ++i)
            *sample.allTicks += ticks[i];
    }
    std::int64_t sum = 0;
    std::int64_t known = 0;
    for (const int file : m_frequencies)
        if (const auto kilohertz = numbersIn(contentOf(file)); !kilohertz.empty()) {
            sum += kilohertz[0];
            ++known;
        }
    if (known > 0)
        sample.megahertz = sum / known / 1000;
    sample.energyMicrojoules = m_packages.read();
    return sample;
}

void addHostCounters(trace::TraceBuilder& into, const std::vector<HostSample>& samples)
{
    using Value = std::optional<double>;
    using Rate = std::function<Value(const HostSample& before, const HostSample& now, double seconds)>;
    const auto perSecond = [](auto member) {
        return [member](const HostSample& a, const HostSample& b, double seconds) -> Value {
            return static_cast<double>(b.*member - a.*member) / seconds;
        };
    };
    const std::array<std::tuple<const char*, const char*, Rate>, 7> series{{
        {"resident memory", "B",
         [](const HostSample&, const HostSample& b, double) -> Value {
             return b.residentBytes ? Value(static_cast<double>(*b.residentBytes)) : std::nullopt;
         }},
        {"CPU use", "%",
         [](const HostSample& a, const HostSample& b, double seconds) -> Value {
             return (b.cpu - a.cpu).seconds() / seconds * 100;
         }},
        {"voluntary switches", "1/s", perSecond(&HostSample::voluntarySwitches)},
        {"involuntary switches", "1/s", perSecond(&HostSample::involuntarySwitches)},
        {"stolen time", "%",
         [](const HostSample& a, const HostSample& b, double) -> Value {
             if (!a.allTicks || !b.allTicks || *b.allTicks <= *a.allTicks)
                 return std::nullopt;
             return static_cast<double>(*b.stealTicks - *a.stealTicks) /
                    static_cast<double>(*b.allTicks - *a.allTicks) * 100;
         }},
        {"CPU clock", "MHz",
         [](const HostSample&, const HostSample& b, double) -> Value {
             return b.megahertz ? Value(static_cast<double>(*b.megahertz)) : std::nullopt;
         }},
        {"CPU power", "mW",
         [](const HostSample& a, const HostSample& b, double seconds) -> Value {
             if (!a.energyMicrojoules || !b.energyMicrojoules)
                 return std::nullopt;
             return static_cast<double>(*b.energyMicrojoules - *a.energyMicrojoules) / seconds / 1000;
         }},
    }};
    for (const auto& [label, unit, rate] : series) {
        trace::Track track;
        track.type = trace::TrackType::counter;
        track.process = ::getpid();
        track.label = label;
        track.unit = unit;
        trace::EventColumns* columns = nullptr;
        for (std::size_t i = 1; i < samples.size(); ++i) {
            const double seconds = (samples[i].time - samples[i - 1].time).seconds();
            const Value value = seconds > 0 ? rate(samples[i - 1], samples[i], seconds) : std::nullopt;
            if (!value)
                continue;
            if (!columns)
                columns = &into.columns(into.track(track), trace::EventKind::counter);
            trace::Event event;
            event.start = samples[i].time - Nanoseconds{into.head().originMonotonic};
            event.name = into.intern(label);
            event.value = static_cast<std::int64_t>(*value + 0.5);
            columns->append(event);
        }
    }
}

} // namespace apertune::profilers
