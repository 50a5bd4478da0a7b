// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/traced_convolutions.h"

#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>

#include <array>
#include <optional>
#include <vector>

namespace apertune::libtorch {

namespace {

using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;

/// Positions of the arguments of aten::_convolution.
enum Argument : std::size_t {
    kInput,
    kWeight,
    kBias,
    kStride,
    kPadding,
    kDilation,
    kTransposed,
    kOutputPadding,
    kGroups
};

/// Returns the length of a list; nullopt when the graph does not state it.
std::optional<std::size_t> lengthOf(Value* list)
{
    if (list->node()->kind() == c10::prim::ListConstruct)
        return list->node()->inputs().size();
    const auto constant = torch::jit::toIValue(list);
    return constant && constant->isIntList() ? std::optional(constant->toIntList().size()) : std::nullopt;
}

void replace(Graph& graph, Node* node)
{
    static const std::array kPlain{c10::Symbol::fromQualString("aten::conv1d"),
                                   c10::Symbol::fromQualString("aten::conv2d"),
                                   c10::Symbol::fromQualString("aten::conv3d")};
    static const std::array kTransposedKinds{c10::Symbol::fromQualString("aten::conv_transpose1d"),
                                             c10::Symbol::fromQualString("aten::conv_transpose2d"),
                                             c10::Symbol::fromQualString("aten::conv_transpose3d")};
    const auto in = [node](Argument argument) { return node->input(argument); };
    const auto dimensions = lengthOf(in(kStride));
    const auto transposed = torch::jit::toIValue(in(kTransposed));
    if (!dimensions || *dimensions < 1 || *dimensions > kPlain.size() || !transposed || !transposed->isBool())
        return;
    std::vector<Value*> inputs{in(kInput), in(kWeight), in(kBias), in(kStride), in(kPadding)};
    if (transposed->toBool())
        inputs.insert(inputs.end(), {in(kOutputPadding), in(kGroups), in(kDilation)});
    else
        inputs.insert(inputs.end(), {in(kDilation), in(kGroups)});
    const auto& kinds = transposed->toBool() ? kTransposedKinds : kPlain;
    Node* const plain = graph.create(kinds[*dimensions - 1], inputs);
    plain->copyMetadata(node);
    plain->insertBefore(node);
    plain->output()->setType(node->output()->type());
    node->output()->replaceAllUsesWith(plain->output());
}

void replaceIn(Graph& graph, Block* block)
{
    static const auto kTraced = c10::Symbol::fromQualString("aten::_convolution");
    for (auto it = block->nodes().begin(); it != block->nodes().end();) {
        Node* const node = *it++;
        for (Block* inner : node->blocks())
            replaceIn(graph, inner);
        if (node->kind() != kTraced)
            continue;
        replace(graph, node);
        if (!node->hasUses())
            node->destroy();
    }
}

} // namespace

void followProcessSettings(const torch::jit::Module& module)
{
    for (const torch::jit::Module& part : module.modules())
        for (const torch::jit::Method& method : part.get_methods()) {
            const auto graph = method.graph();
            replaceIn(*graph, graph->block());
        }
}

} // namespace apertune::libtorch
