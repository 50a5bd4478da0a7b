// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/inductor_name.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace apertune::analysis {

namespace {

/// The part that an operator has in a fused kernel.
enum class Part : std::uint8_t {
    arithmetic,
    none,  ///< a view, or an operator that ran before
    order, ///< a view that changes the order of the values
    cast,
    clone, ///< a copy of one tensor, in the order that its view has
    copy,
    fill,
    indexing,
    pooling,
    norm,
    mean,
    root,
};
constexpr std::size_t kParts = 12;

struct Operator
{
    std::string_view words; ///< separated by '_'
    Part part;
};

/// Every operator that is not listed computes something. Longer names stand before those that they begin with.
constexpr Operator kOperators[] = {
    {"as_strided", Part::none},
    {"constant_pad_nd", Part::copy},
    {"convert_element_type", Part::cast},
    {"empty_like", Part::none},
    {"expand_as", Part::none},
    {"full_like", Part::fill},
    {"index_select", Part::indexing},
    {"max_pool2d_with_indices", Part::pooling},
    {"new_empty", Part::none},
    {"ones_like", Part::fill},
    {"select_scatter", Part::copy},
    {"slice_scatter", Part::copy},
    {"split_with_sizes", Part::none},
    {"to_copy", Part::cast},
    {"unsafe_index", Part::indexing},
    {"unsafe_view", Part::none},
    {"var_mean", Part::mean},
    {"zeros_like", Part::fill},
    {"alias", Part::none},
    {"bmm", Part::none},
    {"cat", Part::copy},
    {"chunk", Part::none},
    {"clone", Part::clone},
    {"contiguous", Part::clone},
    {"copy", Part::copy},
    {"detach", Part::none},
    {"embedding", Part::indexing},
    {"empty", Part::none},
    {"expand", Part::none},
    {"fill", Part::fill},
    {"full", Part::fill},
    {"gather", Part::indexing},
    {"index", Part::indexing},
    {"mean", Part::mean},
    {"mm", Part::none},
    {"ones", Part::fill},
    {"permute", Part::order},
    {"reshape", Part::none},
    {"rsqrt", Part::root},
    {"scatter", Part::indexing},
    {"select", Part::none},
    {"slice", Part::none},
    {"split", Part::none},
    {"squeeze", Part::none},
    {"stack", Part::copy},
    {"t", Part::order},
    {"transpose", Part::order},
    {"unbind", Part::none},
    {"unsqueeze", Part::none},
    {"view", Part::none},
    {"zeros", Part::fill},
};

bool isCounter(std::string_view word)
{
    return std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Splits at '_'. Operators of their own underscore ("_to_copy") lose it.
std::vector<std::string_view> wordsOf(std::string_view text)
{
    std::vector<std::string_view> words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('_'), text.size());
        if (end > 0)
            words.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    // The compiler numbers kernels of the same name.
    if (!words.empty() && isCounter(words.back()))
        words.pop_back(); // the number of the kernel
    return words;
}

/// Returns how many of the first words are `name`, all or none of it.
std::size_t matched(std::span<const std::string_view> words, std::string_view name)
{
    const std::vector<std::string_view> parts = wordsOf(name);
    return parts.size() <= words.size() && std::equal(parts.begin(), parts.end(), words.begin()) ? parts.size() : 0;
}

/// Counts the parts of the operators in a name.
std::array<int, kParts> partsOf(std::span<const std::string_view> words)
{
    std::array<int, kParts> count{};
    const auto add = [&count](Part part) { ++count[static_cast<std::size_t>(part)]; };
    while (!words.empty()) {
        std::size_t length = 0;
        // The longest known operator at the front is taken; the table lists longer ones first.
        for (const Operator& known : kOperators)
            if ((length = matched(words, known.words)) > 0) {
                add(known.part);
                break;
            }
        if (length == 0 && (words.front() == "scaled" || words.front() == "fmha")) {
            // scaled_dot_product_…_attention, fmha_v3_fwd: they ran before
            const std::string_view last = words.front() == "scaled" ? "attention" : "fwd";
            const auto end = std::find(words.begin(), words.end(), last);
            length = end == words.end() ? 1 : static_cast<std::size_t>(end - words.begin()) + 1;
        } else if (length == 0) {
            // A word that is not known is some arithmetic.
            add(words.front() == "norm" ? Part::norm : Part::arithmetic);
            length = 1;
        }
        words = words.subspan(length);
    }
    return count;
}

OpClass classOfPointwise(const std::array<int, kParts>& parts)
{
    const auto has = [&parts](Part part) { return parts[static_cast<std::size_t>(part)] > 0; };
    // Any arithmetic makes the kernel an elementwise one, whatever it copies beside.
    if (has(Part::arithmetic) || has(Part::root) || has(Part::mean))
        return OpClass::elementwise;
    if (has(Part::pooling))
        return OpClass::pooling;
    if (has(Part::indexing))
        return OpClass::indexing;
    if (has(Part::cast))
        return OpClass::cast;
    if (has(Part::copy))
        return OpClass::copy;
    if (has(Part::order)) // a tensor that is written in another order than it was read
        return OpClass::layout;
    if (has(Part::clone))
        return OpClass::copy;
    return has(Part::fill) ? OpClass::fill : OpClass::elementwise;
}

bool contains(std::string_view name, std::string_view word)
{
    return name.find(word) != std::string_view::npos;
}

} // namespace

std::optional<OpClass> classifyInductorKernel(std::string_view name)
{
    constexpr std::string_view kPrefix = "triton_";
    constexpr std::size_t kKind = 3;
    if (!name.starts_with(kPrefix))
        return {};
    name.remove_prefix(kPrefix.size());
    const std::string_view kind = name.substr(0, kKind);
    name.remove_prefix(std::min(kKind, name.size()));
    if (!name.empty() && name.front() != '_')
        return {};
    // Templates carry the name of the product that they are for.
    if (kind == "tem")
        return contains(name, "attention")     ? OpClass::attention
               : contains(name, "convolution") ? OpClass::convolution
                                               : OpClass::matrixProduct;
    if (kind == "for")
        return OpClass::elementwise;
    if (kind != "poi" && kind != "red" && kind != "per")
        return {};
    const std::vector<std::string_view> words = wordsOf(name);
    const bool fused = !words.empty() && words.front() == "fused";
    const std::array<int, kParts> parts = partsOf(std::span(words).subspan(fused ? 1 : 0));
    const auto has = [&parts](Part part) { return parts[static_cast<std::size_t>(part)] > 0; };
    // A mean and a root together are a normalization that was taken apart.
    if (has(Part::norm) || (has(Part::mean) && has(Part::root)))
        return OpClass::normalization;
    return kind == "poi" ? classOfPointwise(parts) : OpClass::reduction;
}

} // namespace apertune::analysis
