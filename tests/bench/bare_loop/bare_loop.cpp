// SPDX-License-Identifier: GPL-3.0-or-later
// The rival of the overhead benchmark: LibTorch and a loop, as a person would write it, with nothing of
// Apertune around it and no code shared with the plugin. CPU, TorchScript.
//
//   bare_loop ARTIFACT BATCH ITERATIONS [--threads N] [--precision fp32|bf16] [--sets N] [--warm-up N]
//             [--switches freeze,onednn_graph,…]
//
// Prints one JSON document: {"iterations":…,"load_ns":…,"first_ns":…,"median_ns":…,"total_ns":…,"ns":[…]},
// where ns holds every timed forward pass. With 0 ITERATIONS it stays alive instead: it reads a number of passes a
// line and answers each with the nanoseconds that they took together, until its input ends.
// Exit code 2 for wrong arguments, 1 when LibTorch fails.

#include <ATen/Parallel.h>
#include <nlohmann/json.hpp>
#include <torch/csrc/jit/codegen/onednn/interface.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/script.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

struct Options
{
    fs::path artifact;
    std::int64_t batch = 1;
    int iterations = 100;
    int threads = 0;
    int warmUp = 10;
    std::size_t sets = 4;
    bool bf16 = false;
    std::set<std::string> switches = {};
};

Options parse(const std::vector<std::string>& arguments)
{
    if (arguments.size() < 3 || arguments.size() % 2 == 0)
        throw std::invalid_argument("usage: bare_loop ARTIFACT BATCH ITERATIONS [--option value …]");
    Options options{.artifact = arguments[0], .batch = std::stoll(arguments[1]), .iterations = std::stoi(arguments[2])};
    for (std::size_t i = 3; i < arguments.size(); i += 2) {
        const std::string& value = arguments[i + 1];
        if (arguments[i] == "--threads") {
            options.threads = std::stoi(value);
        } else if (arguments[i] == "--warm-up") {
            options.warmUp = std::stoi(value);
        } else if (arguments[i] == "--sets") {
            options.sets = std::stoul(value);
        } else if (arguments[i] == "--precision" && (value == "fp32" || value == "bf16")) {
            options.bf16 = value == "bf16";
        } else if (arguments[i] == "--switches") {
            std::istringstream names(value);
            for (std::string name; std::getline(names, name, ',');)
                options.switches.insert(name);
        } else {
            throw std::invalid_argument("unknown option " + arguments[i] + " " + value);
        }
    }
    if (options.batch < 1 || options.iterations < 0 || options.sets < 1)
        throw std::invalid_argument("batch and sets must be positive, iterations not negative");
    return options;
}

torch::jit::Module load(const Options& options)
{
    const auto on = [&](const char* name) { return options.switches.contains(name); };
    torch::jit::getProfilingMode() = on("jit_optimize");
    if (on("onednn_graph"))
        torch::jit::RegisterLlgaFuseGraph::setEnabled(true);
    const torch::NoGradGuard noGrad;
    auto module = torch::jit::load((options.artifact / "model.ts.pt").string(), torch::kCPU);
    module.eval();
    if (options.bf16)
        module.to(torch::kBFloat16);
    if (on("channels_last"))
        for (const auto& parameter : module.parameters())
            if (parameter.dim() == 4)
                parameter.set_data(parameter.contiguous(at::MemoryFormat::ChannelsLast));
    if (on("freeze"))
        module = torch::jit::freeze(module);
    if (on("optimize_for_inference"))
        module = torch::jit::optimize_for_inference(module);
    return module;
}

std::vector<std::vector<torch::jit::IValue>> inputs(const Options& options)
{
    std::ifstream stream(options.artifact / "manifest.json");
    const Json manifest = Json::parse(stream);
    std::vector<std::vector<torch::jit::IValue>> sets(options.sets);
    for (const Json& input : manifest.at("inputs")) {
        if (input.at("dtype") != "float32" || input.at("batch_dim") != 0)
            throw std::invalid_argument("bare_loop takes float32 inputs whose first dimension is the batch");
        auto shape = input.at("shape").get<std::vector<std::int64_t>>();
        const auto samples = input.at("samples").get<std::int64_t>();
        shape[0] = samples;
        auto all = torch::empty(shape);
        std::ifstream file(options.artifact / input.at("file").get<std::string>(), std::ios::binary);
        if (!file.read(static_cast<char*>(all.data_ptr()), static_cast<std::streamsize>(all.nbytes())))
            throw std::invalid_argument("the inputs of the artifact cannot be read");
        for (std::size_t k = 0; k < sets.size(); ++k) {
            const auto first = static_cast<std::int64_t>(k) * options.batch;
            auto batch = all.index_select(0, (torch::arange(options.batch) + first).remainder(samples));
            if (options.bf16)
                batch = batch.to(torch::kBFloat16);
            if (options.switches.contains("channels_last") && batch.dim() == 4)
                batch = batch.contiguous(at::MemoryFormat::ChannelsLast);
            sets[k].emplace_back(batch);
        }
    }
    return sets;
}

std::int64_t nanoseconds(Clock::duration duration)
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count();
}

void answerRequests(torch::jit::Module& module, const std::vector<std::vector<torch::jit::IValue>>& sets)
{
    std::size_t k = 0;
    for (std::int64_t passes = 0; std::cin >> passes;) {
        const auto start = Clock::now();
        for (std::int64_t i = 0; i < passes; ++i)
            module.forward(sets[k++ % sets.size()]);
        std::cout << nanoseconds(Clock::now() - start) << std::endl;
    }
}

/// The document of one run; nothing when requests were answered instead.
Json measure(const Options& options)
{
    if (options.threads > 0)
        at::set_num_threads(options.threads);
    const auto sets = inputs(options);
    const auto begin = Clock::now();
    auto module = load(options);
    const auto loaded = Clock::now();

    const c10::InferenceMode inference;
    module.forward(sets[0]);
    const auto first = Clock::now();
    for (int i = 0; i < options.warmUp; ++i)
        module.forward(sets[static_cast<std::size_t>(i) % sets.size()]);

    if (options.iterations == 0) {
        answerRequests(module, sets);
        return {};
    }
    std::vector<std::int64_t> times(static_cast<std::size_t>(options.iterations));
    const auto start = Clock::now();
    for (std::size_t i = 0; i < times.size(); ++i) {
        const auto before = Clock::now();
        module.forward(sets[i % sets.size()]);
        times[i] = nanoseconds(Clock::now() - before);
    }
    const std::int64_t total = nanoseconds(Clock::now() - start);

    std::vector<std::int64_t> sorted = times;
    std::sort(sorted.begin(), sorted.end());
    return {{"iterations", options.iterations},
            {"load_ns", nanoseconds(loaded - begin)},
            {"first_ns", nanoseconds(first - loaded)},
            {"median_ns", sorted[sorted.size() / 2]},
            {"total_ns", total},
            {"ns", times}};
}

} // namespace

int main(int argc, char** argv)
{
    try {
        if (const Json document = measure(parse({argv + 1, argv + argc})); !document.is_null())
            std::cout << document << '\n';
        return 0;
    } catch (const std::invalid_argument& e) {
        std::cerr << "bare_loop: " << e.what() << '\n';
        return 2;
    } catch (const std::exception& e) {
        std::cerr << "bare_loop: " << e.what() << '\n';
        return 1;
    }
}
