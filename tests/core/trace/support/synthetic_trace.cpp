// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/trace/support/synthetic_trace.h"

#include "core/trace/trace_builder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace apertune::testing {

using namespace apertune::trace;

namespace {

struct Layer
{
    const char* op;
    const char* inner;
    const char* kernel;
    std::int64_t device; ///< ns
};

constexpr std::array<Layer, 6> kLayers{
    {{"aten::conv2d", "aten::cudnn_convolution", "sm80_xmma_fprop_implicit_gemm_bf16bf16_f32_nhwc_tilesize128x128x32",
      86'000},
     {"aten::batch_norm", "aten::cudnn_batch_norm", "cudnn::bn_fw_inf_1C11_kernel_NCHW", 21'000},
     {"aten::relu", "aten::clamp_min", "at::native::vectorized_elementwise_kernel<4, relu>", 12'000},
     {"aten::linear", "aten::addmm", "ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_64x4_tn", 64'000},
     {"aten::scaled_dot_product_attention", "aten::_flash_attention_forward", "flash_fwd_kernel", 48'000},
     {"aten::adaptive_avg_pool2d", "aten::mean", "at::native::reduce_kernel<512, 1, mean>", 9'000}}};

class Loop
{
public:
    explicit Loop(const LoopOptions& options) : m_options(options), m_random(options.seed)
    {
        trace::Track track;
        track.process = 48213;
        track.thread = 48213;
        track.label = "python 48213";
        m_main = m_builder.track(track);
        for (int i = 0; i < 3; ++i) {
            track.thread = 48220 + i;
            track.label = "loader " + std::to_string(i);
            m_loaders.push_back(m_builder.track(track));
        }
        trace::Track stream;
        stream.type = trace::TrackType::stream;
        stream.device = 0;
        stream.context = 1;
        stream.stream = 7;
        stream.label = "stream 7";
        m_stream = m_builder.track(stream);
        stream.stream = 14;
        stream.label = "stream 14";
        m_copies = m_builder.track(stream);
        trace::Track device;
        device.type = trace::TrackType::device;
        device.device = 0;
        device.label = "GPU 0";
        m_device = m_builder.track(device);
        m_power = counter("GPU power", "W");
        m_clock = counter("SM clock", "MHz");
        trace::DeviceProperties properties;
        properties.id = 0;
        properties.name = "NVIDIA A100-SXM4-40GB";
        properties.multiprocessors = 108;
        properties.computeMajor = 8;
        m_builder.head().devices.push_back(properties);
        m_builder.head().name = "resnet50 · int8 · batch 64";
        m_builder.head().source = "apertune";
    }

    trace::TracePtr run()
    {
        for (int i = 0; i < m_options.iterations; ++i)
            step(i);
        for (std::int64_t t = 0; t < m_host; t += 250'000) {
            const double phase = static_cast<double>(t) * 2e-6;
            sample(m_power, t, static_cast<std::int64_t>(240 + 90 * std::sin(phase) + noise(8)));
            sample(m_clock, t, static_cast<std::int64_t>(1410 - 60 * std::max(0.0, std::sin(phase - 1)) + noise(6)));
        }
        return std::make_shared<const trace::Trace>(m_builder.finish());
    }

private:
    trace::TrackId counter(const char* label, const char* unit)
    {
        trace::Track track;
        track.type = trace::TrackType::counter;
        track.label = label;
        track.unit = unit;
        return m_builder.track(track);
    }

    double noise(double width) { return std::uniform_real_distribution<double>(-width, width)(m_random); }
    std::int64_t vary(std::int64_t ns)
    {
        return static_cast<std::int64_t>(static_cast<double>(ns) * (1 + noise(0.35)));
    }

    void sample(trace::TrackId track, std::int64_t time, std::int64_t value)
    {
        trace::Event event;
        event.start = {time};
        event.value = value;
        m_builder.add(track, trace::EventKind::counter, event);
    }

    void add(trace::TrackId track, trace::EventKind kind, const std::string& name, std::int64_t start,
             std::int64_t duration, std::uint32_t correlation = 0, std::int64_t value = 0, std::uint32_t detail = 0)
    {
        trace::Event event;
        event.start = {start};
        event.duration = {duration};
        event.name = m_builder.intern(name);
        event.correlation = correlation;
        event.value = value;
        event.detail = detail;
        m_builder.add(track, kind, event);
    }

    void tensor(std::int64_t time, std::int64_t bytes, std::uint64_t address)
    {
        trace::Event event;
        event.start = {time};
        event.name = m_builder.intern("Tensor");
        event.value = bytes;
        event.address = address;
        m_builder.add(m_device, trace::EventKind::tensorMemory, event);
    }

    void launch(const char* call, trace::TrackId stream, trace::EventKind kind, const std::string& name,
                std::int64_t duration, std::int64_t value = 0, std::uint32_t detail = 0)
    {
        const std::int64_t took = vary(4'500);
        const std::uint32_t id = ++m_correlation;
        add(m_main, trace::EventKind::runtimeCall, call, m_host, took, id);
        const std::int64_t begin = std::max(m_host + took + 2'000, m_deviceFree) + 900;
        add(stream, kind, name, begin, duration, id, value, detail);
        m_deviceFree = begin + duration;
        m_host += took;
    }

    void step(int number)
    {
        const std::int64_t begin = m_host;
        m_host += 15'000;
        const std::int64_t forward = m_host;
        trace::CopyDetail copy;
        copy.direction = trace::CopyDirection::hostToDevice;
        copy.source = number % 3 == 0 ? trace::MemoryKind::pageable : trace::MemoryKind::pinned;
        copy.target = trace::MemoryKind::device;
        m_host += number % 3 == 0 ? 420'000 : 60'000;
        launch("cudaMemcpyAsync", m_copies, trace::EventKind::copy, "Memcpy HtoD", vary(380'000), 38'535'168,
               m_builder.detail(copy));
        std::vector<std::pair<std::int64_t, std::uint64_t>> blocks; // size and address of what lives
        for (int i = 0; i < m_options.layers; ++i) {
            const Layer& layer = kLayers[static_cast<std::size_t>(i) < 2 ? 0 : m_random() % kLayers.size()];
            const std::int64_t op = m_host;
            m_host += vary(9'000);
            const std::int64_t inner = m_host;
            m_host += vary(6'000);
            blocks.emplace_back(vary(6'000'000), m_address += 0x1000);
            tensor(m_host, blocks.back().first, blocks.back().second);
            trace::KernelDetail detail;
            detail.grid = {216, 1, 1};
            detail.block = {256, 1, 1};
            detail.registersPerThread = 168;
            launch("cudaLaunchKernel", m_stream, trace::EventKind::kernel, layer.kernel, vary(layer.device), 0,
                   m_builder.detail(detail));
            m_host += vary(5'000);
            add(m_main, trace::EventKind::operatorCall, layer.inner, inner, m_host - inner);
            m_host += vary(3'000);
            add(m_main, trace::EventKind::operatorCall, layer.op, op, m_host - op);
            m_host += vary(4'000);
            if (blocks.size() > 3) {
                tensor(m_host, -blocks.front().first, blocks.front().second);
                blocks.erase(blocks.begin());
            }
        }
        for (const auto& [size, address] : blocks)
            tensor(m_host, -size, address);
        add(m_main, trace::EventKind::range, "forward", forward, m_host - forward);
        copy.direction = trace::CopyDirection::deviceToHost;
        std::swap(copy.source, copy.target);
        launch("cudaMemcpyAsync", m_copies, trace::EventKind::copy, "Memcpy DtoH", vary(40'000), 256'000,
               m_builder.detail(copy));
        const std::int64_t wait = std::max<std::int64_t>(m_deviceFree - m_host, 2'000);
        add(m_main, trace::EventKind::runtimeCall, "cudaStreamSynchronize", m_host, wait, ++m_correlation);
        m_host += wait + 40'000;
        add(m_main, trace::EventKind::range, "ProfilerStep#" + std::to_string(number + 3), begin, m_host - begin);
        for (std::size_t i = 0; i < m_loaders.size(); ++i) {
            const std::int64_t start = begin + static_cast<std::int64_t>(i) * 500'000;
            add(m_loaders[i], trace::EventKind::operatorCall, i == 1 ? "aten::stack" : "decode_jpeg", start,
                vary(900'000));
        }
    }

    LoopOptions m_options;
    std::mt19937 m_random;
    trace::TraceBuilder m_builder;
    trace::TrackId m_main, m_stream, m_copies, m_device, m_power, m_clock;
    std::vector<trace::TrackId> m_loaders;
    std::int64_t m_host = 0;
    std::int64_t m_deviceFree = 0;
    std::uint32_t m_correlation = 100;
    std::uint64_t m_address = 0x7f00'0000'0000;
};

} // namespace

trace::TracePtr makeLoopTrace(const LoopOptions& options)
{
    return Loop(options).run();
}

trace::TracePtr makeLargeTrace(std::size_t events, int tracks, bool bursts)
{
    trace::TraceBuilder builder;
    std::vector<trace::StringId> names;
    for (int i = 0; i < 320; ++i)
        names.push_back(builder.intern(std::string(kLayers[static_cast<std::size_t>(i) % kLayers.size()].kernel) + "_" +
                                       std::to_string(i)));
    std::mt19937 random(7);
    for (int t = 0; t < tracks; ++t) {
        trace::Track track;
        track.type = trace::TrackType::stream;
        track.device = t % 4;
        track.stream = t;
        track.label = "stream " + std::to_string(t);
        trace::EventColumns& columns = builder.columns(builder.track(track), trace::EventKind::kernel);
        const std::size_t mine =
            t == 0 ? events * 6 / 10 : events * 4 / 10 / static_cast<std::size_t>(std::max(1, tracks - 1));
        const double period = 60e9 / static_cast<double>(mine);
        double time = 0;
        for (std::size_t i = 0; i < mine; ++i) {
            const std::uint32_t r = random();
            const bool burst = bursts && i > mine / 20 && i < mine * 19 / 20;
            const double slot = period * (burst ? 0.012 : 1.0) * (0.4 + static_cast<double>(r % 1000) / 833.0);
            columns.start.push_back(static_cast<std::int64_t>(time));
            columns.duration.push_back(std::max<std::int64_t>(
                1, static_cast<std::int64_t>(slot * static_cast<double>(20 + (r >> 10) % 75) / 100.0)));
            columns.name.push_back(names[(i * 7 + (r >> 20) % 3) % names.size()].value);
            time += slot;
        }
    }
    return std::make_shared<const trace::Trace>(builder.finish());
}

} // namespace apertune::testing
