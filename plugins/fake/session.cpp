// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/fake/session.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <limits>
#include <thread>

namespace fake {

namespace {

using Clock = std::chrono::steady_clock;

/// Each round takes about a nanosecond and waits for the one before. Other work on the processor slows it down as it
/// slows down a model.
void work(double steps)
{
    static volatile std::uint64_t sink = 1;
    std::uint64_t x = sink;
    for (auto left = static_cast<std::int64_t>(steps); left > 0; --left)
        x = x * 6364136223846793005ULL + 1442695040888963407ULL;
    sink = x;
}

/// Keeps other workers from a pass while it lives.
class Turn
{
public:
    explicit Turn(const std::filesystem::path& file)
        : m_file(file.empty() ? -1 : ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600))
    {
        if (m_file >= 0)
            ::flock(m_file, LOCK_EX);
    }
    ~Turn()
    {
        if (m_file >= 0)
            ::close(m_file);
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

private:
    int m_file;
};

void waitFor(double ns, Script::Wait how)
{
    if (how == Script::Wait::work) {
        work(ns);
        return;
    }
    const auto end = Clock::now() + std::chrono::nanoseconds(static_cast<std::int64_t>(ns));
    if (how == Script::Wait::sleep)
        std::this_thread::sleep_until(end);
    while (Clock::now() < end) {
    }
}

/// The clock of recordings: on Linux steady_clock is CLOCK_MONOTONIC.
std::int64_t nanoseconds(Clock::time_point time)
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

[[noreturn]] void hang()
{
    while (true)
        std::this_thread::sleep_for(std::chrono::seconds(1));
}

void printGarbage()
{
    std::cout << "a library's chatter that nobody asked for" << std::endl;
    std::string bytes(300, '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<char>(i);
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);
    std::fflush(stdout);
    if (::write(STDOUT_FILENO, bytes.data(), bytes.size()) < 0)
        std::perror("write");
}

} // namespace

Session::Session(std::filesystem::path artifact, Configuration configuration)
    : m_configuration(std::move(configuration)), m_script(readScript(artifact, m_configuration))
{
    waitFor(m_script.loadNs, Script::Wait::sleep);
    if (m_script.processNoise > 0 || m_script.slowNoise > 0) {
        m_random.seed(std::random_device{}());
        m_factor = std::normal_distribution<double>(1.0, m_script.processNoise)(m_random);
    }
    if (m_script.unpacks)
        unpack();
    strike("open");
}

Session::~Session()
{
    if (m_library)
        ::dlclose(m_library);
    std::error_code ignored;
    if (!m_unpacked.empty())
        std::filesystem::remove_all(m_unpacked, ignored);
}

void Session::unpack()
{
    // The function table that the worker called lies in this library, so the library can be found and copied.
    Dl_info self{};
    char folder[] = "/tmp/XXXXXX";
    if (!::mkdtemp(folder) || !::dladdr(reinterpret_cast<void*>(&apertune_plugin_entry), &self))
        throw Failed(APERTUNE_INTERNAL, "The fake package cannot be unpacked.");
    m_unpacked = folder;
    const auto file = m_unpacked / "data/aotinductor/model/model.so";
    std::filesystem::create_directories(file.parent_path());
    std::filesystem::copy_file(self.dli_fname, file);
    m_library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
}

void Session::strike(const std::string& place)
{
    const std::int64_t count = ++m_passed[place];
    for (const Fault& fault : m_script.faults) {
        if (fault.at != place || fault.n != count)
            continue;
        if (!fault.once.empty()) {
            if (std::filesystem::exists(fault.once))
                continue;
            std::ofstream(fault.once) << "struck\n";
        }
        if (fault.act == "crash") {
            std::signal(SIGSEGV, SIG_DFL); // a sanitizer's handler would turn the signal into an exit
            std::raise(SIGSEGV);
        } else if (fault.act == "abort")
            std::abort();
        else if (fault.act == "kill")
            std::raise(SIGKILL);
        else if (fault.act == "exit")
            std::_Exit(7);
        else if (fault.act == "hang")
            hang();
        else if (fault.act == "freeze") // stops the whole process, with its heartbeat
            std::raise(SIGSTOP);
        else if (fault.act == "print")
            printGarbage();
        else if (fault.act == "nan")
            m_nan = true;
        else if (fault.act == "oom")
            throw Failed(APERTUNE_OUT_OF_MEMORY, "The script says that memory is full.");
        else if (fault.act == "oom_text") {
            // Compiled packages fail like this: the type of the exception is lost, and only the log says why.
            std::cerr << "Exception in aoti_torch: DefaultCPUAllocator: can't allocate memory" << std::endl;
            throw Failed(APERTUNE_INTERNAL, "An API call failed.");
        } else if (fault.act == "throw")
            throw Failed(APERTUNE_MODEL_THREW, "The script says that the model throws.");
        else if (fault.act == "bad_input")
            throw Failed(APERTUNE_BAD_INPUT, "The script says that the model is unusable.");
        else if (fault.act == "unsupported")
            throw Failed(APERTUNE_UNSUPPORTED, "The script says that this configuration cannot exist.");
        else if (fault.act == "device_lost")
            throw Failed(APERTUNE_DEVICE_LOST, "The script says that the device is gone.");
        else
            throw Failed(APERTUNE_INTERNAL, "The script asks for the unknown act " + fault.act + ".");
    }
}

void Session::run()
{
    strike("run");
    if (m_script.memoryLimit > 0 && m_script.memory > m_script.memoryLimit)
        throw Failed(APERTUNE_OUT_OF_MEMORY, "The configuration needs " + std::to_string(m_script.memory) +
                                                 " bytes of " + std::to_string(m_script.memoryLimit) + ".");
    std::normal_distribution<double> spread(1.0, m_script.noise);
    double factor = m_factor * spread(m_random);
    if (m_script.slowNoise > 0) {
        // A wandering mean of variance 1: half of a deviation is left after some 140 passes.
        constexpr double kKept = 0.995;
        m_wander = kKept * m_wander + std::normal_distribution<double>(0, std::sqrt(1 - kKept * kKept))(m_random);
        factor *= 1 + m_script.slowNoise * m_wander;
    }
    double slowdown = 1;
    if (!m_script.slowdown.empty())
        std::ifstream(m_script.slowdown) >> slowdown;
    const double ns = m_script.latencyNs * std::max(0.1, factor) * (slowdown > 0 ? slowdown : 1);
    const auto begin = Clock::now();
    {
        const Turn turn(m_script.exclusive);
        waitFor(ns, m_script.wait);
    }
    if (m_tracing)
        record(nanoseconds(begin), nanoseconds(Clock::now()));
    m_deviceNs += static_cast<std::uint64_t>(ns);
}

void Session::synchronize()
{
    strike("synchronize");
}

std::uint64_t Session::stopTimer()
{
    return m_configuration.device == "cpu" ? 0 : m_deviceNs;
}

std::vector<float> Session::logits(std::uint32_t input) const
{
    std::vector<float> values;
    for (std::int64_t i = 0; i < m_configuration.batch; ++i) {
        const std::int64_t sample = (static_cast<std::int64_t>(input) * m_configuration.batch + i) % m_script.samples;
        for (std::int64_t c = 0; c < m_script.classes; ++c) {
            const double exact = std::sin(static_cast<double>(sample * 31 + c * 7 + 1));
            const double error = m_script.error * std::cos(static_cast<double>(sample * 13 + c * 5));
            values.push_back(static_cast<float>(exact + error));
        }
    }
    if (m_nan)
        values.front() = std::numeric_limits<float>::quiet_NaN();
    return values;
}

void Session::outputs(std::uint32_t input, apertune_tensor_sink sink, void* user)
{
    run();
    synchronize();
    strike("outputs");
    handOut(input, logits(input), sink, user);
}

void* Session::hostMemory(std::uint32_t kind, std::uint64_t bytes)
{
    if (kind != APERTUNE_PAGEABLE && m_configuration.device == "cpu")
        throw Failed(APERTUNE_UNSUPPORTED, "Only copies to a GPU are made from pinned memory.");
    m_hostMemory.emplace_back(std::aligned_alloc(64, (bytes / 64 + 1) * 64), std::free);
    return m_hostMemory.back().get();
}

void Session::setSamples(std::uint32_t input, const apertune_samples& samples)
{
    strike("set_samples");
    if (samples.kind != APERTUNE_SAMPLE_VALUES)
        throw Failed(APERTUNE_UNSUPPORTED, "This backend does not prepare pixels on the device.");
    std::vector<float>& given = m_given[input];
    given.resize(static_cast<std::size_t>(m_configuration.batch));
    for (std::uint32_t i = 0; i < samples.count; ++i)
        std::memcpy(&given.at(i), samples.data[i], sizeof(float));
}

void Session::runKeeping(std::uint32_t input)
{
    run();
    m_kept = input;
}

void Session::keptOutputs(apertune_tensor_sink sink, void* user)
{
    strike("kept_outputs");
    if (!m_kept)
        throw Failed(APERTUNE_BAD_INPUT, "No pass kept its outputs.");
    std::vector<float> scores = logits(*m_kept);
    if (const auto given = m_given.find(*m_kept); given != m_given.end()) {
        std::fill(scores.begin(), scores.end(), 0.0F);
        for (std::size_t i = 0; i < given->second.size(); ++i) {
            const auto answer = std::llround(std::abs(given->second[i]) * 1000) % m_script.classes;
            scores[i * static_cast<std::size_t>(m_script.classes) + static_cast<std::size_t>(answer)] = 9;
        }
    }
    handOut(*m_kept, scores, sink, user);
}

void Session::handOut(std::uint32_t input, const std::vector<float>& scores, apertune_tensor_sink sink, void* user)
{
    const std::int64_t scoreShape[] = {m_configuration.batch, m_script.classes};
    std::vector<std::int64_t> labels;
    for (std::int64_t i = 0; i < m_configuration.batch; ++i)
        labels.push_back((static_cast<std::int64_t>(input) * m_configuration.batch + i) % m_script.samples);
    const std::int64_t labelShape[] = {m_configuration.batch};

    std::vector<apertune_tensor> tensors{{"scores", APERTUNE_FLOAT32, 2, scoreShape, scores.data()},
                                         {"labels", APERTUNE_INT64, 1, labelShape, labels.data()}};
    const std::int64_t boxShape[] = {m_configuration.precision == "fp32" ? 3 : 2, 4};
    const std::vector<float> boxes(static_cast<std::size_t>(boxShape[0] * 4), 0.5F);
    if (m_script.detections)
        tensors.push_back({"boxes", APERTUNE_FLOAT32, 2, boxShape, boxes.data()});
    sink(user, tensors.data(), tensors.size());
}

void Session::startTrace(const apertune_trace_options& options)
{
    strike("trace_start");
    if (m_tracing)
        throw Failed(APERTUNE_BAD_INPUT, "A recording runs already.");
    m_tracing = true;
    m_traceOptions = options;
    m_events.clear();
    m_lost = 0;
}

void Session::record(std::int64_t begin, std::int64_t end)
{
    const auto thread = static_cast<std::uint32_t>(::gettid());
    double total = 0;
    for (const Operator& op : m_script.operators)
        total += op.share;
    const auto add = [&](const apertune_trace_event& event) {
        if (m_traceOptions.max_events > 0 && m_events.size() >= m_traceOptions.max_events)
            ++m_lost;
        else
            m_events.push_back(event);
    };
    // Numbers of strings: 2i+1 is the name of operator i, 2i+2 its shapes.
    double at = 0;
    for (std::uint32_t i = 0; i < m_script.operators.size(); ++i) {
        const Operator& op = m_script.operators[i];
        const auto start = begin + static_cast<std::int64_t>(at / total * static_cast<double>(end - begin));
        at += op.share;
        const auto stop = begin + static_cast<std::int64_t>(at / total * static_cast<double>(end - begin));
        if (m_traceOptions.record & APERTUNE_TRACE_MEMORY && op.bytes > 0) {
            add({start, 0, op.bytes, 0x1000u * (i + 1), APERTUNE_TRACE_ALLOCATION, thread, 0, 0, 0, -1});
            add({stop, 0, -op.bytes, 0x1000u * (i + 1), APERTUNE_TRACE_ALLOCATION, thread, 0, 0, 0, -1});
        }
        if (m_traceOptions.record & APERTUNE_TRACE_OPERATORS)
            add({start, stop - start, -1, 0, APERTUNE_TRACE_OPERATOR, thread, 2 * i + 1,
                 m_traceOptions.record & APERTUNE_TRACE_SHAPES ? 2 * i + 2 : 0, 0, -1});
    }
}

void Session::stopTrace(apertune_trace_sink sink, void* user)
{
    strike("trace_stop");
    if (!m_tracing)
        throw Failed(APERTUNE_BAD_INPUT, "No recording runs.");
    m_tracing = false;
    if (!sink)
        return;
    std::vector<const char*> strings;
    for (const Operator& op : m_script.operators) {
        strings.push_back(op.name.c_str());
        strings.push_back(op.shapes.c_str());
    }
    const std::size_t half = m_events.size() / 2; // two batches, so that tests read more than one
    const apertune_trace_batch first{sizeof first, 1, strings.size(), strings.data(), half, m_events.data(), 0};
    sink(user, &first);
    const apertune_trace_batch second{sizeof second,
                                      static_cast<std::uint32_t>(strings.size()) + 1,
                                      0,
                                      nullptr,
                                      m_events.size() - half,
                                      m_events.data() + half,
                                      m_lost};
    sink(user, &second);
}

std::string Session::report()
{
    strike("report");
    const char* const freeze = !m_configuration.switches.contains("freeze") ? "off"
                               : m_script.ignores.contains("freeze")        ? "requested_not_in_effect"
                                                                            : "on";
    nlohmann::json json{{"applied", {{{"switch", "freeze"}, {"state", freeze}, {"evidence", "scripted"}}}},
                        {"memory", {{"allocator_peak", nullptr}, {"device_peak", nullptr}}},
                        {"notes", nlohmann::json::array()}};
    if (m_script.memory > 0) {
        json["memory"]["allocator_peak"] = m_script.memory;
        if (m_configuration.device != "cpu") // The worker itself measures what its process takes of the host.
            json["memory"]["device_peak"] = m_script.memory;
    }
    return json.dump();
}

} // namespace fake
