// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/work_class.h"

#include <gtest/gtest.h>

namespace apertune::analysis {

TEST(WorkClass, TellsWhatAKernelDoesByTheNamesThatLibrariesGive)
{
    EXPECT_EQ(classify(trace::EventKind::kernel, "ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_tn"), WorkClass::matrix);
    EXPECT_EQ(classify(trace::EventKind::kernel, "sm80_xmma_fprop_implicit_gemm_f16f16"), WorkClass::convolution);
    EXPECT_EQ(classify(trace::EventKind::kernel, "void cudnn::bn_fw_tr_1C11_kernel_NCHW<float>"),
              WorkClass::normalization);
    EXPECT_EQ(classify(trace::EventKind::kernel, "void at::native::vectorized_elementwise_kernel<4>"),
              WorkClass::elementwise);
    EXPECT_EQ(classify(trace::EventKind::operatorCall, "aten::conv2d"), WorkClass::convolution);
    EXPECT_EQ(classify(trace::EventKind::operatorCall, "aten::addmm"), WorkClass::matrix);
    EXPECT_EQ(classify(trace::EventKind::runtimeCall, "cudaLaunchKernel"), WorkClass::launch);
    EXPECT_EQ(classify(trace::EventKind::runtimeCall, "cudaDeviceSynchronize"), WorkClass::wait);
    EXPECT_EQ(classify(trace::EventKind::kernel, "something_else"), WorkClass::other);
    // These names have the same classes as in the analyses.
    EXPECT_EQ(classify(trace::EventKind::kernel, "triton_poi_fused_convert_element_type_0"), WorkClass::elementwise);
    EXPECT_EQ(classify(trace::EventKind::kernel, "void cudnn::ops::nchwToNhwcKernel<float>(int)"), WorkClass::copy);
    EXPECT_EQ(classify(trace::EventKind::operatorCall, "aten::softmax"), WorkClass::reduction);
    EXPECT_EQ(classify(trace::EventKind::graphLaunch, "graph 1"), WorkClass::other);
}

} // namespace apertune::analysis
