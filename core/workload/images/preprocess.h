// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/workload/images/image.h"

#include <array>
#include <vector>

namespace apertune::workload {

enum class ResizeFilter { bilinear, bicubic };

/// What a model wants of a picture: its shorter side scaled to `resize`, the middle `height` × `width` cut out, values
/// 0…1 from which `mean` is taken and which `deviation` divides, one plane a channel. With resize 0 the whole picture
/// is stretched to height × width.
struct PreprocessRecipe
{
    int resize = 0;
    int height = 224;
    int width = 224;
    std::array<float, 3> mean{0, 0, 0};
    std::array<float, 3> deviation{1, 1, 1};
    ResizeFilter filter = ResizeFilter::bilinear;

    std::size_t pixels() const { return static_cast<std::size_t>(height) * static_cast<std::size_t>(width); }
};

/// Failures: invalidArgument (a size, or a deviation of 0).
base::Status check(const PreprocessRecipe& recipe);

/// Prepares pictures. Filters as Pillow and torchvision do with antialiasing: a scaled-down picture sees every pixel.
/// Values differ from Pillow's by one of 255 steps at most (bicubic: three), because Pillow rounds and cuts off between
/// the two directions. An own one a thread: it keeps its scratch memory and the weights for pictures of the last size.
class Preprocessor
{
public:
    /// REQUIRES: check(recipe)
    explicit Preprocessor(const PreprocessRecipe& recipe) : m_recipe(recipe) {}

    /// Writes 3 × height × width values. REQUIRES: the image is not empty.
    void run(const Image& image, float* planes);

    /// Only scales and cuts: height × width × 3 bytes, rounded, for a device that does the rest.
    void runPixels(const Image& image, std::uint8_t* pixels);

private:
    /// Which source pixels make a target pixel, and how much of each.
    struct Axis
    {
        std::vector<int> first;
        std::vector<int> count;
        std::vector<float> weights; ///< `stride` for each target pixel
        std::size_t stride = 0;
    };
    Axis axis(int source, int scaled, int offset, int target) const;
    void resample(const Image& image);

    PreprocessRecipe m_recipe;
    int m_sourceWidth = 0, m_sourceHeight = 0;
    Axis m_across, m_down;
    std::vector<float> m_rows;   ///< source rows that are needed, scaled across; RGB
    std::vector<float> m_result; ///< height × width × 3, 0…255
};

} // namespace apertune::workload
