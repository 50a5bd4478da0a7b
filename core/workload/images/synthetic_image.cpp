// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/images/synthetic_image.h"

#include "core/base/random.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace apertune::workload {

namespace {

/// Smoothly interpolated random values on a grid of `cell` pixels.
class ValueNoise
{
public:
    ValueNoise(base::Random& random, int width, int height, int cell)
        : m_cell(cell), m_columns(width / cell + 2), m_values(static_cast<std::size_t>(m_columns * (height / cell + 2)))
    {
        for (float& value : m_values)
            value = static_cast<float>(random.uniform() * 2 - 1);
    }

    float at(int x, int y) const
    {
        const float fx = smooth(static_cast<float>(x % m_cell) / static_cast<float>(m_cell));
        const float fy = smooth(static_cast<float>(y % m_cell) / static_cast<float>(m_cell));
        const auto first = static_cast<std::size_t>(y / m_cell * m_columns + x / m_cell);
        const std::size_t below = first + static_cast<std::size_t>(m_columns);
        const float top = m_values[first] + (m_values[first + 1] - m_values[first]) * fx;
        const float bottom = m_values[below] + (m_values[below + 1] - m_values[below]) * fx;
        return top + (bottom - top) * fy;
    }

private:
    static float smooth(float t) { return t * t * (3 - 2 * t); }

    int m_cell;
    int m_columns;
    std::vector<float> m_values;
};

struct Ellipse
{
    float x, y, across, down;
    std::array<float, 3> colour;
};

} // namespace

Image syntheticImage(std::uint64_t seed, int width, int height)
{
    base::Random random(seed);
    const auto side = static_cast<float>(std::max(width, height));
    std::array<std::array<float, 3>, 2> sky{};
    for (auto& colour : sky)
        for (float& channel : colour)
            channel = static_cast<float>(60 + 140 * random.uniform());
    std::vector<Ellipse> shapes(12);
    for (Ellipse& shape : shapes) {
        shape.x = static_cast<float>(random.uniform() * width);
        shape.y = static_cast<float>(random.uniform() * height);
        shape.across = side * static_cast<float>(0.03 + 0.17 * random.uniform());
        shape.down = side * static_cast<float>(0.03 + 0.17 * random.uniform());
        for (float& channel : shape.colour)
            channel = static_cast<float>(20 + 215 * random.uniform());
    }
    // The amplitude falls with the wavelength, as it does in photographs.
    std::vector<std::pair<ValueNoise, float>> texture;
    float amplitude = 40;
    for (int cell = std::max(4, static_cast<int>(side) / 4); cell >= 2; cell /= 3, amplitude *= 0.55F)
        texture.emplace_back(ValueNoise(random, width, height, cell), amplitude);

    Image image{width, height, {}};
    image.rgb.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
    std::uint8_t* out = image.rgb.data();
    for (int y = 0; y < height; ++y) {
        const float down = static_cast<float>(y) / static_cast<float>(height);
        for (int x = 0; x < width; ++x) {
            std::array<float, 3> pixel{};
            for (std::size_t c = 0; c < 3; ++c)
                pixel[c] = sky[0][c] + (sky[1][c] - sky[0][c]) * down;
            for (const Ellipse& shape : shapes) {
                const float dx = (static_cast<float>(x) - shape.x) / shape.across;
                const float dy = (static_cast<float>(y) - shape.y) / shape.down;
                if (dx * dx + dy * dy < 1)
                    pixel = shape.colour;
            }
            float light = static_cast<float>(random.uniform() * 6 - 3); // grain
            for (const auto& [noise, strength] : texture)
                light += noise.at(x, y) * strength;
            for (const float channel : pixel)
                *out++ = static_cast<std::uint8_t>(std::clamp(channel + light, 0.0F, 255.0F));
        }
    }
    return image;
}

} // namespace apertune::workload
