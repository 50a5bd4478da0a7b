// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::model {

/// A kind of variants: another way to run the module of a model, with other memory, other time and perhaps other
/// outputs. The exporter (resources/exporter/apertune_exporter/sources/variants.py) has the same kinds.
struct VariantKind
{
    std::string_view name;    ///< "slice", as users write it: slice=4
    std::string_view prefix;  ///< "sliced", as sources have it: sliced:4:torchvision:vit_b_16
    std::string_view example; ///< two values: "2,4"
    bool (*takes)(std::string_view value);
};

const std::vector<VariantKind>& variantKinds();

/// One variant of any model.
struct Variant
{
    std::string kind;  ///< VariantKind::name
    std::string value; ///< "4"

    bool operator==(const Variant&) const = default;
};

std::string toString(const Variant& variant); ///< "slice=4"

/// A source that runs another one as a variant. The outputs of `base` are the reference of its quality.
struct VariantSource
{
    Variant variant;
    std::string base; ///< source of the base model
};

std::string toString(const VariantSource& source); ///< "sliced:4:torchvision:vit_b_16"

/// Takes the source of a variant apart; nullopt for any other source.
std::optional<VariantSource> variantSource(const std::string& source);

/// Returns the kind whose sources begin like this one, whatever follows; null where none does.
const VariantKind* variantKindOf(const std::string& source);

} // namespace apertune::model
