// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/tensors.h"

#include "plugins/libtorch/fault.h"
#include "plugins/support/backend.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <fstream>
#include <utility>

namespace apertune::libtorch {

namespace {

at::ScalarType scalarType(const std::string& dtype)
{
    static const std::vector<std::pair<std::string, at::ScalarType>> kTypes{
        {"float32", at::kFloat}, {"float64", at::kDouble}, {"float16", at::kHalf}, {"bfloat16", at::kBFloat16},
        {"int64", at::kLong},    {"int32", at::kInt},      {"int16", at::kShort},  {"int8", at::kChar},
        {"uint8", at::kByte},    {"bool", at::kBool}};
    for (const auto& [name, type] : kTypes)
        if (name == dtype)
            return type;
    throw Fault(APERTUNE_BAD_INPUT, "The element type " + dtype + " is not supported.", "Import the model again.");
}

/// All reference samples of one input, stacked along its batch dimension.
at::Tensor readSamples(const InputSpec& input)
{
    std::vector<std::int64_t> shape = input.shape;
    if (input.batchDim)
        shape[static_cast<std::size_t>(*input.batchDim)] = input.samples;
    at::Tensor tensor = at::empty(shape, scalarType(input.dtype));
    std::ifstream stream(input.file, std::ios::binary);
    stream.read(static_cast<char*>(tensor.data_ptr()), static_cast<std::streamsize>(tensor.nbytes()));
    if (!stream)
        throw Fault(APERTUNE_BAD_INPUT, "The reference input " + input.file.string() + " cannot be read.",
                    "Check the permissions of the model artifact, or import the model again.");
    return tensor;
}

at::Tensor placed(at::Tensor tensor, const Request& request, at::Device device)
{
    // The cast happens on the host, so that the device never holds both types.
    if (const auto type = castType(request.precision); type && tensor.is_floating_point())
        tensor = tensor.to(*type);
    tensor = tensor.to(device);
    if (request.on("channels_last") && tensor.dim() == 4 && tensor.is_floating_point())
        return tensor.contiguous(at::MemoryFormat::ChannelsLast);
    return tensor.contiguous();
}

/// The samples first … first+batch-1, modulo their number, on the device of `samples`. The batch is filled in place, so
/// there is neither a second copy of it nor any use of host memory.
at::Tensor batchOf(const at::Tensor& samples, std::int64_t dimension, std::int64_t first, std::int64_t batch)
{
    const std::int64_t known = samples.size(dimension);
    std::vector<std::int64_t> shape = samples.sizes().vec();
    shape[static_cast<std::size_t>(dimension)] = batch;
    at::Tensor made = at::empty(shape, samples.options(), samples.suggest_memory_format());
    for (std::int64_t done = 0; done < batch;) {
        const std::int64_t from = (first + done) % known;
        const std::int64_t count = std::min(known - from, batch - done);
        made.narrow(dimension, done, count).copy_(samples.narrow(dimension, from, count));
        done += count;
    }
    return made;
}

void collect(const c10::IValue& value, const std::string& path, std::vector<NamedTensor>& found)
{
    const auto nested = [&](const std::string& key) { return path.empty() ? key : path + "." + key; };
    if (value.isTensor()) {
        if (value.toTensor().defined())
            found.push_back({path, value.toTensor()});
    } else if (value.isTensorList()) {
        std::size_t index = 0;
        for (const at::Tensor& tensor : value.toTensorVector())
            found.push_back({nested(std::to_string(index++)), tensor});
    } else if (value.isTuple()) {
        std::size_t index = 0;
        for (const c10::IValue& element : value.toTupleRef().elements())
            collect(element, nested(std::to_string(index++)), found);
    } else if (value.isList()) {
        std::size_t index = 0;
        for (const c10::IValue& element : value.toListRef())
            collect(element, nested(std::to_string(index++)), found);
    } else if (value.isGenericDict()) {
        for (const auto& entry : value.toGenericDict()) {
            const c10::IValue& key = entry.key();
            collect(entry.value(), nested(key.isString() ? key.toStringRef() : std::to_string(found.size())), found);
        }
    }
}

} // namespace

std::optional<at::ScalarType> castType(Precision precision)
{
    switch (precision) {
    case Precision::bf16:
    case Precision::fp8: // the type of tensors other than the fp8 weights
        return at::kBFloat16;
    case Precision::fp16:
        return at::kHalf;
    case Precision::fp32:
    case Precision::tf32:
    case Precision::int8: // a quantized package computes its other layers in fp32
        break;
    }
    return std::nullopt;
}

std::vector<InputSet> makeInputSets(const Artifact& artifact, const Request& request, at::Device device)
{
    std::vector<InputSet> sets(request.inputSets);
    for (const InputSpec& input : artifact.inputs) {
        const at::Tensor samples = placed(readSamples(input), request, device);
        for (std::size_t k = 0; k < sets.size(); ++k) {
            const auto first = static_cast<std::int64_t>(k) * request.batch;
            at::Tensor tensor = input.batchDim ? batchOf(samples, *input.batchDim, first, request.batch) : samples;
            sets[k].values.emplace_back(tensor);
            sets[k].tensors.push_back(std::move(tensor));
        }
    }
    return sets;
}

void setInputSamples(const InputSet& set, const Artifact& artifact, const Request& request,
                     const apertune_samples& samples)
{
    apertune_samples asValues = samples;
    if (samples.kind == APERTUNE_SAMPLE_PIXELS)
        asValues.kind = APERTUNE_SAMPLE_VALUES;
    const InputSpec& input = plugins::checkedSamples(asValues, artifact.inputs, request.batch);
    const at::Tensor& target = set.tensors[samples.port];
    const auto from = [](const void* data, at::IntArrayRef shape, at::ScalarType type) {
        return at::from_blob(const_cast<void*>(data), shape, type); // the tensor is only read
    };
    if (samples.kind == APERTUNE_SAMPLE_VALUES) {
        const std::vector<std::int64_t> shape(input.shape.begin() + 1, input.shape.end());
        for (std::uint32_t i = 0; i < samples.count; ++i)
            target[i].copy_(from(samples.data[i], shape, scalarType(input.dtype)), /*non_blocking=*/true);
        return;
    }
    if (target.dim() != 4 || target.size(1) != 3 || !target.is_floating_point())
        throw Fault(APERTUNE_UNSUPPORTED, "The input " + input.name + " takes no pixels of three colours.",
                    "Let the host prepare the images.");
    const auto options = at::TensorOptions(at::kFloat).device(target.device());
    const auto perChannel = [&](const float* values) {
        return at::tensor({values[0], values[1], values[2]}, at::kFloat).to(options).view({3, 1, 1});
    };
    const at::Tensor mean = perChannel(samples.mean);
    const at::Tensor deviation = perChannel(samples.deviation);
    for (std::uint32_t i = 0; i < samples.count; ++i) {
        const at::Tensor pixels =
            from(samples.data[i], {target.size(2), target.size(3), 3}, at::kByte).to(target.device(), true);
        target[i].copy_((pixels.permute({2, 0, 1}).to(at::kFloat).div_(255).sub_(mean)).div_(deviation));
    }
}

std::vector<NamedTensor> flatten(const c10::IValue& result, const std::vector<std::string>& names)
{
    std::vector<NamedTensor> found;
    collect(result, "", found);
    // With another number of tensors the manifest's names would be assigned wrongly.
    const bool named = names.size() == found.size();
    for (std::size_t i = 0; i < found.size(); ++i)
        if (named)
            found[i].name = names[i];
        else if (found[i].name.empty())
            found[i].name = "output";
    return found;
}

void handOver(const std::vector<NamedTensor>& tensors,
              const std::function<void(const apertune_tensor*, std::size_t)>& sink)
{
    std::vector<at::Tensor> hosted;
    std::vector<apertune_tensor> plain;
    hosted.reserve(tensors.size());
    plain.reserve(tensors.size());
    for (const NamedTensor& named : tensors) {
        // The outputs may be in a private layout of oneDNN.
        at::Tensor tensor = named.tensor.layout() == at::kStrided ? named.tensor : named.tensor.to_dense();
        if (tensor.is_complex())
            tensor = at::view_as_real(tensor);
        const bool floating = tensor.is_floating_point();
        hosted.push_back(tensor.to(at::kCPU).to(floating ? at::kFloat : at::kLong).contiguous());
        const at::Tensor& host = hosted.back();
        plain.push_back({named.name.c_str(), floating ? APERTUNE_FLOAT32 : APERTUNE_INT64,
                         static_cast<std::uint32_t>(host.dim()), host.sizes().data(), host.const_data_ptr()});
    }
    sink(plain.data(), plain.size());
}

} // namespace apertune::libtorch
