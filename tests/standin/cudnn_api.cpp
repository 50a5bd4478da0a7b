// SPDX-License-Identifier: GPL-3.0-or-later
// The functions of cuDNN that LibTorch calls for convolutions: its graph interface, in which everything is a descriptor
// with attributes. Two engines serve each convolution, one of which uses tensor cores.
#include "tests/standin/library_call.h"
#include "tests/standin/machine.h"

#include <cudnn.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

using namespace apertune::standin; // this file holds nothing but functions of cuDNN

namespace {

struct Content;

struct Attribute
{
    std::vector<unsigned char> bytes;
    std::vector<std::shared_ptr<Content>> descriptors; ///< values that are descriptors instead of bytes
    std::int64_t count = 0;
};

/// The attributes of a descriptor. Descriptors that refer to it share ownership.
struct Content
{
    cudnnBackendDescriptorType_t type{};
    std::map<int, Attribute> attributes;
};

struct Descriptor
{
    std::shared_ptr<Content> content;
};

struct Handle
{
    cudaStream_t stream = nullptr;
};

constexpr std::int64_t kTensorCores = 1; ///< the number of the engine
constexpr std::int64_t kPlain = 0;

Descriptor& of(cudnnBackendDescriptor_t descriptor)
{
    return *static_cast<Descriptor*>(descriptor);
}

Handle& of(cudnnHandle_t handle)
{
    return *reinterpret_cast<Handle*>(handle);
}

std::size_t sizeOf(cudnnBackendAttributeType_t type)
{
    switch (type) {
    case CUDNN_TYPE_INT64:
    case CUDNN_TYPE_DOUBLE:
    case CUDNN_TYPE_VOID_PTR:
    case CUDNN_TYPE_HANDLE:
        return 8;
    case CUDNN_TYPE_FRACTION:
        return 16;
    case CUDNN_TYPE_BOOLEAN:
    case CUDNN_TYPE_CHAR:
        return 1;
    default:
        return 4; // enumerations and fp32
    }
}

std::shared_ptr<Content> child(const Content& content, int name)
{
    const auto found = content.attributes.find(name);
    return found == content.attributes.end() || found->second.descriptors.empty() ? nullptr
                                                                                  : found->second.descriptors.front();
}

template <typename Value>
std::vector<Value> values(const Content& content, int name)
{
    const auto found = content.attributes.find(name);
    if (found == content.attributes.end())
        return {};
    std::vector<Value> result(found->second.bytes.size() / sizeof(Value));
    std::memcpy(result.data(), found->second.bytes.data(), result.size() * sizeof(Value));
    return result;
}

template <typename Value>
void put(Content& content, int name, Value value)
{
    Attribute& attribute = content.attributes[name];
    attribute.bytes.resize(sizeof value);
    std::memcpy(attribute.bytes.data(), &value, sizeof value);
    attribute.count = 1;
}

void put(Content& content, int name, std::shared_ptr<Content> descriptor)
{
    Attribute& attribute = content.attributes[name];
    attribute.descriptors = {std::move(descriptor)};
    attribute.count = 1;
}

/// An engine for a graph of operations, and the configuration with it.
std::shared_ptr<Content> configuration(const std::shared_ptr<Content>& graph, std::int64_t number)
{
    auto engine = std::make_shared<Content>();
    engine->type = CUDNN_BACKEND_ENGINE_DESCRIPTOR;
    put(*engine, CUDNN_ATTR_ENGINE_OPERATION_GRAPH, graph);
    put(*engine, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, number);
    if (number == kTensorCores)
        put(*engine, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_NUMERICAL_NOTE_TENSOR_CORE);
    auto made = std::make_shared<Content>();
    made->type = CUDNN_BACKEND_ENGINECFG_DESCRIPTOR;
    put(*made, CUDNN_ATTR_ENGINECFG_ENGINE, engine);
    return made;
}

struct Convolution
{
    double operations = 0;
    bool half = false;
};

/// Two operations for each element of the output and of the filter that it sees.
Convolution convolutionOf(const Content& graph)
{
    Convolution result;
    const auto operations = graph.attributes.find(CUDNN_ATTR_OPERATIONGRAPH_OPS);
    if (operations == graph.attributes.end())
        return result;
    for (const auto& operation : operations->second.descriptors) {
        const auto filter = child(*operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W);
        const auto output = child(*operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y);
        if (!filter || !output)
            continue;
        double count = 2;
        for (const std::int64_t size : values<std::int64_t>(*output, CUDNN_ATTR_TENSOR_DIMENSIONS))
            count *= static_cast<double>(size);
        const auto sizes = values<std::int64_t>(*filter, CUDNN_ATTR_TENSOR_DIMENSIONS);
        for (std::size_t i = 1; i < sizes.size(); ++i) // the first is that of the output's channels
            count *= static_cast<double>(sizes[i]);
        const auto types = values<cudnnDataType_t>(*output, CUDNN_ATTR_TENSOR_DATA_TYPE);
        result.half = !types.empty() && types.front() != CUDNN_DATA_FLOAT;
        result.operations += count;
    }
    return result;
}

/// Fills in the descriptors of the caller, as many as there are.
void handOut(const std::vector<std::shared_ptr<Content>>& from, std::int64_t room, std::int64_t* count, void* to)
{
    if (count)
        *count = static_cast<std::int64_t>(from.size());
    auto* const places = static_cast<cudnnBackendDescriptor_t*>(to);
    for (std::int64_t i = 0; places && i < std::min(room, static_cast<std::int64_t>(from.size())); ++i)
        of(places[i]).content = from[static_cast<std::size_t>(i)];
}

} // namespace

extern "C" {

cudnnStatus_t cudnnCreate(cudnnHandle_t* handle)
{
    *handle = reinterpret_cast<cudnnHandle_t>(new Handle);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroy(cudnnHandle_t handle)
{
    delete &of(handle);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream)
{
    of(handle).stream = stream;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetStream(cudnnHandle_t handle, cudaStream_t* stream)
{
    *stream = of(handle).stream;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t type, cudnnBackendDescriptor_t* descriptor)
{
    auto content = std::make_shared<Content>();
    content->type = type;
    *descriptor = new Descriptor{std::move(content)};
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t descriptor)
{
    delete static_cast<Descriptor*>(descriptor);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t)
{
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, std::int64_t count, const void* elements)
{
    Attribute attribute;
    attribute.count = count;
    if (type == CUDNN_TYPE_BACKEND_DESCRIPTOR) {
        const auto* const places = static_cast<const cudnnBackendDescriptor_t*>(elements);
        for (std::int64_t i = 0; i < count; ++i)
            attribute.descriptors.push_back(of(places[i]).content);
    } else {
        const auto* const bytes = static_cast<const unsigned char*>(elements);
        attribute.bytes.assign(bytes, bytes + static_cast<std::size_t>(count) * sizeOf(type));
    }
    of(descriptor).content->attributes[name] = std::move(attribute);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendGetAttribute(const cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, std::int64_t room, std::int64_t* count,
                                       void* elements)
{
    const Content& content = *of(descriptor).content;
    if (name == CUDNN_ATTR_ENGINEHEUR_RESULTS) {
        const auto graph = child(content, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH);
        handOut({configuration(graph, kTensorCores), configuration(graph, kPlain)}, room, count, elements);
        return CUDNN_STATUS_SUCCESS;
    }
    const auto found = content.attributes.find(name);
    if (found != content.attributes.end() && type == CUDNN_TYPE_BACKEND_DESCRIPTOR) {
        handOut(found->second.descriptors, room, count, elements);
        return CUDNN_STATUS_SUCCESS;
    }
    if (found != content.attributes.end()) {
        const Attribute& attribute = found->second;
        if (count)
            *count = attribute.count;
        if (elements)
            std::memcpy(elements, attribute.bytes.data(),
                        std::min(attribute.bytes.size(), static_cast<std::size_t>(room) * sizeOf(type)));
        return CUDNN_STATUS_SUCCESS;
    }
    // An attribute that was never set is 0 (for example, no workspace) or an empty list.
    const bool number = type == CUDNN_TYPE_INT64 && room == 1;
    if (count)
        *count = number ? 1 : 0;
    if (number && elements)
        std::memset(elements, 0, sizeof(std::int64_t));
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendExecute(cudnnHandle_t handle, cudnnBackendDescriptor_t plan, cudnnBackendDescriptor_t)
{
    const auto chosen = child(*of(plan).content, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG);
    const auto engine = chosen ? child(*chosen, CUDNN_ATTR_ENGINECFG_ENGINE) : nullptr;
    const auto graph = engine ? child(*engine, CUDNN_ATTR_ENGINE_OPERATION_GRAPH) : nullptr;
    if (!graph)
        return CUDNN_STATUS_BAD_PARAM;
    const auto [operations, half] = convolutionOf(*graph);
    const auto numbers = values<std::int64_t>(*engine, CUDNN_ATTR_ENGINE_GLOBAL_INDEX);
    const bool tensorCores = !numbers.empty() && numbers.front() == kTensorCores;
    const Arithmetic arithmetic = !tensorCores ? Arithmetic::fp32 : half ? Arithmetic::half : Arithmetic::tf32;
    const char* const name =
        arithmetic == Arithmetic::half   ? "sm90_xmma_fprop_implicit_gemm_f16f16_f16f32_f32_nhwckrsc_nhwc"
        : arithmetic == Arithmetic::tf32 ? "sm90_xmma_fprop_implicit_gemm_f32f32_tf32f32_f32_nchwkcrs_nchw"
                                         : "implicit_convolve_sgemm";
    return launchLibraryKernel(name, operations, arithmetic, of(handle).stream) == success
               ? CUDNN_STATUS_SUCCESS
               : CUDNN_STATUS_EXECUTION_FAILED;
}

cudnnStatus_t cudnnBatchNormalizationForwardInference(cudnnHandle_t handle, cudnnBatchNormMode_t, const void*,
                                                      const void*, const cudnnTensorDescriptor_t, const void*,
                                                      const cudnnTensorDescriptor_t, void*,
                                                      const cudnnTensorDescriptor_t, const void*, const void*,
                                                      const void*, const void*, double)
{
    return launchLibraryKernel("bn_fw_inf_1C11_kernel_NCHW", 0, Arithmetic::fp32, of(handle).stream) == success
               ? CUDNN_STATUS_SUCCESS
               : CUDNN_STATUS_EXECUTION_FAILED;
}

} // extern "C"
