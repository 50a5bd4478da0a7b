// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/onnxruntime/evidence.h"

#include <algorithm>
#include <array>
#include <utility>

namespace apertune::ort {

namespace {

/// ONNX Runtime's operators that compute layers, by whether they compute in int8.
const std::set<std::string> kInt8Layers{"QLinearConv",           "QLinearMatMul", "QGemm",
                                        "ConvInteger",           "MatMulInteger", "MatMulIntegerToFloat",
                                        "DynamicQuantizeMatMul", "QAttention"};
const std::set<std::string> kFloatLayers{"Conv",   "FusedConv",   "NhwcFusedConv", "ConvTranspose",
                                         "MatMul", "FusedMatMul", "Gemm",          "FusedGemm"};

std::int64_t total(const Census& census)
{
    std::int64_t sum = 0;
    for (const auto& [op, count] : census)
        sum += count;
    return sum;
}

std::string operators(std::int64_t count)
{
    return std::to_string(count) + (count == 1 ? " operator" : " operators");
}

/// The three greatest changes: "52 more FusedConv, 53 fewer Conv".
std::string changes(const Census& before, const Census& after)
{
    // Operators that optimization merged are missing afterwards, so differences may be negative.
    Census difference = after;
    for (const auto& [op, count] : before)
        difference[op] -= count;
    std::vector<std::pair<std::int64_t, std::string>> sorted;
    for (const auto& [op, count] : difference)
        if (count != 0)
            sorted.emplace_back(count, op);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return std::abs(a.first) > std::abs(b.first); });
    std::string text;
    // Three are enough to recognize the change; the whole list is in the trace.
    for (std::size_t i = 0; i < sorted.size() && i < 3; ++i)
        text += (i ? ", " : "") + std::to_string(std::abs(sorted[i].first)) +
                (sorted[i].first > 0 ? " more " : " fewer ") + sorted[i].second;
    return text;
}

void reportGraph(const Request& request, const Evidence& evidence, plugins::Report& into)
{
    const std::array<std::pair<const char*, GraphLevel>, 3> names{
        {{"graph_basic", kBasic}, {"graph_extended", kExtended}, {"graph_all", kAll}}};
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto& [name, level] = names[i];
        if (request.graphLevel() < level) {
            into.readBack(name, false, false, "the session was made at a lower graph level");
            continue;
        }
        // levels[0] is the pass without graph optimization, so level i needs one entry more.
        if (evidence.levels.size() < i + 2) {
            into.notApplicable(name, evidence.passMissing);
            continue;
        }
        const Census& without = evidence.levels[i];
        const Census& with = evidence.levels[i + 1];
        const bool changed = without != with;
        into.readBack(name, request.on(name), changed,
                      changed ? "a pass runs " + operators(total(with)) + " instead of " +
                                    std::to_string(total(without)) + ": " + changes(without, with)
                              : "a pass runs the same " + operators(total(with)) + " at the level below");
    }
}

void reportMemory(const Request& request, const Evidence& evidence, plugins::Report& into)
{
    if (request.on("no_arena"))
        // Without an arena the engine has no object that could answer, which is itself the evidence.
        into.readBack("no_arena", true, !evidence.arena, "there is no arena that could be asked");
    else if (evidence.arena)
        into.readBack("no_arena", false, false,
                      "the arena counts " + std::to_string(evidence.arena->allocations) + " allocations, at most " +
                          std::to_string(evidence.arena->peak) + " bytes");
    else
        into.notApplicable("no_arena", "this version of ONNX Runtime reports no figures of an arena");
    if (!evidence.allocations || !evidence.allocationsOtherwise) {
        into.notApplicable("no_memory_pattern", "its effect shows in the arena's figures, and there are none");
        return;
    }
    const bool off = request.on("no_memory_pattern");
    // The memory pattern joins allocations of a pass, so switching it off has to increase their number.
    into.readBack("no_memory_pattern", off, off && *evidence.allocations > *evidence.allocationsOtherwise,
                  "allocations in a pass: " + std::to_string(*evidence.allocations) + ", " +
                      (off ? "with" : "without") + " the pattern " + std::to_string(*evidence.allocationsOtherwise));
}

} // namespace

PassSeen passSeen(const Profile& onePass)
{
    PassSeen seen;
    std::set<std::uint32_t> threads;
    for (const NodeRun& node : onePass.nodes) {
        ++seen.operators[node.op];
        seen.providers.insert(node.provider);
        threads.insert(node.thread);
        // Nodes may be unnamed.
        const std::string& name = node.name.empty() ? node.op : node.name;
        if (kInt8Layers.contains(node.op)) {
            seen.int8Layers.push_back(name);
            ++seen.int8Kernels[node.op];
        } else if (kFloatLayers.contains(node.op)) {
            seen.floatLayers.push_back(name);
        }
    }
    seen.threads = threads.size();
    return seen;
}

void reportInt8(const Evidence& evidence, plugins::Report& into)
{
    if (!evidence.pass) {
        into.readBack("precision", true, false, evidence.passMissing);
        return;
    }
    const PassSeen& pass = *evidence.pass;
    const std::size_t count = pass.int8Layers.size();
    std::string text = std::to_string(count) + " of " + std::to_string(count + pass.floatLayers.size()) +
                       " convolutions and matrix products ran in int8";
    const char* before = ": ";
    for (const auto& [kernel, times] : pass.int8Kernels) {
        text += before + kernel + " ×" + std::to_string(times);
        before = ", ";
    }
    if (!pass.floatLayers.empty()) {
        text += "; in float " + pass.floatLayers.front();
        if (pass.floatLayers.size() > 1)
            text += " and " + std::to_string(pass.floatLayers.size() - 1) + " more";
    }
    into.readBack("precision", true, count > 0, text);
    into.applied.back().layers = pass.int8Layers;
}

void report(const Request& request, const Evidence& evidence, plugins::Report& into)
{
    reportGraph(request, evidence, into);
    if (request.threads == 1)
        into.notApplicable("no_spinning", "one thread waits for no other");
    else
        into.readBack("no_spinning", request.on("no_spinning"), evidence.spinning == "0",
                      std::string(kSpinningKey) + " reads " +
                          (evidence.spinning.empty() ? "nothing" : evidence.spinning));
    reportMemory(request, evidence, into);
    into.readBack("io_binding", request.on("io_binding"), request.on("io_binding"),
                  request.on("io_binding") ? "passes run on bindings, one for each input set"
                                           : "each pass is handed its inputs and gives new outputs");
    if (request.cuda)
        into.notApplicable("parallel_execution", "the CUDA provider runs one operator after the other");
    else if (evidence.pass)
        into.readBack("parallel_execution", request.on("parallel_execution"), evidence.pass->threads > 1,
                      "the operators of a pass ran on " + std::to_string(evidence.pass->threads) +
                          (evidence.pass->threads == 1 ? " thread" : " threads"));
    else
        into.notApplicable("parallel_execution", evidence.passMissing);
}

} // namespace apertune::ort
