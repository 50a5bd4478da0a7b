// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/package.h"

#include "plugins/libtorch/archive.h"
#include "plugins/libtorch/attention.h"
#include "plugins/libtorch/fault.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>
#include <sstream>

namespace apertune::libtorch {

namespace {

using Json = nlohmann::json;

constexpr const char* kCompileAgain = "Compile the model for this batch, precision and device on this machine.";

[[noreturn]] void refuse(const std::string& message, const std::string& detail = {})
{
    throw Fault(APERTUNE_BAD_INPUT, message, kCompileAgain, detail);
}

void requireEqual(const std::string& what, const std::string& compiled, const std::string& wanted)
{
    if (compiled != wanted)
        refuse("The compiled package was made for " + what + " " + compiled + ", not " + wanted + ".");
}

std::string textOf(const Json& json, const char* key)
{
    const auto found = json.find(key);
    if (found == json.end() || found->is_null())
        return "";
    return found->is_string() ? found->get<std::string>() : found->dump();
}

std::string cpuFlags()
{
    std::ifstream stream("/proc/cpuinfo");
    for (std::string line; std::getline(stream, line);)
        if (line.starts_with("flags"))
            return line;
    return "";
}

PackageInput readInput(const Json& json)
{
    return {json.at("name").get<std::string>(), json.at("dtype").get<std::string>(),
            json.at("shape").get<std::vector<std::int64_t>>(), json.at("stride").get<std::vector<std::int64_t>>()};
}

void checkConfiguration(const Json& sidecar, const Request& request, const std::string& contentHash)
{
    // An artifact without a recorded hash cannot be compared.
    if (const std::string hash = textOf(sidecar, "content_hash"); !contentHash.empty() && hash != contentHash)
        refuse("The compiled package was made from another model than this artifact.");
    const auto onOff = [](bool on) { return on ? std::string("on") : std::string("off"); };
    const bool dynamic = sidecar.value("dynamic_batch", false);
    requireEqual("aoti_dynamic_batch", onOff(dynamic), onOff(request.on("aoti_dynamic_batch")));
    if (!dynamic)
        requireEqual("batch", textOf(sidecar, "batch"), std::to_string(request.batch));
    // Libraries choose TF32 at run time, so the package of an fp32 model serves both precisions. Kernels that
    // max_autotune generated have it built in.
    if (request.cuda && request.on("max_autotune") && sidecar.contains("tf32"))
        requireEqual("tf32", onOff(sidecar.at("tf32").get<bool>()), onOff(request.on("tf32")));
    const Precision stored = request.precision == Precision::tf32 ? Precision::fp32 : request.precision;
    requireEqual("precision", textOf(sidecar, "precision"), std::string(toString(stored)));
    requireEqual("device", textOf(sidecar, "device"), request.cuda ? "cuda" : "cpu");
    requireEqual("freeze", onOff(sidecar.value("freezing", true)), onOff(request.on("freeze")));
    requireEqual("channels_last", onOff(sidecar.value("channels_last", false)), onOff(request.on("channels_last")));
    // A switch that the sidecar lacks cannot be checked.
    for (const auto& [name, where] : packageSwitches())
        if (sidecar.contains(name))
            requireEqual(name.c_str(), onOff(sidecar.at(name).get<bool>()), onOff(request.on(name)));
    const Json attention = sidecar.value("attention", Json::object());
    const std::string chosen = textOf(attention, "chosen");
    for (const auto& [name, where] : attentionSwitches())
        requireEqual(name.c_str(), onOff(!chosen.empty() && name == "sdpa_" + chosen), onOff(request.on(name)));
    // A package without a recorded number of threads fits any request, and a request of 0 any package.
    const std::string threads = textOf(sidecar, "threads");
    if (!request.cuda && request.threads > 0 && !threads.empty())
        requireEqual("threads", threads, std::to_string(request.threads));
}

} // namespace

const std::vector<KnownSwitch>& packageSwitches()
{
    static const std::vector<KnownSwitch> kSwitches{{"aoti"}, {"max_autotune"}, {"aoti_dynamic_batch"}};
    return kSwitches;
}

PackageInfo checkPackage(const Request& request, const std::string& contentHash)
{
    const std::filesystem::path& file = *request.package;
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error))
        refuse("The compiled package " + file.string() + " does not exist.");
    requirePackage(file);
    std::ifstream stream(file.string() + ".json");
    if (!stream)
        refuse("The compiled package " + file.string() + " comes without " + file.filename().string() +
               ".json, so it is unknown what it was made for.");
    PackageInfo info;
    try {
        const Json sidecar = Json::parse(stream);
        checkConfiguration(sidecar, request, contentHash);
        info.isa = textOf(sidecar, "isa");
        // Only the digits count: "9.0" and "90" are the same.
        for (const char c : textOf(sidecar, "compute_capability"))
            if (std::isdigit(static_cast<unsigned char>(c)))
                info.computeCapability += c;
        for (const Json& input : sidecar.at("inputs"))
            info.inputs.push_back(readInput(input));
        info.bytes = sidecar.value("bytes", std::uint64_t{0});
        if (const auto attention = sidecar.find("attention"); attention != sidecar.end()) {
            info.attentionCalls = attention->at("calls").get<int>();
            attention->at("kernels").get_to(info.attentionKernels);
        }
        if (const auto made = sidecar.find("quantization"); made != sidecar.end()) {
            made->at("layers").get_to(info.quantizedLayers);
            if (request.precision == Precision::int8) {
                made->at("kernels").get_to(info.int8Kernels);
                made->at("float_kernels").get_to(info.floatKernels);
            }
        }
    } catch (const Json::exception& e) {
        refuse("The description " + file.string() + ".json is not readable.", e.what());
    }
    if (!request.cuda)
        if (const auto missing = missingInstructions(info.isa, cpuFlags()); !missing.empty())
            refuse("The compiled package was made for another CPU: this one has no " + missing.front() + ".", info.isa);
    return info;
}

std::vector<std::string> missingInstructions(const std::string& isa, const std::string& cpuFlags)
{
    std::istringstream words(cpuFlags);
    std::set<std::string> flags;
    for (std::string word; words >> word;)
        flags.insert(word);
    std::vector<std::string> missing;
    std::istringstream parts(isa);
    for (std::string part; parts >> part;) {
        std::transform(part.begin(), part.end(), part.begin(), [](unsigned char c) { return std::tolower(c); });
        // Inductor's name for a CPU without vector instructions that it knows, which needs nothing.
        if (part == "invalid_vec_isa")
            continue;
        // /proc/cpuinfo names the base of AVX-512 "avx512f".
        if (!flags.contains(part == "avx512" ? "avx512f" : part))
            missing.push_back(part);
    }
    return missing;
}

} // namespace apertune::libtorch
