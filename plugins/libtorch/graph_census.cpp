// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/graph_census.h"

#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>
#include <vector>

namespace apertune::libtorch {

namespace {

using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Node;

void visit(const Block* block, const std::function<void(const Node*)>& visitor)
{
    for (const Node* node : block->nodes()) {
        visitor(node);
        for (const Block* inner : node->blocks())
            visit(inner, visitor);
        if (node->hasAttribute(c10::attr::Subgraph))
            visit(node->g(c10::attr::Subgraph)->block(), visitor);
    }
}

/// The tensors that a constant node holds.
std::vector<at::Tensor> tensorsOf(const Node* node)
{
    static const auto kOneDnnConstant = c10::Symbol::fromQualString("prim::ConstantMKLDNNTensor");
    if ((node->kind() != c10::prim::Constant && node->kind() != kOneDnnConstant) ||
        !node->hasAttribute(c10::attr::value))
        return {};
    switch (node->kindOf(c10::attr::value)) {
    case torch::jit::AttributeKind::t:
        return {node->t(c10::attr::value)};
    case torch::jit::AttributeKind::ts:
        return node->ts(c10::attr::value);
    case torch::jit::AttributeKind::ival: {
        std::vector<at::Tensor> found;
        node->ival(c10::attr::value).visit([&](const c10::IValue& value) {
            if (value.isTensor())
                found.push_back(value.toTensor());
            return false;
        });
        return found;
    }
    default:
        return {};
    }
}

void take(const at::Tensor& tensor, TensorCensus& census, std::set<const void*>& seen)
{
    if (!tensor.defined() || !seen.insert(tensor.unsafeGetTensorImpl()).second)
        return;
    // A scalar constant of a formula does not show the model's precision.
    if (tensor.is_floating_point() && tensor.dim() > 0)
        ++census.dtypes[c10::toString(tensor.scalar_type())];
    if (tensor.layout() != at::kStrided) {
        ++census.opaque;
    } else if (tensor.is_floating_point() && tensor.dim() == 4) {
        census.channelsLast += isOnlyChannelsLast(tensor) ? 1 : 0;
        census.channelsFirst += isOnlyChannelsFirst(tensor) ? 1 : 0;
    }
}

} // namespace

NodeKinds countNodes(const Graph& graph)
{
    NodeKinds kinds;
    visit(graph.block(), [&](const Node* node) { ++kinds[node->kind().toQualString()]; });
    return kinds;
}

std::string differences(const NodeKinds& before, const NodeKinds& after, std::size_t limit)
{
    struct Change
    {
        std::string kind;
        std::size_t from;
        std::size_t to;
        std::size_t size() const { return from > to ? from - to : to - from; }
    };
    NodeKinds all = before;
    all.insert(after.begin(), after.end());
    std::vector<Change> changes;
    for (const auto& [kind, number] : all) {
        const auto count = [&kind = kind](const NodeKinds& kinds) {
            const auto found = kinds.find(kind);
            return found == kinds.end() ? 0 : found->second;
        };
        if (count(before) != count(after) && kind != "prim::Constant")
            changes.push_back({kind, count(before), count(after)});
    }
    // A kind that appeared says more than the kind that it replaced, so new kinds come first.
    std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
        return std::tuple(a.to < a.from, b.size()) < std::tuple(b.to < b.from, a.size());
    });
    std::string text;
    for (std::size_t i = 0; i < std::min(limit, changes.size()); ++i)
        text += (i ? ", " : "") + changes[i].kind + " " + std::to_string(changes[i].from) + " -> " +
                std::to_string(changes[i].to);
    return text;
}

TensorCensus countTensors(const torch::jit::Module& module)
{
    TensorCensus census;
    std::set<const void*> seen;
    for (const at::Tensor& tensor : module.parameters()) {
        ++census.attributes;
        take(tensor, census, seen);
    }
    for (const at::Tensor& tensor : module.buffers()) {
        ++census.attributes;
        take(tensor, census, seen);
    }
    visit(module.get_method("forward").graph()->block(), [&](const Node* node) {
        for (const at::Tensor& tensor : tensorsOf(node))
            take(tensor, census, seen);
    });
    return census;
}

bool isOnlyChannelsLast(const at::Tensor& tensor)
{
    return tensor.dim() == 4 && tensor.is_contiguous(at::MemoryFormat::ChannelsLast) && !tensor.is_contiguous();
}

bool isOnlyChannelsFirst(const at::Tensor& tensor)
{
    return tensor.dim() == 4 && tensor.is_contiguous() && !tensor.is_contiguous(at::MemoryFormat::ChannelsLast);
}

} // namespace apertune::libtorch
