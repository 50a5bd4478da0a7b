// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/iterations.h"
#include "core/analysis/kernel_name.h"
#include "core/analysis/memory_timeline.h"
#include "core/analysis/names.h"
#include "core/analysis/number_format.h"
#include "core/analysis/roofline.h"
#include "core/timeline/timeline.h"
#include "core/trace/counter_unit.h"
#include "small_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <iostream>

namespace apertune::analysis {
namespace {

using ::testing::ElementsAre;
using testing::SmallTrace;

TEST(Names, KernelsOfTheUsualLibrariesAreKnown)
{
    EXPECT_EQ(classifyKernel("volta_sgemm_128x64_nn"), OpClass::matrixProduct);
    EXPECT_EQ(classifyKernel("sm80_xmma_fprop_implicit_gemm_f16f16_f16f32_nhwc"), OpClass::convolution);
    EXPECT_EQ(classifyKernel("void cudnn::ops::nchwToNhwcKernel<float>(int)"), OpClass::layout);
    EXPECT_EQ(classifyKernel("void fbgemm_gpu::permute_indices_weights_kernel<true, long>(int)"), OpClass::layout);
    EXPECT_EQ(classifyKernel("void fbgemm_gpu::gemm_f8<__nv_bfloat16>(int)"), OpClass::matrixProduct);
    EXPECT_EQ(classifyKernel("void cudnn::bn_fw_tr_1C11_kernel_NCHW<float>(int)"), OpClass::normalization);
    EXPECT_EQ(classifyKernel("void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float> >(int)"),
              OpClass::elementwise);
    EXPECT_EQ(classifyKernel("void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda, "
                             "LoadWithoutCast, StoreWithoutCast>(int)"),
              OpClass::copy);
    EXPECT_EQ(classifyKernel("void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda, "
                             "LoadWithCast<1>, StoreWithCast<1>>(int)"),
              OpClass::cast);
    EXPECT_EQ(classifyKernel("void at::native::vectorized_elementwise_kernel<4, "
                             "at::native::bfloat16tofloat32_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda("
                             "c10::BFloat16)#1}, std::array<char*, 2ul> >(int)"),
              OpClass::cast);
    EXPECT_EQ(classifyKernel("triton_poi_fused_convert_element_type_0"), OpClass::cast);
    EXPECT_EQ(classifyOperator("prims::convert_element_type"), OpClass::cast);
    EXPECT_EQ(classifyKernel("ncclKernel_AllReduce_RING_LL_Sum_float"), OpClass::communication);
    EXPECT_EQ(classifyKernel("triton_poi_fused_add_relu_3"), OpClass::elementwise);
    EXPECT_EQ(classifyKernel("nvjet_hsh_192x192_64x3_1x2_h_bz_coopB_NNT"), OpClass::matrixProduct);
    EXPECT_EQ(classifyKernel("turing_fp16_s1688cudnn_fp16_256x64_ldg8_relu_f2f_exp_small_nhwc_tn_v1"),
              OpClass::convolution)
        << "with its activation";
    EXPECT_EQ(classifyKernel("cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_3_128x128x64_4x1x1"),
              OpClass::attention);
    EXPECT_EQ(classifyKernel("void at::native::(anonymous namespace)::roi_align_forward_kernel_impl<float>(int)"),
              OpClass::indexing);
}

TEST(Names, AKernelOfInductorIsWhatItDoesAndNotWhatItReads)
{
    const std::pair<const char*, OpClass> cases[] = {
        {"triton_tem_fused_addmm_3", OpClass::matrixProduct},
        {"triton_tem_fused_convolution_12", OpClass::convolution},
        {"triton_tem_fused_flex_attention_0", OpClass::attention},
        {"triton_poi_fused_addmm_gelu_view_26", OpClass::elementwise},
        {"triton_poi_fused_addmm_7", OpClass::elementwise},
        {"triton_poi_fused_convolution_relu_1", OpClass::elementwise},
        {"triton_poi_fused", OpClass::elementwise},
        {"triton_poi_fused_0", OpClass::elementwise},
        {"triton_poi_fused__scaled_dot_product_flash_attention_cat_transpose_view_33", OpClass::copy},
        {"triton_poi_fused__scaled_dot_product_flash_attention_clone_2", OpClass::copy},
        {"triton_poi_fused__unsafe_view_clone_slice_transpose_4", OpClass::layout},
        {"triton_poi_fused_cat_view_4", OpClass::copy},
        {"triton_poi_fused_cat_stack_t_4", OpClass::copy},
        {"triton_poi_fused__to_copy_18", OpClass::cast},
        {"triton_poi_fused__to_copy_transpose_2", OpClass::cast},
        {"triton_poi_fused__to_copy_div_empty_like_zeros_20", OpClass::elementwise},
        {"triton_poi_fused_zeros_like_5", OpClass::fill},
        {"triton_poi_fused_embedding_0", OpClass::indexing},
        {"triton_poi_fused__unsafe_index_1", OpClass::indexing},
        {"triton_poi_fused_max_pool2d_with_indices_2", OpClass::pooling},
        {"triton_poi_fused__native_batch_norm_legit_no_training_relu_3", OpClass::normalization},
        {"triton_red_fused_add_addmm_mul_native_layer_norm_split_unsqueeze_view_29", OpClass::normalization},
        {"triton_per_fused__to_copy_addmm_mean_mul_pow_rsqrt_transpose_view_5", OpClass::normalization},
        {"triton_red_fused__to_copy_addmm_as_strided_fmha_v3_fwd_amax_stack_view_8", OpClass::reduction},
        {"triton_per_fused__softmax_6", OpClass::reduction},
        {"triton_for_fused_2", OpClass::elementwise},
        {"triton_", OpClass::other},
        {"triton_po", OpClass::other},
    };
    for (const auto& [name, expected] : cases)
        EXPECT_EQ(toString(classifyKernel(name)), toString(expected)) << name;
}

TEST(Names, AKernelsNameTellsItsFormatAndTensorCoresOrIsUnknownAndNeverDeniesThem)
{
    using F = NumberFormat;
    struct Case
    {
        const char* name;
        F format;
        std::optional<bool> tensorCores;
    };
    const Case cases[] = {
        {"nvjet_hsh_192x192_64x3_1x2_h_bz_coopB_NNT", F::fp16, true},
        {"nvjet_sm100_tst_128x64_64x6_4x1_v_bz_TNT", F::bf16, true},
        {"void cutlass::device_kernel<flash::FlashAttnFwdSm90<flash::CollectiveMainloop> >()", F::unknown, true},
        {"volta_fp16_s884gemm_fp16_128x128", F::fp16, true},
        {"cutlass_80_tensorop_s1688gemm_64x64", F::tf32, true},
        {"cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64_64x6_tn_align8", F::bf16, true},
        {"sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32_nhwckrsc_nchw_tilesize128x128x16", F::tf32, true},
        {"ampere_sgemm_128x64_tn", F::fp32, false},
        {"sm80_xmma_fprop_implicit_gemm_f32f32_f32f32_f32", F::fp32, false},
        {"cudnn::winograd_nonfused::winogradForwardFilter4x4<float, float>", F::fp32, false},
        {"bmm_MxE4m3_MxE2m1MxE4m3_Fp32_t128x8x512_s6_et128x8_m128x8x32", F::fp4, true},
        {"bmm_Bfloat16_MxE2m1MxE4m3_Fp32_t128x16x512_s5", F::fp4, true},
        {"fmhaSm100aKernel_QkvE4m3OBfloat16HQk576HV512", F::fp8, true},
        {"_matmul_ogs_NNT_bf16xbf16xmxfp4_32x256x256x1_swiglu", F::fp4, true},
        {"Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x256x64_MI16x16x1", F::bf16, true},
        {"Cijk_Ailk_Bljk_HHS_BH_MT128x128x32", F::fp16, std::nullopt},
        {"Cijk_Ailk_Bljk_SB_MT64x64x16", F::fp32, std::nullopt},
        {"igemm_fwd_gtcx3_nhwc_fp16_bx0_ex1_bt256x128x32", F::fp16, std::nullopt},
        {"naive_conv_nonpacked_fwd_nchw_float_double_float", F::fp32, false},
        {"triton_tem_fused_addmm_3", F::unknown, std::nullopt},
        {"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16> >(int)", F::bf16,
         false},
        {"my_own_kernel", F::unknown, std::nullopt},
    };
    for (const Case& c : cases) {
        EXPECT_EQ(toString(formatOfKernel(c.name)), toString(c.format)) << c.name;
        EXPECT_EQ(usesTensorCores(c.name), c.tensorCores) << c.name;
    }
    EXPECT_EQ(formatOfInputs(R"(["c10::Half", "c10::Half", ""])"), F::fp16);
    EXPECT_EQ(formatOfInputs(R"(["float", "c10::BFloat16", "Scalar"])"), F::bf16);
    EXPECT_EQ(formatOfInputs(R"(["double", "double"])"), F::fp64);
    EXPECT_EQ(formatOfInputs(R"(["long int", "Scalar", ""])"), F::unknown);
    EXPECT_EQ(formatOfInputs(""), F::unknown);
}

TEST(Names, OperatorsAndCallsAreKnown)
{
    EXPECT_EQ(classifyOperator("aten::mkldnn_convolution"), OpClass::convolution);
    EXPECT_EQ(classifyOperator("aten::contiguous"), OpClass::layout);
    EXPECT_EQ(classifyOperator("aten::_to_copy"), OpClass::cast);
    EXPECT_EQ(classifyOperator("aten::copy_"), OpClass::copy);
    EXPECT_EQ(classifyOperator("aten::native_batch_norm"), OpClass::normalization);
    EXPECT_EQ(classifyOperator("aten::relu_"), OpClass::elementwise);
    EXPECT_EQ(classifyOperator("aten::addmm"), OpClass::matrixProduct);
    EXPECT_EQ(classifyOperator("aten::empty"), OpClass::allocation);
    EXPECT_EQ(classifyOperator("aten::view"), OpClass::view);
    EXPECT_EQ(classifyOperator("aten::transpose"), OpClass::view);
    EXPECT_EQ(classifyOperator("Transpose"), OpClass::layout); // in ONNX and OpenVINO it moves the data
    EXPECT_EQ(classifyOperator("Conv on CPUExecutionProvider"), OpClass::convolution);
    EXPECT_EQ(classifyOperator("MatMul on CPUExecutionProvider"), OpClass::matrixProduct);
    EXPECT_EQ(classifyOperator("TopK"), classifyOperator("aten::topk"));
    EXPECT_EQ(classifyOperator("FusedMatMul on CPUExecutionProvider"), OpClass::matrixProduct);
    EXPECT_EQ(classifyOperator("FullyConnected"), OpClass::matrixProduct);
    EXPECT_EQ(classifyOperator("DequantizeLinear"), OpClass::cast);
    EXPECT_EQ(classifyOperator("QLinearConv"), OpClass::convolution);
    EXPECT_EQ(classifyOperator("SkipLayerNormalization"), OpClass::normalization);
    EXPECT_EQ(classifyOperator("Subgraph"), OpClass::elementwise);
    EXPECT_EQ(classifyCall("cudaLaunchKernelExC"), CallKind::launch);
    EXPECT_EQ(classifyCall("cudaGraphLaunch"), CallKind::graphLaunch);
    EXPECT_EQ(classifyCall("cudaMemcpyAsync"), CallKind::copy);
    EXPECT_EQ(classifyCall("hipMemcpyWithStream"), CallKind::blockingCopy);
    EXPECT_EQ(classifyCall("cudaDeviceSynchronize"), CallKind::synchronize);
    EXPECT_EQ(classifyCall("cudaFree"), CallKind::release);
    EXPECT_EQ(classifyCall("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags"), CallKind::other);
    EXPECT_EQ(shortName("void at::native::(anonymous namespace)::reduce_kernel<512, 1>(at::Op)"),
              "at::native::reduce_kernel");
}

TEST(Names, AKernelIsToldByWhatItsTemplateDoes)
{
    const std::string at = "void at::native::";
    const std::vector<std::pair<std::string, std::string>> names = {
        {at + "vectorized_elementwise_kernel<4, at::native::AddFunctor<float>, at::detail::Array<char*, 3> >(int, "
              "at::native::AddFunctor<float>, at::detail::Array<char*, 3>)",
         "vectorized_elementwise_kernel<AddFunctor<float>>"},
        {at + "vectorized_elementwise_kernel<4, at::native::BinaryFunctor<double, double, double, at::native::"
              "binary_internal::DivFunctor<double> >, at::detail::Array<char*, 3> >(int)",
         "vectorized_elementwise_kernel<DivFunctor<double>>"},
        {at + "vectorized_elementwise_kernel<4, at::native::(anonymous namespace)::launch_clamp_scalar(at::"
              "TensorIteratorBase&, c10::Scalar)::{lambda()#1}::operator()() const::{lambda()#7}::operator()() const::"
              "{lambda(float)#1}, at::detail::Array<char*, 2> >(int)",
         "vectorized_elementwise_kernel<launch_clamp_scalar<float>>"},
        {at + "elementwise_kernel<128, 2, at::native::gpu_kernel_impl<at::native::CUDAFunctor_add<float> >(at::"
              "TensorIteratorBase&, at::native::CUDAFunctor_add<float> const&)::{lambda(int)#1}>(int)",
         "elementwise_kernel<CUDAFunctor_add<float>>"},
        {at + "elementwise_kernel<128, 2, at::native::gpu_kernel_impl<at::native::tanh_kernel_cuda(at::"
              "TensorIteratorBase&)::{lambda()#2}::operator()() const::{lambda(double)#1}> >(int)",
         "elementwise_kernel<tanh_kernel_cuda<double>>"},
        {at + "reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::MeanOps<float, float>, unsigned int, "
              "float, 4> >(at::native::ReduceOp<float, at::native::MeanOps<float, float>, unsigned int, float, 4>)",
         "reduce_kernel<MeanOps<float>>"},
        {at + "(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous namespace)::"
              "TensorListMetadata<2>, at::native::(anonymous namespace)::BinaryOpListAlphaFunctor<float, 2, 2, 0>, "
              "std::plus<float>, float>(at::Tensor)",
         "multi_tensor_apply_kernel<BinaryOpListAlphaFunctor<float>>"},
        {"void cudnn::ops::nchwToNhwcKernel<float, float, float, false, true, (cudnnKernelDataType_t)2>(int)",
         "nchwToNhwcKernel<float, false, true, 2>"},
        {"void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_64x64_32x6_nn_align1>(int)",
         "cutlass_80_tensorop_s1688gemm_64x64_32x6_nn_align1"},
        {"std::enable_if<!(false), void>::type internal::gemvx::kernel<int, int, float, false, 7, "
         "cublasGemvParams<int> >(int)",
         "gemvx::kernel<int, float, false, 7>"},
        {"void cub::DeviceRadixSortHistogramKernel<cub::DeviceRadixSortPolicy<long, float, int>::Policy800, false, "
         "long, int>(int*)",
         "DeviceRadixSortHistogramKernel<false, long, int>"},
        {"void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64_32x6_tn_align8>(int)",
         "cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64_32x6_tn_align8"},
        {"void cutlass__5x_cudnn::Kernel<cutlass_tensorop_bf16_s16816fprop_optimized_align8>(int)",
         "cutlass_tensorop_bf16_s16816fprop_optimized_align8"},
        {"_ZN5aiter24add_rmsnorm_quant_kernelIDF16bDF16bLi64ELi8ELb0EEEvPT0_PT_", "add_rmsnorm_quant_kernel"},
        {"_ZN7ck_tile6kentryILi2ENS_13FmhaFwdKernelINS_27BlockFmhaPipelineQRKSVSAsyncEEEEvi", "kentry<FmhaFwdKernel>"},
        {"_ZN2ck16tensor_operation6device12_GLOBAL__N_139kernel_grouped_conv_fwd_xdl_cshuffle_v3INS_4GemmEEvi",
         "kernel_grouped_conv_fwd_xdl_cshuffle_v3"},
        {"_Z6kernelILi256EEvPS4_T0_", "kernel"},
        {"_ZN99short", "_ZN99short"},
        {"_Z", "_Z"},
        {"volta_scudnn_128x64_relu_interior_nn_v1", "volta_scudnn_128x64_relu_interior_nn_v1"},
        {"cask_cudnn::computeOffsetsKernel(cask_cudnn::ComputeOffsetsParams)", "computeOffsetsKernel"},
        {"Memcpy HtoD (Pageable -> Device)", "Memcpy HtoD (Pageable -> Device)"},
        {"my own kernel", "my own kernel"},
        {"", ""},
        {"<", "<"},
        {"()<>", "()<>"},
        {std::string(9000, '<'), std::string(9000, '<')},
    };
    for (const auto& [full, expected] : names)
        EXPECT_EQ(kernelName(full), expected);
    // Cut in the middle, as some recorders do.
    for (const auto& [full, expected] : names)
        for (std::size_t n = 0; n < std::min<std::size_t>(full.size(), 300); ++n)
            EXPECT_LE(kernelName(full.substr(0, n)).size(), full.size() + 2);
}

TEST(Operators, NestByTimeAndOwnTheKernelsOfTheirCalls)
{
    SmallTrace t;
    t.op("aten::conv2d", 0, 100);
    t.op("aten::convolution", 5, 90);
    t.call("cudaLaunchKernel", 20, 25, 1);
    t.call("cudaLaunchKernel", 95, 98, 2);
    t.kernel("inner", 30, 80, 1);
    t.kernel("outer", 110, 120, 2);
    t.op("aten::relu", 100, 130);
    const trace::Trace trace = t.finish();
    const TraceIndex index(trace);
    const OperatorForest forest(index);
    ASSERT_EQ(forest.nodes.size(), 3u);
    EXPECT_EQ(forest.nodes[1].parent, 0);
    EXPECT_EQ(forest.nodes[2].parent, kNone);
    EXPECT_EQ(forest.nodes[0].selfTime, 15'000);
    EXPECT_EQ(forest.nodes[0].deviceTime, 60'000);
    EXPECT_EQ(forest.nodes[0].ownDeviceTime, 10'000);
    EXPECT_EQ(forest.nodes[1].work, 1);
    EXPECT_EQ(forest.nodes[2].work, 0);
    const auto tree = summarizeTree(index, forest, {0, 1'000'000});
    std::string text; // kernels are leaves below the operator whose own call launched them
    for (const OperatorSummary& row : tree)
        text += std::string(2 * static_cast<std::size_t>(row.depth), ' ') + std::string(index.text(row.name)) + " " +
                std::string(toString(row.kind)) + " " + std::to_string(row.calls) + " " +
                std::to_string(row.deviceTime) + "\n";
    EXPECT_EQ(text, "aten::conv2d operator_call 1 60000\n"
                    "  aten::convolution operator_call 1 50000\n"
                    "    inner kernel 1 50000\n"
                    "  outer kernel 1 10000\n"
                    "aten::relu operator_call 1 0\n");
    const auto some = summarizeTree(index, forest, {100'000, 1'000'000});
    ASSERT_EQ(some.size(), 1u) << "work of operators outside of the window is outside, too";
}

TEST(Operators, ALinkJoinsWhatNoOperatorSurrounds)
{
    SmallTrace t;
    t.op("aten::add", 0, 50, {}, 77);
    trace::Event e = t.event("kernel", 60, 70);
    e.link = 77;
    t.b.add(t.stream, trace::EventKind::kernel, e);
    e.link = 78; // nobody's
    e.start = {90'000};
    t.b.add(t.stream, trace::EventKind::kernel, e);
    const trace::Trace trace = t.finish();
    const TraceIndex index(trace);
    const OperatorForest forest(index);
    EXPECT_EQ(forest.ofWork(0), 0);
    EXPECT_EQ(forest.ofWork(1), kNone);
}

TEST(Memory, PeakOwnersAndFragmentationFollowTheBlocks)
{
    SmallTrace t;
    t.op("aten::conv2d", 0, 10);
    t.op("aten::empty", 2, 4);
    t.memory(trace::EventKind::deviceMemory, 3000, 1, 1, 0);
    t.memory(trace::EventKind::tensorMemory, 1000, 10, 3, 0);
    t.op("aten::relu", 20, 30);
    t.memory(trace::EventKind::tensorMemory, 500, 11, 25, 0);
    t.memory(trace::EventKind::tensorMemory, -1000, 10, 40, 0);
    t.memory(trace::EventKind::tensorMemory, -77, 99, 50, 0); // was there before
    const trace::Trace trace = t.finish();
    const TraceIndex index(trace);
    const OperatorForest forest(index);
    const auto uses = memoryTimeline(index, forest);
    ASSERT_EQ(uses.size(), 2u);
    const MemoryUse& tensors = uses[0].kind == trace::EventKind::tensorMemory ? uses[0] : uses[1];
    EXPECT_EQ(tensors.peak, 1500);
    EXPECT_EQ(tensors.peakTime, 25'000);
    ASSERT_EQ(tensors.owners.size(), 2u);
    EXPECT_EQ(tensors.owners[0].name, "aten::conv2d"); // aten::empty allocated for it
    EXPECT_EQ(tensors.owners[0].bytes, 1000);
    EXPECT_EQ(tensors.foreignReleases, 1);
    EXPECT_EQ(tensors.leftOver, 500);
    EXPECT_DOUBLE_EQ(fragmentation(uses, 0), 2);
    EXPECT_LT(fragmentation(uses, 1), 0);
    EXPECT_EQ(allocationLoad(trace, trace::EventKind::tensorMemory, 0, {0, 100'000}).bytes, 1500);
}

TEST(Memory, AWorkspaceReservedForEarlierTensorsIsNotCalledWaste)
{
    SmallTrace t;
    t.memory(trace::EventKind::deviceMemory, 900'000, 1, 1, 0); // for the weights, before operators are recorded
    t.op("aten::conv2d", 10, 20);
    t.memory(trace::EventKind::tensorMemory, 1000, 10, 13, 0);
    const trace::Trace trace = t.finish();
    const TraceIndex index(trace);
    const auto uses = memoryTimeline(index, OperatorForest(index));
    EXPECT_LT(fragmentation(uses, 0), 0) << "how much the weights take is not known";
    const auto tensors = std::find_if(uses.begin(), uses.end(), [](const MemoryUse& use) { return use.partial; });
    ASSERT_NE(tensors, uses.end());
    EXPECT_EQ(tensors->kind, trace::EventKind::tensorMemory);
}

TEST(Memory, WhatTheAllocatorHeldBeforeTheRecordingCounts)
{
    SmallTrace t;
    t.op("aten::conv2d", 0, 10);
    t.memory(trace::EventKind::tensorMemory, 1000, 10, 3, 0);
    t.memory(trace::EventKind::tensorMemory, -400, 99, 20, 0); // frees a block from before the recording
    t.memory(trace::EventKind::tensorMemory, 100, 11, 30, 0);
    const auto sample = [&](std::string_view label, std::int64_t bytes, std::int64_t at) {
        trace::Track track;
        track.type = trace::TrackType::counter;
        track.device = 0;
        track.label = label;
        track.unit = "B";
        trace::Event e = t.event(std::string(label), at, at);
        e.value = bytes;
        t.b.add(t.b.track(track), trace::EventKind::counter, e);
    };
    sample(trace::kAllocatedMemory, 5000, 3);
    sample(trace::kAllocatedMemory, 4600, 20);
    sample(trace::kAllocatedMemory, 4700, 30);
    sample(trace::kReservedMemory, 8000, 3);
    const trace::Trace trace = t.finish();
    const TraceIndex index(trace);
    const auto uses = memoryTimeline(index, OperatorForest(index));
    ASSERT_EQ(uses.size(), 2u);
    EXPECT_EQ(uses[0].peak, 5000);
    EXPECT_EQ(uses[0].leftOver, 4700);
    EXPECT_EQ(uses[0].curve[1].bytes, 4600);
    ASSERT_EQ(uses[0].owners.size(), 2u);
    EXPECT_EQ(uses[0].owners[0].name, "before the recording");
    EXPECT_EQ(uses[0].owners[0].bytes, 4000);
    EXPECT_EQ(uses[0].owners[1].bytes, 1000);
    EXPECT_EQ(uses[1].kind, trace::EventKind::deviceMemory);
    EXPECT_EQ(uses[1].peak, 8000);
    EXPECT_DOUBLE_EQ(fragmentation(uses, 0), 1.6);
}

TEST(Memory, ARangeHasItsOwnPeakAndStartsWithWhatWasInUse)
{
    SmallTrace t;
    t.op("aten::conv2d", 0, 10);
    t.memory(trace::EventKind::tensorMemory, 1000, 10, 3, 0);
    t.op("aten::relu", 20, 30);
    t.memory(trace::EventKind::tensorMemory, 500, 11, 25, 0);
    t.memory(trace::EventKind::tensorMemory, -500, 11, 40, 0);
    t.memory(trace::EventKind::tensorMemory, -1000, 10, 60, 0);
    t.memory(trace::EventKind::tensorMemory, 200, 12, 70, 0);
    const trace::Trace trace = t.finish();
    const TraceIndex index(trace);
    const OperatorForest forest(index);
    const MemoryUse before = memoryTimeline(index, forest, {10'000, 20'000}).front();
    EXPECT_EQ(before.peak, 1000);
    EXPECT_EQ(before.peakTime, 10'000);
    EXPECT_EQ(before.allocations, 0);
    ASSERT_EQ(before.owners.size(), 1u);
    EXPECT_EQ(before.owners[0].name, "aten::conv2d");
    const MemoryUse peak = memoryTimeline(index, forest, {20'000, 50'000}).front();
    EXPECT_EQ(peak.peak, 1500);
    EXPECT_EQ(peak.peakTime, 25'000);
    EXPECT_EQ(peak.allocations, 1);
    EXPECT_EQ(peak.releases, 1);
    EXPECT_EQ(peak.owners.size(), 2u);
    const MemoryUse after = memoryTimeline(index, forest, {65'000, 90'000}).front();
    EXPECT_EQ(after.peak, 200);
    EXPECT_EQ(after.curve.size(), 5u) << "curves are of the whole recording";
    EXPECT_EQ(memoryTimeline(index, forest).front().peak, 1500);
}

TEST(Memory, WithoutAddressesTheBalanceIsLeft)
{
    SmallTrace t;
    t.memory(trace::EventKind::tensorMemory, -200, 0, 5, 0); // was there before
    t.memory(trace::EventKind::tensorMemory, 1000, 0, 10, 0);
    t.memory(trace::EventKind::tensorMemory, 500, 0, 20, 0);
    t.memory(trace::EventKind::tensorMemory, -1000, 0, 30, 0);
    const trace::Trace trace = t.finish();
    const TraceIndex index(trace);
    const auto uses = memoryTimeline(index, OperatorForest(index));
    ASSERT_EQ(uses.size(), 1u);
    EXPECT_EQ(uses[0].peak, 1500);
    EXPECT_EQ(uses[0].peakTime, 20'000);
    EXPECT_EQ(uses[0].leftOver, 500);
    EXPECT_TRUE(uses[0].owners.empty());
}

TEST(Roofline, ShapesAreReadAsRecordersWriteThem)
{
    const auto shapes = parseShapes("[[1, 3, 224, 224], [64, 3, 7, 7], [], [[2, 5], [7]], []]");
    ASSERT_TRUE(shapes);
    EXPECT_THAT(*shapes, ElementsAre(ElementsAre(1, 3, 224, 224), ElementsAre(64, 3, 7, 7), ElementsAre(),
                                     ElementsAre(2, 5), ElementsAre(7), ElementsAre()));
    EXPECT_TRUE(parseShapes("[]")->empty());
    EXPECT_FALSE(parseShapes("[[1, 2"));
    EXPECT_FALSE(parseShapes("no shapes"));
    EXPECT_FALSE(parseShapes("]"));
    EXPECT_EQ(elementBytes("[\"c10::Half\", \"float\"]"), 2);
    EXPECT_EQ(elementBytes(""), 4);
}

TEST(Roofline, CostsFollowTheFormulas)
{
    const auto cost = [](const char* name, const char* shapes, const std::vector<std::int64_t>* out = nullptr) {
        return operatorCost(name, classifyOperator(name), *parseShapes(shapes), 4, out);
    };
    const std::vector<std::int64_t> half{1, 64, 112, 112};
    EXPECT_DOUBLE_EQ(cost("aten::conv2d", "[[1, 3, 224, 224], [64, 3, 7, 7]]", &half)->flops,
                     2.0 * 64 * 112 * 112 * 3 * 49);
    EXPECT_DOUBLE_EQ(cost("aten::conv2d", "[[2, 32, 8, 8], [32, 1, 3, 3]]")->flops, 2.0 * 2 * 32 * 64 * 9); // depthwise
    const double transposed = 2.0 * 64 * 128 * 128 * 32 * 4;
    EXPECT_DOUBLE_EQ(cost("aten::_convolution", "[[1, 64, 128, 128], [64, 32, 2, 2], [32]]")->flops, transposed);
    EXPECT_DOUBLE_EQ(cost("aten::_convolution", "[[1, 32, 256, 256], [1, 64, 128, 128], [64, 32, 2, 2], [32]]")->flops,
                     transposed)
        << "behind what a boxed call found on the stack";
    EXPECT_DOUBLE_EQ(cost("aten::linear", "[[8, 197, 768], [3072, 768], [3072]]")->flops, 2.0 * 8 * 197 * 768 * 3072);
    EXPECT_DOUBLE_EQ(cost("aten::addmm", "[[10], [4, 6], [6, 10]]")->flops, 2.0 * 4 * 6 * 10);
    EXPECT_DOUBLE_EQ(cost("aten::bmm", "[[3, 4, 6], [3, 6, 5]]")->flops, 2.0 * 3 * 4 * 6 * 5);
    EXPECT_DOUBLE_EQ(cost("aten::bmm", "[[3, 4, 6], [3, 6, 5]]")->bytes, 4.0 * (72 + 90 + 60));
    EXPECT_FALSE(cost("aten::mm", "[[4, 6], [7, 10]]"));
    EXPECT_FALSE(cost("aten::convolution_backward", "[[1, 8, 4, 4], [1, 8, 4, 4], [8, 8, 3, 3]]"));
    EXPECT_DOUBLE_EQ(cost("aten::add", "[[10, 10], [10, 10]]")->bytes, 1200);
}

TEST(Roofline, FindsTheOutputOfAStridedConvolutionInWhatFollowsAndPlacesItUnderTheRoof)
{
    SmallTrace t;
    t.op("aten::conv2d", 0, 1000, "[[1, 3, 224, 224], [64, 3, 7, 7]]");
    t.op("aten::convolution", 10, 990, "[[1, 3, 224, 224], [64, 3, 7, 7]]"); // not counted twice
    t.op("aten::relu", 1000, 1010, "[[1, 64, 112, 112]]");
    const trace::Trace trace = t.finish();
    const TraceIndex index(trace);
    const OperatorForest forest(index);
    Ceilings ceilings;
    ceilings.flops = 1e12;
    ceilings.memoryBandwidth = 100e9;
    const auto table = rooflineTable(index, forest, {0, 10'000'000}, ceilings);
    ASSERT_EQ(table.size(), 2u);
    EXPECT_DOUBLE_EQ(table[0].cost.flops, 2.0 * 64 * 112 * 112 * 147);
    EXPECT_EQ(table[0].bound, Bound::compute);
    EXPECT_NEAR(table[0].efficiency, 2.0 * 64 * 112 * 112 * 147 / 1e-3 / 1e12, 1e-6);
    EXPECT_EQ(table[1].bound, Bound::memory);
}

TEST(Scale, AMillionEventsAreAnalysedInMoments)
{
    trace::TraceBuilder b;
    const trace::TrackId host = b.track({.type = trace::TrackType::hostThread, .process = 1, .thread = 1});
    const trace::TrackId stream = b.track({.type = trace::TrackType::stream, .process = 1, .device = 0, .stream = 7});
    std::vector<trace::StringId> names;
    for (int i = 0; i < 300; ++i)
        names.push_back(b.intern("void at::native::elementwise_kernel<" + std::to_string(i) + ">(int)"));
    std::int64_t now = 0;
    for (std::uint32_t i = 0; i < 333'000; ++i) {
        trace::Event e;
        e.name = names[i % 300];
        e.start = {now};
        e.duration = {9'000};
        b.add(host, trace::EventKind::operatorCall, e);
        e.start = {now + 2'000};
        e.duration = {4'000};
        e.correlation = i + 1;
        b.add(host, trace::EventKind::runtimeCall, e);
        e.start = {now + 7'000};
        e.duration = {2'000 + i % 5'000};
        b.add(stream, trace::EventKind::kernel, e);
        now += 10'000;
    }
    const trace::Trace trace = b.finish();
    const auto begin = std::chrono::steady_clock::now();
    const TraceIndex index(trace);
    const OperatorForest forest(index);
    const Iterations iterations = findIterations(index, forest);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    EXPECT_EQ(index.work.size(), 333'000u);
    EXPECT_TRUE(iterations.found());
    std::cout << "index, forest and iterations of 1 M events: " << time.count() << " s\n"; // told, not judged
}

} // namespace
} // namespace apertune::analysis
