// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/images/preprocess.h"

#include "core/base/errors.h"
#include "core/workload/images/errors.h"

#include <algorithm>
#include <cmath>

namespace apertune::workload {

namespace {

double kernel(ResizeFilter filter, double x)
{
    x = std::abs(x);
    if (filter == ResizeFilter::bilinear)
        return x < 1 ? 1 - x : 0;
    constexpr double a = -0.5; // Pillow and torchvision use this cubic
    if (x < 1)
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
}

} // namespace

base::Status check(const PreprocessRecipe& recipe)
{
    const auto side = [](int value) { return value >= 1 && value <= kLargestSide; };
    if (!side(recipe.height) || !side(recipe.width) || recipe.resize < 0 || recipe.resize > kLargestSide)
        return base::Error{base::ErrorCode::invalidArgument,
                           base::message<image_errors::kNoSize>(),
                           {},
                           base::message<base::errors::kImportModelAgain>()};
    if (recipe.resize > 0 && recipe.resize < std::max(recipe.height, recipe.width))
        return base::Error{base::ErrorCode::invalidArgument,
                           base::message<image_errors::kTooSmall>(recipe.resize),
                           {},
                           base::message<base::errors::kImportModelAgain>()};
    for (const float deviation : recipe.deviation)
        if (!(deviation > 0))
            return base::Error{base::ErrorCode::invalidArgument,
                               base::message<image_errors::kNoDeviation>(),
                               {},
                               base::message<base::errors::kImportModelAgain>()};
    return {};
}

Preprocessor::Axis Preprocessor::axis(int source, int scaled, int offset, int target) const
{
    const double scale = static_cast<double>(source) / scaled;
    // A downscaling filter has to cover all source pixels of a target pixel.
    const double stretch = std::max(1.0, scale);
    const double support = (m_recipe.filter == ResizeFilter::bilinear ? 1.0 : 2.0) * stretch;
    Axis axis;
    axis.stride = static_cast<std::size_t>(std::ceil(support)) * 2 + 1;
    axis.weights.resize(axis.stride * static_cast<std::size_t>(target));
    for (int i = 0; i < target; ++i) {
        const double centre = (i + offset + 0.5) * scale;
        // Bounds, centres and normalized weights are those of Pillow's resampling (precompute_coeffs()).
        const int first = std::max(0, static_cast<int>(centre - support + 0.5));
        const int last = std::min(source, static_cast<int>(centre + support + 0.5));
        float* weights = axis.weights.data() + axis.stride * static_cast<std::size_t>(i);
        double sum = 0;
        for (int k = first; k < last; ++k)
            sum += kernel(m_recipe.filter, (k - centre + 0.5) / stretch);
        for (int k = first; k < last; ++k)
            weights[k - first] = static_cast<float>(kernel(m_recipe.filter, (k - centre + 0.5) / stretch) / sum);
        axis.first.push_back(first);
        axis.count.push_back(last - first);
    }
    return axis;
}

void Preprocessor::resample(const Image& image)
{
    if (image.width != m_sourceWidth || image.height != m_sourceHeight) {
        int width = m_recipe.width;
        int height = m_recipe.height;
        if (m_recipe.resize > 0) {
            // torchvision truncates the longer side to a whole number, too.
            const int shorter = std::min(image.width, image.height);
            const auto scaled = [&](int side) {
                return side == shorter ? m_recipe.resize
                                       : static_cast<int>(static_cast<std::int64_t>(m_recipe.resize) * side / shorter);
            };
            width = scaled(image.width);
            height = scaled(image.height);
        }
        // nearbyint() rounds halves to even, as Python's round() does in torchvision's center_crop().
        const auto middle = [](int all, int part) { return static_cast<int>(std::nearbyint((all - part) / 2.0)); };
        m_across = axis(image.width, width, middle(width, m_recipe.width), m_recipe.width);
        m_down = axis(image.height, height, middle(height, m_recipe.height), m_recipe.height);
        m_sourceWidth = image.width;
        m_sourceHeight = image.height;
    }
    // First pass: scale the needed rows horizontally. Second pass: combine them vertically.
    const auto rowValues = static_cast<std::size_t>(m_recipe.width) * 3;
    const int top = m_down.first.front();
    const int bottom = m_down.first.back() + m_down.count.back();
    m_rows.resize(rowValues * static_cast<std::size_t>(bottom - top));
    const std::size_t stride = static_cast<std::size_t>(image.width) * 3;
    for (int y = top; y < bottom; ++y) {
        const std::uint8_t* row = image.rgb.data() + static_cast<std::size_t>(y) * stride;
        float* out = m_rows.data() + rowValues * static_cast<std::size_t>(y - top);
        for (std::size_t x = 0; x < m_across.first.size(); ++x, out += 3) {
            const std::uint8_t* in = row + static_cast<std::size_t>(m_across.first[x]) * 3;
            const float* weights = m_across.weights.data() + x * m_across.stride;
            float red = 0, green = 0, blue = 0;
            for (int k = 0; k < m_across.count[x]; ++k, in += 3) {
                red += weights[k] * static_cast<float>(in[0]);
                green += weights[k] * static_cast<float>(in[1]);
                blue += weights[k] * static_cast<float>(in[2]);
            }
            out[0] = red;
            out[1] = green;
            out[2] = blue;
        }
    }
    m_result.assign(rowValues * static_cast<std::size_t>(m_recipe.height), 0.0F);
    for (std::size_t y = 0; y < m_down.first.size(); ++y) {
        float* out = m_result.data() + rowValues * y;
        const float* weights = m_down.weights.data() + y * m_down.stride;
        for (int k = 0; k < m_down.count[y]; ++k) {
            const float* in = m_rows.data() + rowValues * static_cast<std::size_t>(m_down.first[y] + k - top);
            const float weight = weights[k];
            for (std::size_t i = 0; i < rowValues; ++i)
                out[i] += weight * in[i];
        }
    }
}

void Preprocessor::run(const Image& image, float* planes)
{
    resample(image);
    const std::size_t count = m_recipe.pixels();
    for (std::size_t c = 0; c < 3; ++c) {
        const float scale = 1.0F / (255.0F * m_recipe.deviation[c]);
        const float shift = m_recipe.mean[c] / m_recipe.deviation[c];
        float* plane = planes + c * count;
        const float* in = m_result.data() + c;
        // A cubic overshoots at edges: its values are clamped to what a pixel can hold.
        for (std::size_t i = 0; i < count; ++i)
            plane[i] = std::clamp(in[i * 3], 0.0F, 255.0F) * scale - shift;
    }
}

void Preprocessor::runPixels(const Image& image, std::uint8_t* pixels)
{
    resample(image);
    for (std::size_t i = 0; i < m_result.size(); ++i)
        pixels[i] = static_cast<std::uint8_t>(std::clamp(m_result[i], 0.0F, 255.0F) + 0.5F);
}

} // namespace apertune::workload
