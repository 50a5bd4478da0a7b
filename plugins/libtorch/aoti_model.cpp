// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/aoti_model.h"

#include "plugins/libtorch/attention.h"
#include "plugins/libtorch/fault.h"
#include "plugins/libtorch/int8_report.h"
#include "plugins/libtorch/package.h"

#include <ATen/Context.h>
#include <ATen/core/ivalue_inl.h>
#include <c10/core/CPUAllocator.h>
#include <dlfcn.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

namespace apertune::libtorch {

namespace {

using torch::inductor::AOTIModelPackageLoader;

/// Loads libtorch.so from the folder of the rest of LibTorch. Compiled packages are linked to it. It is an empty
/// library that nothing else needs, so it may be on no search path.
void loadUmbrellaLibrary()
{
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&c10::SetCPUAllocator), &info) == 0 || !info.dli_fname)
        return;
    const auto library = std::filesystem::path(info.dli_fname).parent_path() / "libtorch.so";
    if (std::filesystem::exists(library) && !dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL))
        throw Fault(APERTUNE_INTERNAL, library.string() + " cannot be loaded.", "Install torch again.", dlerror());
}

/// The shared libraries of compiled packages that are mapped into this process. The worker removes the unpacked files
/// once a model is warm, but the mapping stays, with the suffix " (deleted)".
std::set<std::string> mappedPackages()
{
    std::set<std::string> found;
    std::ifstream stream("/proc/self/maps");
    constexpr std::string_view kDeleted = " (deleted)";
    for (std::string line; std::getline(stream, line);) {
        // The kernel marks libraries whose file was removed; the worker removes it after the warm-up.
        if (line.ends_with(kDeleted))
            line.resize(line.size() - kDeleted.size());
        const std::size_t path = line.find('/');
        if (path != std::string::npos && line.ends_with(".so") && line.find("/aotinductor/", path) != std::string::npos)
            found.insert(line.substr(path));
    }
    return found;
}

template <typename Numbers>
std::string listed(const Numbers& numbers)
{
    std::ostringstream text;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        text << (i ? "x" : "") << numbers[i];
    return text.str();
}

/// Returns whether the strides agree in every dimension with more than one element. Other strides have no effect.
bool sameOrder(const at::Tensor& tensor, const std::vector<std::int64_t>& stride)
{
    for (std::size_t d = 0; d < stride.size(); ++d)
        if (tensor.size(static_cast<std::int64_t>(d)) > 1 && tensor.stride(static_cast<std::int64_t>(d)) != stride[d])
            return false;
    return true;
}

std::string typeName(const at::Tensor& tensor)
{
    std::string name = c10::toString(tensor.scalar_type());
    // The manifest has the names of NumPy, and PyTorch its own.
    for (const auto& [torchName, manifestName] :
         {std::pair{"Float", "float32"}, std::pair{"Double", "float64"}, std::pair{"Half", "float16"},
          std::pair{"BFloat16", "bfloat16"}, std::pair{"Long", "int64"}, std::pair{"Int", "int32"},
          std::pair{"Short", "int16"}, std::pair{"Char", "int8"}, std::pair{"Byte", "uint8"},
          std::pair{"Bool", "bool"}})
        if (name == torchName)
            return manifestName;
    return name;
}

[[noreturn]] void refuse(const std::string& what)
{
    throw Fault(APERTUNE_BAD_INPUT, "The compiled package " + what + ".",
                "Compile the model for this batch, precision and device on this machine.");
}

/// Refuses inputs that differ from those of the package. Compiled code does not check them and would misread the
/// memory.
void checkInputs(const PackageInfo& info, const InputSet& inputs)
{
    if (inputs.tensors.size() != info.inputs.size())
        refuse("takes " + std::to_string(info.inputs.size()) + " inputs, not " + std::to_string(inputs.tensors.size()));
    for (std::size_t i = 0; i < inputs.tensors.size(); ++i) {
        const at::Tensor& tensor = inputs.tensors[i];
        const PackageInput& wanted = info.inputs[i];
        // An open size in the package stands for any batch.
        const auto fits = [](std::int64_t size, std::int64_t open) { return size == open || open < 0; };
        const auto sizes = tensor.sizes();
        if (!std::equal(sizes.begin(), sizes.end(), wanted.shape.begin(), wanted.shape.end(), fits))
            refuse("takes " + wanted.name + " as " + listed(wanted.shape) + ", not " + listed(tensor.sizes()));
        if (typeName(tensor) != wanted.dtype)
            refuse("takes " + wanted.name + " as " + wanted.dtype + ", not " + typeName(tensor));
        // The order of the dimensions in memory is part of the compiled code.
        if (!sameOrder(tensor, wanted.stride))
            refuse("takes " + wanted.name + " in another memory layout");
    }
}

class PackageModel final : public Model
{
public:
    PackageModel(const Request& request, at::Device device, PackageInfo info)
        : m_info(std::move(info)), m_mappedBefore(mappedPackages()),
          m_loader(request.package->string(), "model",
                   // During capture the loader must not record and query events of its own.
                   /*run_single_threaded=*/request.on("cuda_graph"), /*num_runners=*/1,
                   device.is_cuda() ? device.index() : static_cast<c10::DeviceIndex>(-1))
    {
        // The loader does not say where it unpacked the library, so it is the one that was not mapped before.
        for (const std::string& path : mappedPackages())
            if (!m_mappedBefore.contains(path))
                m_library = path;
    }

    void forward(const InputSet& inputs, c10::IValue* keep) override
    {
        std::vector<at::Tensor> result = m_loader.run(inputs.tensors);
        // Outputs are kept only when they are asked for, because holding them costs memory.
        if (keep)
            *keep = c10::IValue(c10::ivalue::Tuple::create(std::vector<c10::IValue>(result.begin(), result.end())));
    }

    void report(const Request& request, const InputSet& inputs, Report& report) override
    {
        // Constants that AOTInductor folded while freezing have this suffix in their names.
        const auto constants = m_loader.get_constant_fqns();
        const auto frozen = std::count_if(constants.begin(), constants.end(), [](const std::string& name) {
            return name.find("_frozen_param") != std::string::npos;
        });
        const bool mapped = !m_library.empty() && mappedPackages().contains(m_library);
        const std::string target = m_info.computeCapability.empty() || !request.cuda
                                       ? m_info.isa
                                       : "compute capability " + m_info.computeCapability;
        report.readBack("aoti", true, mapped,
                        mapped ? "mapped " + m_library + ", compiled for " + target : "no compiled library is mapped");
        // A package without constants has nothing to freeze.
        report.readBack("freeze", request.on("freeze"), frozen > 0 || constants.empty(),
                        std::to_string(frozen) + " of " + std::to_string(constants.size()) +
                            " constants were folded when compiling");
        reportInputs(request, inputs, report);
        if (request.precision == Precision::int8)
            reportInt8(m_info, m_library, report);
        else if (request.precision == Precision::fp8)
            reportFp8(report);
        else
            reportCast(request, inputs, report);
        // The code does not show how it was compiled. checkPackage() compared the description with the request.
        for (const KnownSwitch& known : packageSwitches())
            if (known.name != "aoti" && known.name != "aoti_dynamic_batch")
                report.readBack(known.name, request.on(known.name), request.on(known.name),
                                "as the package's description says");
        // −1 stands for a size that is open.
        const bool open = std::any_of(m_info.inputs.begin(), m_info.inputs.end(), [](const PackageInput& input) {
            return std::count(input.shape.begin(), input.shape.end(), -1) > 0;
        });
        report.readBack("aoti_dynamic_batch", request.on("aoti_dynamic_batch"), open,
                        open ? "it takes inputs of any batch" : "it takes inputs of one batch");
        reportAttention(request, m_info, report);
        for (const char* name : {"jit_optimize", "optimize_for_inference", "onednn_graph"})
            report.notApplicable(name, "the model is a compiled package");
        if (!request.cuda)
            report.notes.emplace_back("the weights of a compiled package are not in the allocator's peak");
    }

    std::string temporaryFolder() const override
    {
        // The loader unpacks into mkdtemp("/tmp/XXXXXX"). The folders of the archive lie below it.
        constexpr std::string_view kTemporary = "/tmp/";
        if (!m_library.starts_with(kTemporary))
            return "";
        return m_library.substr(0, m_library.find('/', kTemporary.size()));
    }

private:
    /// Reports fp8 by the element types that the loaded code gives for its constants.
    void reportFp8(Report& report)
    {
        const auto types = m_loader.get_runner()->getConstantNamesToDtypes();
        // The types of the stored constants show whether the weights are in eight bits.
        const auto stored = std::count_if(types.begin(), types.end(), [](const auto& constant) {
            return constant.second == static_cast<std::int32_t>(at::kFloat8_e4m3fn);
        });
        report.readBack("precision", true, stored > 0,
                        std::to_string(stored) + " of " + std::to_string(types.size()) +
                            " constants are float8_e4m3fn; package of " +
                            std::to_string(std::lround(static_cast<double>(m_info.bytes) / (1U << 20U))) + " MiB");
        if (stored > 0)
            report.applied.back().layers = m_info.quantizedLayers;
    }

    static void reportCast(const Request& request, const InputSet& inputs, Report& report)
    {
        std::string types;
        bool cast = true;
        for (const at::Tensor& tensor : inputs.tensors) {
            types += (types.empty() ? "" : ", ") + typeName(tensor);
            if (const auto wanted = castType(request.precision); wanted && tensor.is_floating_point())
                cast = cast && tensor.scalar_type() == *wanted;
        }
        report.readBack("precision", true, cast, "inputs: " + types);
    }

    static void reportInputs(const Request& request, const InputSet& inputs, Report& report)
    {
        std::size_t images = 0;
        std::size_t last = 0;
        for (const at::Tensor& tensor : inputs.tensors) {
            // Only images have a layout that could differ.
            images += isImage(tensor) ? 1 : 0;
            last += isImage(tensor) && !tensor.is_contiguous() ? 1 : 0;
        }
        if (images == 0)
            report.notApplicable("channels_last", "no input is an image");
        else
            // A compiled package shows only the layout of its inputs; the compiler chooses the layouts inside.
            report.readBack("channels_last", request.on("channels_last"), last == images,
                            std::to_string(last) + " of " + std::to_string(images) +
                                " inputs are NHWC; inside, the compiler chooses");
    }

    static bool isImage(const at::Tensor& tensor)
    {
        return tensor.dim() == 4 && tensor.is_floating_point() && tensor.size(1) > 1 &&
               tensor.size(2) * tensor.size(3) > 1;
    }

    PackageInfo m_info;
    std::set<std::string> m_mappedBefore;
    AOTIModelPackageLoader m_loader;
    std::string m_library;
};

} // namespace

std::unique_ptr<Model> loadPackage(const Artifact& artifact, const Request& request, at::Device device,
                                   const InputSet& inputs)
{
    PackageInfo info = checkPackage(request, artifact.contentHash);
    checkInputs(info, inputs);
    loadUmbrellaLibrary();
    return std::make_unique<PackageModel>(request, device, std::move(info));
}

} // namespace apertune::libtorch
