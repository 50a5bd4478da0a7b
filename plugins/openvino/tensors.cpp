// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/openvino/tensors.h"

#include "plugins/support/backend.h"

#include <map>

namespace apertune::openvino {

using plugins::Fault;

namespace {

template <typename T>
void widen(const ov::Tensor& tensor, std::vector<char>& into)
{
    using Wide = std::conditional_t<std::is_integral_v<T>, std::int64_t, float>;
    into.resize(tensor.get_size() * sizeof(Wide));
    auto* out = reinterpret_cast<Wide*>(into.data());
    const T* in = static_cast<const T*>(tensor.data());
    for (std::size_t i = 0; i < tensor.get_size(); ++i)
        out[i] = static_cast<Wide>(in[i]);
}

/// The values as apertune_tensor wants them: float32 or int64.
apertune_dtype convert(const ov::Tensor& tensor, std::vector<char>& into)
{
    const ov::element::Type type = tensor.get_element_type();
    if (type == ov::element::f32)
        widen<float>(tensor, into);
    else if (type == ov::element::f64)
        widen<double>(tensor, into);
    else if (type == ov::element::f16)
        widen<ov::float16>(tensor, into);
    else if (type == ov::element::bf16)
        widen<ov::bfloat16>(tensor, into);
    else if (type == ov::element::i64)
        widen<std::int64_t>(tensor, into);
    else if (type == ov::element::i32)
        widen<std::int32_t>(tensor, into);
    else if (type == ov::element::u8 || type == ov::element::boolean)
        widen<std::uint8_t>(tensor, into);
    else if (type == ov::element::i8)
        widen<std::int8_t>(tensor, into);
    else
        throw Fault(APERTUNE_UNSUPPORTED, "An output has the element type " + type.get_type_name() + ".",
                    "Leave OpenVINO out for this model.");
    return type.is_real() ? APERTUNE_FLOAT32 : APERTUNE_INT64;
}

} // namespace

ov::element::Type elementType(const std::string& dtype)
{
    static const std::map<std::string, ov::element::Type> kTypes{
        {"float32", ov::element::f32},   {"float64", ov::element::f64}, {"float16", ov::element::f16},
        {"bfloat16", ov::element::bf16}, {"int64", ov::element::i64},   {"int32", ov::element::i32},
        {"int16", ov::element::i16},     {"int8", ov::element::i8},     {"uint8", ov::element::u8},
        {"bool", ov::element::boolean}};
    return kTypes.at(dtype);
}

apertune_dtype joined(const std::vector<ov::Tensor>& parts, std::optional<int> dim, std::vector<char>& values,
                      std::vector<std::int64_t>& shape)
{
    std::vector<std::vector<char>> plain(parts.size());
    apertune_dtype dtype = APERTUNE_FLOAT32;
    for (std::size_t part = 0; part < parts.size(); ++part)
        dtype = convert(parts[part], plain[part]);
    const ov::Shape extents = parts.front().get_shape();
    shape.assign(extents.begin(), extents.end());
    if (parts.size() == 1 || !dim || static_cast<std::size_t>(*dim) >= shape.size()) {
        values = std::move(plain.front());
        return dtype;
    }
    std::size_t outer = 1;
    for (int d = 0; d < *dim; ++d)
        outer *= static_cast<std::size_t>(shape[static_cast<std::size_t>(d)]);
    shape[static_cast<std::size_t>(*dim)] *= static_cast<std::int64_t>(parts.size());
    const std::size_t slice = outer == 0 ? 0 : plain.front().size() / outer;
    for (std::size_t o = 0; o < outer; ++o)
        for (const std::vector<char>& part : plain)
            values.insert(values.end(), part.begin() + static_cast<std::ptrdiff_t>(o * slice),
                          part.begin() + static_cast<std::ptrdiff_t>((o + 1) * slice));
    return dtype;
}

} // namespace apertune::openvino
