// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilers/nvml/nvml_profiler.h"

#include "core/base/clock.h"
#include "core/base/stop_wait.h"
#include "core/model/gpu_obstacles.h"
#include "core/trace/reasons.h"
#include "profilers/nvml/errors.h"
#include "profilers/nvml/reasons.h"

#include <array>
#include <map>
#include <optional>
#include <thread>

namespace apertune::profilers {

using base::Nanoseconds;
using base::NvmlApi;

namespace {

enum Series : std::size_t { power, smClock, memoryClock, temperature, memory, energy, kSeries };

constexpr std::array<std::pair<const char*, const char*>, kSeries> kNames{{{"GPU power", "mW"},
                                                                           {"SM clock", "MHz"},
                                                                           {"memory clock", "MHz"},
                                                                           {"GPU temperature", "°C"},
                                                                           {"GPU memory", "B"},
                                                                           {"GPU energy", "mJ"}}};

struct Sample
{
    Nanoseconds time{};
    std::array<std::optional<std::int64_t>, kSeries> values{};
    unsigned long long reasons = 0;
};

template <typename Value, typename Function, typename... Arguments>
std::optional<std::int64_t> read(Function function, Arguments... arguments)
{
    Value value{};
    return function && function(arguments..., &value) == 0 ? std::optional(static_cast<std::int64_t>(value))
                                                           : std::nullopt;
}

/// Returns the power of this instant, or the average of the last second when the driver or the GPU has no other.
std::optional<std::int64_t> readPower(const NvmlApi& nvml, NvmlApi::Handle handle)
{
    NvmlApi::Field field;
    field.id = NvmlApi::kPowerInstant;
    if (nvml.deviceGetFieldValues && nvml.deviceGetFieldValues(handle, 1, &field) == 0 && field.status == 0 &&
        field.valueType == NvmlApi::kUnsignedInt)
        return field.word;
    return read<unsigned>(nvml.deviceGetPowerUsage, handle);
}

class NvmlSession final : public trace::ProfilerSession
{
public:
    NvmlSession(const NvmlApi& nvml, const NvmlOptions& options, NvmlApi::Handle handle)
        : m_nvml(nvml), m_options(options), m_handle(handle)
    {
        // A vector that grows while the program is measured would copy all samples.
        m_samples.reserve(4096);
        m_thread = std::jthread([this](const std::stop_token& stop) { sampleLoop(stop); });
    }

    base::Status stop(trace::TraceBuilder& into) override
    {
        m_thread.request_stop();
        m_thread.join();
        for (std::size_t series = 0; series < kSeries; ++series)
            addSeries(into, series);
        addThrottling(into);
        addClockStates(into);
        if (m_beyond > 0)
            into.addLoss(
                {m_samples.empty() ? Nanoseconds{} : m_samples.back().time - Nanoseconds{into.head().originMonotonic},
                 trace::EventKind::counter, m_beyond, trace::LossSeverity::error,
                 base::message<trace::reasons::kMoreSamplesThanFit>()});
        return {};
    }

private:
    void sampleLoop(const std::stop_token& stop)
    {
        do
            takeSample();
        while (!base::waitForStop(stop, m_options.period));
        // The last sample ends the time that the recording covers.
        takeSample();
    }

    void takeSample()
    {
        if (m_samples.size() < m_options.mostSamples)
            m_samples.push_back(sample());
        else
            ++m_beyond;
    }

    Sample sample() const
    {
        Sample s;
        const Nanoseconds before = base::monotonicNow();
        s.values[power] = readPower(m_nvml, m_handle);
        s.values[smClock] = read<unsigned>(m_nvml.deviceGetClockInfo, m_handle, NvmlApi::kClockSm);
        s.values[memoryClock] = read<unsigned>(m_nvml.deviceGetClockInfo, m_handle, NvmlApi::kClockMemory);
        s.values[temperature] = read<unsigned>(m_nvml.deviceGetTemperature, m_handle, NvmlApi::kSensorGpu);
        s.values[energy] = read<unsigned long long>(m_nvml.deviceGetTotalEnergyConsumption, m_handle);
        if (NvmlApi::Memory used; m_nvml.deviceGetMemoryInfo && m_nvml.deviceGetMemoryInfo(m_handle, &used) == 0)
            s.values[memory] = static_cast<std::int64_t>(used.used);
        if (const auto reasons = read<unsigned long long>(m_nvml.deviceGetCurrentClocksEventReasons, m_handle))
            s.reasons = static_cast<unsigned long long>(*reasons);
        // The calls take a while, so the sample gets the time in the middle of them.
        s.time.count = (before.count + base::monotonicNow().count) / 2;
        return s;
    }

    void addSeries(trace::TraceBuilder& into, std::size_t series) const
    {
        trace::Track track;
        track.type = trace::TrackType::counter;
        track.device = m_options.device;
        track.label = kNames[series].first;
        track.unit = kNames[series].second;
        trace::EventColumns* columns = nullptr;
        std::int64_t first = 0;
        for (const Sample& s : m_samples) {
            if (!s.values[series])
                continue;
            if (!columns) {
                columns = &into.columns(into.track(track), trace::EventKind::counter);
                first = series == energy ? *s.values[series] : 0; // energy is counted from the begin of the recording
            }
            trace::Event event;
            event.start = s.time - Nanoseconds{into.head().originMonotonic};
            event.name = into.intern(track.label);
            event.value = *s.values[series] - first;
            columns->append(event);
        }
    }

    void addThrottling(trace::TraceBuilder& into) const
    {
        // Number of samples by reason, and the time of the first.
        std::map<std::string, std::pair<std::int64_t, Nanoseconds>> found;
        for (const Sample& s : m_samples)
            if (const std::string text = throttleText(s.reasons); !text.empty())
                ++found.try_emplace(text, 0, s.time).first->second.first;
        for (const auto& [text, seen] : found)
            into.addLoss({seen.second - Nanoseconds{into.head().originMonotonic}, trace::EventKind::counter, 0,
                          trace::LossSeverity::warning,
                          base::message<nvml::reasons::kClockHeldBack>(text, seen.first, m_samples.size())});
    }

    /// Adds a range for each reason why the clock was held, from the first sample with it to the first with another
    /// one.
    void addClockStates(trace::TraceBuilder& into) const
    {
        trace::Track track;
        track.type = trace::TrackType::counter;
        track.device = m_options.device;
        track.label = "clock held by";
        for (std::size_t i = 0, end = 0; i < m_samples.size(); i = end) {
            for (end = i + 1; end < m_samples.size() && m_samples[end].reasons == m_samples[i].reasons;)
                ++end;
            const std::string text = clockStateText(m_samples[i].reasons);
            if (text.empty())
                continue;
            const Sample& after = m_samples[std::min(end, m_samples.size() - 1)];
            trace::Event event;
            event.start = m_samples[i].time - Nanoseconds{into.head().originMonotonic};
            event.duration = after.time - m_samples[i].time;
            event.name = into.intern(text);
            into.add(into.track(track), trace::EventKind::deviceRange, event);
        }
    }

    const NvmlApi& m_nvml;
    NvmlOptions m_options;
    NvmlApi::Handle m_handle;
    std::vector<Sample> m_samples; ///< only the thread uses it while it runs
    std::int64_t m_beyond = 0;     ///< number of samples beyond the cap; only the thread uses it while it runs
    std::jthread m_thread;
};

class NvmlProfiler final : public trace::Profiler
{
public:
    NvmlProfiler(NvmlOptions options, const NvmlApi* nvml) : m_options(std::move(options)), m_nvml(nvml) {}

    std::string_view name() const override { return "nvml"; }

    trace::Availability availability() override
    {
        NvmlApi::Handle handle = nullptr;
        const base::Status found = find(handle);
        return found ? trace::Availability{} : trace::Availability{false, found.error().message, found.error().hint};
    }

    base::Result<std::unique_ptr<trace::ProfilerSession>> start() override
    {
        NvmlApi::Handle handle = nullptr;
        if (auto found = find(handle); !found)
            return found.error();
        return std::unique_ptr<trace::ProfilerSession>(std::make_unique<NvmlSession>(*m_nvml, m_options, handle));
    }

private:
    base::Status find(NvmlApi::Handle& handle) const
    {
        if (!m_nvml)
            return base::Error{base::ErrorCode::unsupported, base::message<nvml::errors::kNoDriver>(),
                               "libnvidia-ml.so.1", base::message<nvml::errors::kInstallDriver>()};
        NvmlApi::Status status = m_nvml->init();
        if (status == 0)
            status = m_nvml->deviceGetHandleByUUID(m_options.uuid.c_str(), &handle);
        if (status == 0)
            return {};
        return base::Error{base::ErrorCode::unsupported,
                           base::message<model::gpu_obstacles::kDriverDoesNotAnswer>(m_nvml->errorString(status)),
                           m_options.uuid, base::message<nvml::errors::kCheckWithSmi>()};
    }

    NvmlOptions m_options;
    const NvmlApi* m_nvml;
};

} // namespace

namespace {

using Reason = std::pair<unsigned long long, const char*>;

template <std::size_t N>
std::string reasonsText(const std::array<Reason, N>& known, unsigned long long reasons)
{
    std::string text;
    for (const auto& [bit, word] : known)
        if (reasons & bit)
            text += (text.empty() ? "" : ", ") + std::string(word);
    return text;
}

} // namespace

std::string throttleText(unsigned long long reasons)
{
    static constexpr std::array<Reason, 5> kLimits{{{NvmlApi::kPowerCap, "power cap"},
                                                    {NvmlApi::kHardwareSlowdown, "hardware slowdown"},
                                                    {NvmlApi::kSoftwareThermal, "heat, by software"},
                                                    {NvmlApi::kHardwareThermal, "heat, by hardware"},
                                                    {NvmlApi::kPowerBrake, "power brake"}}};
    return reasonsText(kLimits, reasons);
}

std::string clockStateText(unsigned long long reasons)
{
    static constexpr std::array<Reason, 4> kChoices{
        // The numbers are the nvmlClocksEventReasons of nvml.h.
        {{0x1, "idle"}, {0x2, "application clocks"}, {0x10, "synchronised boost"}, {0x100, "display clocks"}}};
    const std::string limits = throttleText(reasons);
    const std::string choices = reasonsText(kChoices, reasons);
    return limits.empty() || choices.empty() ? limits + choices : limits + ", " + choices;
}

std::unique_ptr<trace::Profiler> makeNvmlProfiler(NvmlOptions options, const NvmlApi* nvml)
{
    return std::make_unique<NvmlProfiler>(std::move(options), nvml);
}

std::vector<std::unique_ptr<trace::Profiler>> telemetryOf(const model::Device& device)
{
    std::vector<std::unique_ptr<trace::Profiler>> made;
    if (device.type.isNvidiaGpu())
        made.push_back(makeNvmlProfiler({device.uuid, 0})); // the only GPU that the worker sees
    return made;
}

} // namespace apertune::profilers
