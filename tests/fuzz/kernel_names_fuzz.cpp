// SPDX-License-Identifier: GPL-3.0-or-later
// Names of kernels, operators and calls, the shapes and types of operators, and the facts about collectives, as
// recorders write them.
#include "core/analysis/collectives.h"
#include "core/analysis/kernel_name.h"
#include "core/analysis/names.h"
#include "core/analysis/number_format.h"
#include "core/analysis/roofline.h"
#include "core/analysis/work_class.h"
#include "tests/fuzz/fuzz.h"

#include <cmath>

namespace apertune::fuzz {

namespace {

void examineName(std::string_view name)
{
    const std::string kernel = analysis::kernelName(name);
    require(kernel.empty() == name.empty(), "a name stays one");
    require(kernel.size() <= std::max<std::size_t>(name.size(), 2 * 4096), "a name is not longer than it was");
    require(analysis::shortName(name).size() <= name.size(), "a short name is not longer");
    for (const trace::EventKind kind : trace::kEventKinds)
        require(static_cast<std::size_t>(analysis::classify(kind, name)) < analysis::kWorkClasses, "work has a class");
    require(!toString(analysis::classifyKernel(name)).empty() && !toString(analysis::classifyOperator(name)).empty(),
            "work has a class");
    static_cast<void>(analysis::classifyCall(name));
}

void examineShapes(std::string_view text)
{
    const int bytes = analysis::elementBytes(text);
    require(bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8, "an element has a size");
    const auto shapes = analysis::parseShapes(text);
    if (!shapes)
        return;
    std::string written = "[";
    for (const std::vector<std::int64_t>& shape : *shapes) {
        written += written.size() > 1 ? ", [" : "[";
        for (const std::int64_t extent : shape) {
            require(extent >= 0, "no extent is negative");
            written += std::to_string(extent) + ",";
        }
        written += "]";
    }
    require(analysis::parseShapes(written + "]") == shapes, "shapes are read as they were written");
    using analysis::OpClass;
    for (const auto& [name, opClass] : {std::pair{"aten::conv2d", OpClass::convolution},
                                        {"aten::linear", OpClass::matrixProduct},
                                        {"aten::mm", OpClass::matrixProduct},
                                        {"aten::addmm", OpClass::matrixProduct},
                                        {"aten::matmul", OpClass::matrixProduct},
                                        {"aten::baddbmm", OpClass::matrixProduct},
                                        {"aten::scaled_dot_product_attention", OpClass::attention},
                                        {"aten::add", OpClass::elementwise}}) {
        const std::vector<std::int64_t> output{1, 8, 4, 4};
        for (const std::vector<std::int64_t>* const known :
             {static_cast<const std::vector<std::int64_t>*>(nullptr), &output})
            if (const auto cost = analysis::operatorCost(name, opClass, *shapes, bytes, known))
                require(cost->flops >= 0 && cost->bytes >= 0 && cost->intensity() >= 0, "no cost is negative");
    }
}

void examineCollective(std::string_view text)
{
    const auto call = analysis::collectiveCall(text);
    if (!call)
        return;
    require(!call->name.empty(), "a collective has a name");
    require(call->ranks >= 0 && call->bytes >= 0, "no count is negative");
    const double factor = analysis::busBytesPerByte(*call);
    require(factor >= 0 && factor <= 2, "a link moves each byte twice at most");
}

} // namespace

void examine(std::string_view input)
{
    examineName(input);
    examineShapes(input);
    examineCollective(input);
}

std::vector<std::string> seeds()
{
    return {"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
            "at::detail::Array<char*, "
            "3> >(int, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, 3>)",
            "void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x128_16x5_nn_align4>(cutlass::Params)",
            "void cudnn::bn_fw_tr_1C11_singleread<float, 512, true, 1, 2, 0>(cudnnTensorStruct, float const*)",
            "at::native::(anonymous "
            "namespace)::gpu_kernel_impl<at::native::f(at::TensorIteratorBase&)::{lambda(float)#1}>(x)",
            "ampere_sgemm_128x64_nn",
            "aten::conv2d",
            "cudaLaunchKernel",
            "Memcpy HtoD (Pinned -> Device)",
            "[[1, 3, 224, 224], [64, 3, 7, 7], []]",
            "[\"float\", \"c10::Half\"]",
            "[[[2, 3], [4]], \"\", [-1]]",
            R"({"Collective name": "allreduce", "dtype": "BFloat16", "In msg nelems": 4096, "Group size": "8"})"};
}

} // namespace apertune::fuzz
