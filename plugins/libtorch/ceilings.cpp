// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/ceilings.h"

#include "plugins/libtorch/device_runtime.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <c10/core/InferenceMode.h>
#include <unistd.h>

#include <algorithm>
#include <functional>

namespace apertune::libtorch {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kBlockSeconds = 0.02;   // so long that the overhead of reading the clock does not count
constexpr std::size_t kBlocks = 25;      // the most blocks of one rate
constexpr std::size_t kFewestBlocks = 6; // the fewest values that give a 95 % interval of the median
constexpr std::int64_t kMiB = 1 << 20;

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

class Sampler
{
public:
    explicit Sampler(DeviceRuntime& runtime) : m_runtime(runtime) {}

    /// Measures blocks until `deadline`. Each call in a block does `work`. Returns the rate of each block.
    std::vector<double> operator()(const std::function<void()>& body, double work, Clock::time_point deadline)
    {
        seconds(body, 1); // the first call touches pages, loads kernels and starts the library's own threads
        const double once = seconds(body, 1);
        // A block is long against the resolution of the timer.
        const int calls = std::max(1, static_cast<int>(kBlockSeconds / std::max(once, 1e-7)) + 1);
        std::vector<double> rates;
        // Some blocks are made even beyond the deadline, since one rate has no interval.
        while (rates.size() < kBlocks && (rates.size() < kFewestBlocks || Clock::now() < deadline))
            rates.push_back(work * calls / seconds(body, calls));
        return rates;
    }

private:
    double seconds(const std::function<void()>& body, int calls)
    {
        m_runtime.synchronize();
        const auto begin = Clock::now();
        m_runtime.startTimer();
        for (int i = 0; i < calls; ++i)
            body();
        const std::uint64_t device = m_runtime.stopTimer();
        const std::chrono::duration<double> elapsed = Clock::now() - begin;
        // The device's own clock leaves out the launch, where there is one.
        return device > 0 ? static_cast<double>(device) * 1e-9 : elapsed.count();
    }

    DeviceRuntime& m_runtime;
};

at::ScalarType storage(Precision precision)
{
    return precision == Precision::bf16 ? at::kBFloat16 : precision == Precision::fp16 ? at::kHalf : at::kFloat;
}

CeilingSamples products(Sampler& sample, c10::Device device, Precision precision, std::chrono::nanoseconds most)
{
    const bool cuda = device.is_cuda();
    at::globalContext().setAllowTF32CuBLAS(precision == Precision::tf32);
    // The size at which a device is fastest differs, so several are tried and the best counts.
    const std::vector<std::int64_t> sizes =
        cuda ? std::vector<std::int64_t>{2048, 4096, 8192} : std::vector<std::int64_t>{512, 1024, 2048};
    CeilingSamples best{std::string(toString(precision)), {}, {}};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::int64_t n = sizes[i];
        const auto options = at::TensorOptions().device(device).dtype(storage(precision));
        const at::Tensor a = at::rand({n, n}, options);
        const at::Tensor b = at::rand({n, n}, options);
        at::Tensor c = at::empty({n, n}, options);
        const auto deadline = Clock::now() + most / static_cast<int>(sizes.size());
        auto rates =
            // A product of two n × n matrices has 2 n³ operations.
            sample([&] { at::mm_out(c, a, b); }, 2.0 * static_cast<double>(n * n) * static_cast<double>(n), deadline);
        if (best.rates.empty() || median(rates) > median(best.rates)) {
            best.rates = std::move(rates);
            const std::string size = std::to_string(n);
            best.how = size + " x " + size + " x " + size;
        }
    }
    return best;
}

/// A size that no cache holds, and at most a sixteenth of the memory of a small machine.
std::int64_t copyBytes()
{
    const std::int64_t memory = std::int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGESIZE);
    return std::clamp(memory / 16, 16 * kMiB, 512 * kMiB);
}

CeilingSamples copies(Sampler& sample, const char* quantity, const at::TensorOptions& from, const at::TensorOptions& to,
                      double passes, std::chrono::nanoseconds most)
{
    const std::int64_t bytes = copyBytes();
    const at::Tensor source = at::ones({bytes / 4}, at::TensorOptions(from).dtype(at::kFloat));
    at::Tensor target = at::empty({bytes / 4}, at::TensorOptions(to).dtype(at::kFloat));
    auto rates = sample([&] { target.copy_(source, /*non_blocking=*/true); }, passes * static_cast<double>(bytes),
                        Clock::now() + most);
    return {quantity, "copies of " + std::to_string(bytes / kMiB) + " MiB", std::move(rates)};
}

} // namespace

MeasuredCeilings measureCeilings(const CeilingRequest& request)
{
    const c10::InferenceMode inference;
    if (request.threads > 0)
        at::set_num_threads(request.threads);
    const auto runtime = request.cuda ? makeCudaRuntime(request.deviceIndex) : makeCpuRuntime();
    const c10::Device device = runtime->device();
    Sampler sample(*runtime);
    // Each precision and each sort of copy has an equal part of the time.
    const auto part = request.most / static_cast<int>(request.precisions.size() + (request.cuda ? 3 : 1));
    MeasuredCeilings measured;
    for (const Precision precision : request.precisions)
        measured.samples.push_back(products(sample, device, precision, part));
    const auto here = at::TensorOptions().device(device);
    measured.samples.push_back(copies(sample, "copy", here, here, 2, part));
    if (request.cuda) {
        const auto host = at::TensorOptions().device(at::kCPU);
        measured.samples.push_back(copies(sample, "pinned", host.pinned_memory(true), here, 1, part));
        measured.samples.push_back(copies(sample, "pageable", host, here, 1, part));
    } else {
        // A rate of a CPU depends on its threads.
        for (CeilingSamples& samples : measured.samples)
            samples.how +=
                ", " + std::to_string(at::get_num_threads()) + (at::get_num_threads() == 1 ? " thread" : " threads");
    }
    return measured;
}

} // namespace apertune::libtorch
