// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/workload/images/image.h"

#include <array>
#include <vector>

namespace apertune::workload {

enum class ResizeFilter { bilinear, bicubic };

/// The preparation of a model's input images. The shorter side is scaled to `resize`, the middle `height` × `width`
/// is cut out, and values of 0…1 become (value − mean) / deviation, one plane per channel. With resize 0 the whole
/// image is stretched to height × width.
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

/// Failures: invalidArgument (a size out of range, a deviation that is not above 0).
base::Status check(const PreprocessRecipe& recipe);

/// Prepares images for a model. The filters are those of Pillow and torchvision with antialiasing: every source pixel
/// of a scaled-down image counts. Values differ from Pillow's by at most one of 255 steps (bicubic: three), because
/// Pillow rounds and clamps between the two directions.
///
/// Thread rule: one Preprocessor per thread. It keeps its scratch memory and the weights of the last image size.
class Preprocessor
{
public:
    /// REQUIRES: check(recipe) succeeds.
    explicit Preprocessor(const PreprocessRecipe& recipe) : m_recipe(recipe) {}

    /// Writes 3 × height × width values, one plane per channel.
    /// REQUIRES: the image is not empty.
    void run(const Image& image, float* planes);

    /// Only scales and crops: writes height × width × 3 rounded bytes, for a device that normalizes by itself.
    /// REQUIRES: the image is not empty.
    void runPixels(const Image& image, std::uint8_t* pixels);

private:
    /// The source pixels of each target pixel, with their weights.
    struct Axis
    {
        std::vector<int> first;
        std::vector<int> count;
        std::vector<float> weights; ///< `stride` values for each target pixel
        std::size_t stride = 0;
    };
    Axis axis(int source, int scaled, int offset, int target) const;
    void resample(const Image& image);

    PreprocessRecipe m_recipe;
    int m_sourceWidth = 0, m_sourceHeight = 0;
    Axis m_across, m_down;
    std::vector<float> m_rows;   ///< the source rows that are needed, scaled horizontally; RGB
    std::vector<float> m_result; ///< height × width × 3, 0…255
};

} // namespace apertune::workload
