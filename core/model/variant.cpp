// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/variant.h"

#include <algorithm>
#include <charconv>

namespace apertune::model {

namespace {

/// The number that the text is; nullopt for any other text.
std::optional<int> number(std::string_view text)
{
    int value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size() || value < 0)
        return std::nullopt;
    return value;
}

/// Whether the text is a number of slices.
bool isSlices(std::string_view text)
{
    return number(text).value_or(0) >= 2;
}

/// Whether the text is the size of a tile and the overlap of two: "128x16".
bool isTiles(std::string_view text)
{
    const auto by = text.find('x');
    if (by == std::string_view::npos)
        return false;
    const auto size = number(text.substr(0, by));
    const auto overlap = number(text.substr(by + 1));
    return size && overlap && *overlap < *size;
}

} // namespace

const std::vector<VariantKind>& variantKinds()
{
    static const std::vector<VariantKind> kKinds{{"slice", "sliced", "2,4", isSlices},
                                                 {"tile", "tiled", "128x16,256x32", isTiles}};
    return kKinds;
}

std::string toString(const Variant& variant)
{
    return variant.kind + "=" + variant.value;
}

std::string toString(const VariantSource& source)
{
    const auto& kinds = variantKinds();
    const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                   [&](const VariantKind& known) { return known.name == source.variant.kind; });
    return (kind == kinds.end() ? source.variant.kind : std::string(kind->prefix)) + ":" + source.variant.value + ":" +
           source.base;
}

std::optional<VariantSource> variantSource(const std::string& source)
{
    const VariantKind* const kind = variantKindOf(source);
    if (!kind)
        return std::nullopt;
    const std::string rest = source.substr(kind->prefix.size() + 1);
    const auto colon = rest.find(':');
    if (colon == std::string::npos || colon + 1 == rest.size() || !kind->takes(rest.substr(0, colon)))
        return std::nullopt;
    return VariantSource{{std::string(kind->name), rest.substr(0, colon)}, rest.substr(colon + 1)};
}

const VariantKind* variantKindOf(const std::string& source)
{
    for (const VariantKind& kind : variantKinds())
        if (source.starts_with(std::string(kind.prefix) + ":"))
            return &kind;
    return nullptr;
}

} // namespace apertune::model
