// SPDX-License-Identifier: GPL-3.0-or-later
#include "planted_device.h"

#include "recorder.h"

#include <algorithm>
#include <array>

namespace apertune::advice::testing {

using trace::CopyDirection;
using Kernel = Recorder::Kernel;
using Host = Recorder::Host;

namespace {

struct KernelNames
{
    const char* op;
    const char* kernel;
};

constexpr std::array kArithmeticKernels = {
    KernelNames{"aten::conv2d", "sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32_nhwckrsc_nchw_tilesize128x128x16"},
    KernelNames{"aten::conv2d", "cudnn::winograd_nonfused::winogradForwardFilter4x4<float, float>"},
    KernelNames{"aten::addmm", "ampere_sgemm_128x64_tn"},
    KernelNames{"aten::mm", "void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_64x64_16x6_nn_align4>(Params)"}};
constexpr std::array kPointwiseKernels = {
    KernelNames{"aten::relu_", "void at::native::vectorized_elementwise_kernel<4, at::native::clamp_scalar>(int)"},
    KernelNames{"aten::add_",
                "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>(int)"},
    KernelNames{"aten::gelu",
                "void at::native::vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl>(int)"}};
constexpr std::array kOtherTraffic = {
    KernelNames{"aten::native_layer_norm",
                "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float>(int)"},
    KernelNames{"aten::max_pool2d_with_indices",
                "void at::native::(anonymous namespace)::max_pool_forward_nchw<float>(int)"},
    KernelNames{"aten::mean", "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>(ReduceOp)"},
    KernelNames{"aten::_softmax", "void (anonymous namespace)::softmax_warp_forward<float, float, float, 8>(float*)"},
    KernelNames{"aten::upsample_bilinear2d",
                "void at::native::(anonymous namespace)::upsample_bilinear2d_out_frame<float>(int)"}};

template <std::size_t N>
const KernelNames& pick(Dice& dice, const std::array<KernelNames, N>& list)
{
    return list[static_cast<std::size_t>(dice.number(0, static_cast<int>(N) - 1))];
}

/// The kernels of one pass of a sound model: arithmetic and traffic in like parts, all of them long enough.
std::vector<Kernel> soundKernels(Dice& dice)
{
    std::vector<Kernel> model;
    const int layers = dice.number(14, 40);
    const double scale = dice.uniform(45e3, 120e3);
    double arithmetic = 0, pointwise = 0;
    for (int i = 0; i < layers; ++i) {
        Kernel a;
        const KernelNames& n = pick(dice, kArithmeticKernels);
        a.op = n.op;
        a.name = n.kernel;
        a.time = scale * dice.uniform(0.7, 1.5);
        a.blocks = static_cast<std::uint32_t>(dice.number(2000, 9000));
        arithmetic += a.time;
        model.push_back(a);
    }
    // 0.85 … 1.1 times as long: a quarter to a third of it element-wise, spread out.
    const double traffic = arithmetic * dice.uniform(0.75, 1.0);
    const double limit = traffic * dice.uniform(0.25, 0.35);
    double total = 0;
    while (total < traffic) {
        const bool isPointwise = pointwise < limit && dice.chance(0.4);
        const KernelNames& n = isPointwise ? pick(dice, kPointwiseKernels) : pick(dice, kOtherTraffic);
        Kernel t;
        t.op = n.op;
        t.name = n.kernel;
        t.time = std::max(20e3, scale * dice.uniform(0.3, 0.9));
        t.blocks = static_cast<std::uint32_t>(dice.number(2000, 9000));
        total += t.time;
        pointwise += isPointwise ? t.time : 0;
        model.insert(model.begin() + dice.number(0, static_cast<int>(model.size())), t);
    }
    return model;
}

double totalTime(const std::vector<Kernel>& model)
{
    double time = 0;
    for (const Kernel& k : model)
        time += k.time;
    return time;
}

/// What looks suspicious and is not: everything a program does before its loop, and a second thread.
void beginning(Recorder& r, Dice& dice, const std::vector<Kernel>& model)
{
    for (int i = dice.number(5, 30); i > 0; --i)
        r.allocate(i % 5 == 0 ? "cudaHostAlloc" : "cudaMalloc", dice.about(150e3, 0.6), false);
    for (int i = dice.number(2, 12); i > 0; --i)
        r.blockingCopy(CopyDirection::hostToDevice, dice.number(1, 40) << 18, Host::pageable);
    for (int i = 0; i < 2; ++i) {
        for (const Kernel& k : model) {
            Kernel cold = k;
            cold.dispatch *= 5;
            r.run(cold);
        }
        r.synchronize("cudaDeviceSynchronize");
    }
}

void secondThread(Recorder& r, Dice& dice, std::int64_t end)
{
    trace::TraceBuilder& b = r.builder();
    const trace::TrackId other =
        b.track({.type = trace::TrackType::hostThread, .process = 1, .thread = 2, .label = "loader", .unit = {}});
    static constexpr std::array kNames = {"aten::stack", "aten::to", "aten::contiguous", "aten::batch_norm_stats_cpu"};
    for (std::int64_t t = 0; t < end; t += dice.about(900e3, 0.5)) {
        trace::Event e;
        e.start = {t};
        e.duration = {dice.about(60e3, 0.4)};
        e.name = b.intern(kNames[static_cast<std::size_t>(dice.number(0, 2))]);
        b.add(other, trace::EventKind::operatorCall, e);
    }
}

} // namespace

void recordDevice(Plant plant, Dice& dice, Planted& out)
{
    Recorder r(dice);
    std::vector<Kernel> model = soundKernels(dice);
    if (plant == Plant::hiddenWaits || plant == Plant::oneWait || plant == Plant::readsNumbers)
        for (Kernel& k : model)
            k.time = std::min(k.time, dice.uniform(20e3, 35e3));
    double pass = totalTime(model);
    const auto bytesFor = [&](double share, double rate) {
        return static_cast<std::int64_t>(share * pass * 1e-9 * rate);
    };
    const auto insert = [&](const KernelNames& n, double share, int pieces) {
        for (int i = 0; i < pieces; ++i) {
            Kernel k;
            k.op = n.op;
            k.name = n.kernel;
            k.time = share * pass / pieces;
            model.insert(model.begin() + dice.number(1, static_cast<int>(model.size())), k);
        }
    };

    // What is planted into the model itself.
    switch (plant) {
    case Plant::tinyKernels: {
        const double to = dice.uniform(2.5e3, 6e3);
        for (Kernel& k : model) {
            k.time = to * dice.uniform(0.6, 1.5);
            k.dispatch = dice.uniform(6e3, 14e3);
            k.call = dice.uniform(4e3, 8e3);
        }
        break;
    }
    case Plant::pointwiseChains: {
        model.erase(std::remove_if(model.begin(), model.end(),
                                   [&](const Kernel& k) {
                                       return std::string(k.op).find("conv") == std::string::npos && dice.chance(0.5);
                                   }),
                    model.end());
        const double rest = totalTime(model);
        for (double more = rest * dice.uniform(1.6, 2.6); more > 0;) {
            const auto at = dice.number(0, static_cast<int>(model.size()));
            for (int i = dice.number(2, 5); i > 0 && more > 0; --i) {
                const KernelNames& n = pick(dice, kPointwiseKernels);
                Kernel k;
                k.op = n.op;
                k.name = n.kernel;
                k.time = dice.uniform(30e3, 80e3);
                more -= k.time;
                model.insert(model.begin() + at, k);
            }
        }
        break;
    }
    case Plant::layoutOnDevice:
        insert({"aten::contiguous", "void cudnn::ops::nchwToNhwcKernel<float, float, float, false, true>(int)"},
               dice.uniform(0.5, 0.9), dice.number(10, 24));
        break;
    case Plant::castsOnDevice:
        insert({"aten::to", "void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda, "
                            "LoadWithCast<1>, StoreWithCast>(int)"},
               dice.uniform(0.5, 0.9), dice.number(10, 24));
        break;
    case Plant::collectives:
        insert({"c10d::allreduce_", "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*, unsigned long, ncclWork*)"},
               dice.uniform(0.6, 1.2), dice.number(2, 12));
        break;
    case Plant::batchNormOnDevice:
        insert({"aten::batch_norm", "void cudnn::bn_fw_inf_1C11_kernel_NCHW<float, float, true, 1>(float)"},
               dice.uniform(0.1, 0.4), dice.number(8, 24));
        break;
    case Plant::unfusedAttention: {
        const int heads = dice.number(4, 12);
        const double share = dice.uniform(0.3, 0.6) * pass / heads;
        for (int i = 0; i < heads; ++i) {
            std::vector<Kernel> steps(5);
            for (const std::size_t product : {0, 4}) {
                steps[product].op = "aten::bmm";
                steps[product].name = "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1";
                steps[product].time = dice.uniform(0.3, 0.6) * share;
            }
            steps[1].op = "aten::mul";
            steps[1].name = kPointwiseKernels[1].kernel;
            steps[1].time = 0.3 * share;
            steps[2].op = "aten::_softmax";
            steps[2].name = "void (anonymous namespace)::softmax_warp_forward<float, float, float, 8>(float*)";
            steps[2].time = 0.5 * share;
            steps[3].op = "aten::copy_";
            steps[3].name = kPointwiseKernels[0].kernel;
            steps[3].time = 0.2 * share;
            model.insert(model.begin() + dice.number(0, static_cast<int>(model.size())), steps.begin(), steps.end());
        }
        break;
    }
    case Plant::unalignedChannels:
        for (int i = dice.number(4, 20); i > 0; --i) {
            Kernel k;
            k.op = "aten::cudnn_convolution";
            k.name = "sm80_xmma_fprop_implicit_gemm_f16f16_f16f32_f32_nhwckrsc_nhwc_tilesize128x128x32";
            k.shapes =
                dice.chance(0.5) ? "[[32, 100, 28, 28], [100, 100, 3, 3]]" : "[[32, 64, 28, 28], [90, 64, 1, 1]]";
            k.types = "[\"c10::Half\", \"c10::Half\"]";
            k.time = dice.uniform(0.02, 0.06) * pass;
            model.insert(model.begin() + dice.number(0, static_cast<int>(model.size())), k);
        }
        break;
    case Plant::floatLayers:
        out.context.config =
            model::makeConfig(model::OptLevel::o0, model::Precision::fp16, 1, 0, model::DeviceType::nvidiaGpu());
        break;
    case Plant::slowConvolutions:
        insert({"aten::_slow_conv2d_forward", "volta_sgemm_128x64_nn"}, dice.uniform(1.5, 3), dice.number(4, 20));
        break;
    case Plant::unalignedProducts:
        insert({"aten::mm", "void cutlass::Kernel2<cutlass_75_tensorop_bf16_s1688gemm_bf16_128x128_nn_align1>(Params)"},
               dice.uniform(0.3, 0.7), dice.number(4, 20));
        break;
    case Plant::arithmeticOnly:
        for (Kernel& k : model)
            if (std::string(k.op).find("conv") != std::string::npos ||
                std::string(k.op).find("mm") != std::string::npos)
                k.time *= dice.uniform(3, 5);
        break;
    case Plant::smallGrids:
        for (Kernel& k : model) {
            k.blocks = static_cast<std::uint32_t>(dice.number(8, 90));
            k.threads = 128;
        }
        break;
    default:
        break;
    }

    pass = totalTime(model);
    if (plant == Plant::memoryLimit) {
        std::uint64_t address = 4096;
        for (int i = 0; i < 8; ++i, address += 1 << 20)
            r.deviceMemory(static_cast<std::int64_t>(dice.uniform(0.117, 0.124) * static_cast<double>(40ll << 30)),
                           address);
    } else if (dice.chance(0.5)) {
        r.deviceMemory(dice.number(1, 20) * (1ll << 30), 4096);
    }
    beginning(r, dice, model);

    const int iterations = plant == Plant::slowIterations ? dice.number(22, 40) : dice.number(12, 30);
    const bool steps = plant == Plant::slowIterations || dice.chance(0.4);
    const std::int64_t input = bytesFor(dice.uniform(0.03, 0.10), 12e9);
    const std::int64_t output = dice.number(1000, 200000) * 4;
    double slower = 1;
    for (int i = 0; i < iterations; ++i) {
        const std::int64_t began = r.now();
        const Host inputMemory = plant == Plant::pageableInput ? Host::pageable : Host::pinned;
        switch (plant) {
        case Plant::pageableInput:
            r.copy(CopyDirection::hostToDevice, bytesFor(dice.uniform(0.5, 0.55), 5e9), inputMemory,
                   Recorder::kCompute);
            break;
        case Plant::largeInput:
        case Plant::noOverlap:
            r.copy(CopyDirection::hostToDevice, bytesFor(plant == Plant::largeInput ? 1.3 : 0.5, 12e9), Host::pinned,
                   Recorder::kCompute);
            break;
        default:
            r.copy(CopyDirection::hostToDevice, input, Host::pinned, Recorder::kCopy);
        }
        if (plant == Plant::repeatedUpload)
            for (int u = 0; u < 4; ++u)
                r.copy(CopyDirection::hostToDevice, bytesFor(0.12 + 0.02 * u, 12e9), Host::pinned, Recorder::kCompute);
        if (plant == Plant::imagePreparation)
            r.hostOperator("image::decode_jpeg", dice.about(0.5 * pass, 0.2));
        slower *= plant == Plant::drift ? 1.015 : 1;
        const int middle = static_cast<int>(model.size()) / 2;
        for (int k = 0; k < static_cast<int>(model.size()); ++k) {
            Kernel kernel = model[static_cast<std::size_t>(k)];
            kernel.time *= slower;
            const std::string ofThisShape = "triton_poi_fused_relu_" + std::to_string(i);
            if (plant == Plant::firstCalls && k >= middle && k < middle + 3) { // another shape in each iteration
                kernel.name = ofThisShape.c_str();
                if (k == middle)
                    kernel.call = std::max(1.5e6, 1.3 * pass);
            }
            r.run(kernel);
            if (plant == Plant::hiddenWaits && k % 2 == 0)
                r.synchronize(k % 4 ? "cudaStreamSynchronize" : "cudaDeviceSynchronize");
            if (plant == Plant::oneWait && k == middle) {
                r.synchronize();
                r.spend(dice.about(50e3, 0.1));
            }
            if (plant == Plant::readsNumbers && k % 2 == 1) {
                r.copy(CopyDirection::deviceToHost, 4, Host::pageable, Recorder::kCompute);
                r.synchronize();
                r.spend(dice.about(15e3, 0.3));
            }
            if (plant == Plant::blockingCopies && k % 3 == 0)
                r.blockingCopy(k % 2 ? CopyDirection::deviceToHost : CopyDirection::hostToDevice,
                               bytesFor(0.6 / static_cast<double>(model.size()), 5e9), Host::pageable);
            if (plant == Plant::slowIterations && k == middle && i % 15 == 14) {
                r.synchronize();
                r.spend(dice.about(3 * pass, 0.2));
            }
            if (plant == Plant::roundTrip && k == middle) {
                const std::int64_t bytes = bytesFor(0.35, 12e9);
                r.copy(CopyDirection::deviceToHost, bytes, Host::pinned, Recorder::kCompute);
                r.synchronize();
                r.copy(CopyDirection::hostToDevice, bytes, Host::pinned, Recorder::kCompute);
            }
            if (plant == Plant::deviceCopies && k % 2 == 0)
                r.clone(bytesFor(2.0 / static_cast<double>(model.size()), Recorder::kDeviceRate));
            if (plant == Plant::deviceAllocation && (k == middle || k == 1)) {
                r.allocate("cudaMalloc", dice.about(0.12 * pass, 0.2), false);
                r.allocate("cudaFree", dice.about(0.18 * pass, 0.2), true);
            }
            if (dice.chance(0.01))
                r.fill(4096);
        }
        if (plant == Plant::largeOutput)
            r.copy(CopyDirection::deviceToHost, bytesFor(0.8, 12e9), Host::pinned, Recorder::kCompute);
        else {
            r.streamWait(Recorder::kCopy, Recorder::kCompute);
            r.copy(CopyDirection::deviceToHost, output, Host::pinned, Recorder::kCopy);
        }
        r.synchronize();
        if (plant == Plant::slowNms)
            r.hostOperator("torchvision::nms", dice.about(0.6 * pass, 0.2));
        if (plant == Plant::slowHost) {
            for (int o = dice.number(1, 4); o > 0; --o)
                r.hostOperator("aten::normal_", dice.about(0.1 * pass, 0.3));
            r.spend(dice.about(0.5 * pass, 0.15));
        } else {
            r.spend(dice.about(0.004 * pass, 0.3));
        }
        if (steps)
            r.range("ProfilerStep#" + std::to_string(i + 3), began, r.now());
        else if (dice.chance(0.3))
            r.range("postprocess", r.now() - 2'000, r.now());
    }
    if (plant == Plant::heldClock) {
        const std::int64_t all = r.now();
        r.clockState("power cap", static_cast<std::int64_t>(dice.uniform(0.3, 0.5) * static_cast<double>(all)), all,
                     dice.number(900, 1500));
        r.clockState("application clocks", 0, all / 10, 1980);
    }
    secondThread(r, dice, r.now());
    out.trace = r.finish();
}

} // namespace apertune::advice::testing
