// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sentences/sentences.h"
#include "core/workload/images/jpeg.h"
#include "core/workload/images/preprocess.h"
#include "core/workload/images/synthetic_image.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace apertune::workload {
namespace {

Image pattern(int width, int height)
{
    Image image{width, height, {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < 3; ++c)
                image.rgb.push_back(static_cast<std::uint8_t>((x * x * (c + 3) + y * 37 * (c + 1) + x * y * 5) % 256));
    return image;
}

double meanDifference(const Image& a, const Image& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.rgb.size(); ++i)
        sum += std::abs(static_cast<int>(a.rgb[i]) - static_cast<int>(b.rgb[i]));
    return sum / static_cast<double>(a.rgb.size());
}

TEST(Jpeg, OfAPhotographLikePictureComesBackNearlyAsItWas)
{
    const Image made = syntheticImage(7, 320, 240);
    const auto file = encodeJpeg(made, 90);
    ASSERT_TRUE(file) << sentences::describe(file.error());
    EXPECT_LT(file->size(), made.rgb.size() / 3) << "it is compressed";
    const auto read = decodeJpeg(*file);
    ASSERT_TRUE(read) << sentences::describe(read.error());
    ASSERT_EQ(read->width, 320);
    ASSERT_EQ(read->height, 240);
    ASSERT_EQ(read->rgb.size(), made.rgb.size());
    EXPECT_LT(meanDifference(made, *read), 12);
}

TEST(Jpeg, ThatIsCutOrNoneIsRefusedWithWhatToDo)
{
    const auto file = encodeJpeg(syntheticImage(1, 64, 48));
    ASSERT_TRUE(file);
    for (const std::size_t kept : {file->size() / 2, std::size_t{20}, std::size_t{2}, std::size_t{0}}) {
        const auto read = decodeJpeg(std::span(*file).first(kept));
        ASSERT_FALSE(read) << kept;
        EXPECT_EQ(read.error().code, base::ErrorCode::corrupt);
        EXPECT_FALSE(read.error().hint.empty());
    }
    JpegBytes noise(500, 0x55);
    EXPECT_FALSE(decodeJpeg(noise));
    EXPECT_FALSE(encodeJpeg(syntheticImage(1, 8, 8), 0));
}

TEST(SyntheticPictures, AreEqualForEqualSeedsAndDifferentForOthers)
{
    const Image a = syntheticImage(3, 90, 70);
    EXPECT_EQ(a.rgb, syntheticImage(3, 90, 70).rgb);
    EXPECT_GT(meanDifference(a, syntheticImage(4, 90, 70)), 10);
    // A picture of one colour would compress to nothing and cost nothing to decode.
    const double mean = std::accumulate(a.rgb.begin(), a.rgb.end(), 0.0) / static_cast<double>(a.rgb.size());
    double spread = 0;
    for (const std::uint8_t value : a.rgb)
        spread += std::pow(value - mean, 2);
    EXPECT_GT(std::sqrt(spread / static_cast<double>(a.rgb.size())), 20);
    EXPECT_EQ(syntheticImage(1, 1, 1).rgb.size(), 3U);
}

/// The diagonal of what Pillow 13 makes of pattern(width, height): Image.resize (of the shorter side) and the middle.
struct Golden
{
    int width, height;
    PreprocessRecipe recipe;
    std::vector<int> diagonal; ///< red, green and blue of each pixel
    double tolerance;
};

std::vector<Golden> pillow()
{
    const auto recipe = [](int resize, int side, ResizeFilter filter) {
        PreprocessRecipe r;
        r.resize = resize;
        r.height = r.width = side;
        r.filter = filter;
        return r;
    };
    PreprocessRecipe stretched = recipe(0, 10, ResizeFilter::bilinear);
    stretched.height = 12;
    return {
        {37,
         23,
         recipe(12, 8, ResizeFilter::bilinear),
         {140, 155, 122, 139, 107, 105, 105, 129, 158, 131, 121, 97,
          125, 123, 183, 137, 166, 141, 134, 93,  157, 116, 149, 116},
         1.0},
        {37,
         23,
         recipe(12, 8, ResizeFilter::bicubic),
         {139, 156, 123, 139, 99,  105, 103, 127, 165, 135, 120, 93,
          127, 124, 195, 134, 173, 146, 135, 83,  162, 102, 156, 119},
         3.0},
        {9,
         14,
         recipe(20, 16, ResizeFilter::bilinear),
         {136, 173, 129, 164, 99,  191, 197, 101, 198, 232, 153, 153, 141, 174, 136, 69,
          119, 98,  103, 81,  60,  151, 150, 148, 202, 166, 185, 187, 91,  131, 92,  120,
          154, 121, 158, 105, 180, 93,  133, 103, 99,  102, 74,  61,  117, 133, 60,  119},
         1.0},
        {9,
         14,
         recipe(20, 16, ResizeFilter::bicubic),
         {134, 195, 115, 164, 89,  204, 203, 94,  223, 253, 172, 144, 143, 195, 134, 51,
          117, 86,  102, 77,  35,  149, 168, 154, 207, 182, 200, 204, 66,  128, 71,  119,
          171, 112, 181, 102, 200, 80,  146, 99,  96,  103, 60,  50,  129, 143, 42,  128},
         3.0},
        {37,
         23,
         stretched,
         {43,  72,  85, 133, 135, 113, 149, 128, 112, 151, 148, 122, 111, 125, 147,
          122, 121, 85, 135, 96,  137, 137, 147, 107, 104, 127, 150, 109, 116, 124},
         1.0},
    };
}

TEST(Preprocessing, MakesOfAPictureWhatPillowMakes)
{
    for (const Golden& golden : pillow()) {
        Preprocessor preprocessor(golden.recipe);
        std::vector<std::uint8_t> pixels(golden.recipe.pixels() * 3);
        std::vector<float> planes(golden.recipe.pixels() * 3);
        const Image image = pattern(golden.width, golden.height);
        preprocessor.run(image, planes.data());
        preprocessor.runPixels(image, pixels.data());
        for (std::size_t i = 0; i < golden.diagonal.size(); ++i) {
            const std::size_t c = i % 3;
            const std::size_t at = i / 3 * static_cast<std::size_t>(golden.recipe.width) + i / 3;
            EXPECT_NEAR(planes[c * golden.recipe.pixels() + at] * 255, golden.diagonal[i], golden.tolerance)
                << golden.width << " to " << golden.recipe.width << ", value " << i;
            EXPECT_NEAR(pixels[at * 3 + c], golden.diagonal[i], golden.tolerance + 0.5);
        }
    }
}

TEST(Preprocessing, TakesTheMeanAndDividesByTheDeviation)
{
    PreprocessRecipe recipe;
    recipe.height = recipe.width = 4;
    recipe.mean = {0.5F, 0.25F, 0};
    recipe.deviation = {0.5F, 0.25F, 2};
    ASSERT_TRUE(check(recipe));
    Image white{6, 5, std::vector<std::uint8_t>(90, 255)};
    std::vector<float> planes(48);
    Preprocessor(recipe).run(white, planes.data());
    for (std::size_t i = 0; i < 16; ++i) {
        EXPECT_NEAR(planes[i], 1, 1e-5);
        EXPECT_NEAR(planes[16 + i], 3, 1e-5);
        EXPECT_NEAR(planes[32 + i], 0.5, 1e-5);
    }
}

TEST(Preprocessing, OfPicturesOfSeveralSizesByOnePreprocessorIsThatOfEach)
{
    PreprocessRecipe recipe;
    recipe.resize = 12;
    recipe.height = recipe.width = 10;
    Preprocessor one(recipe);
    for (const auto& [width, height] : {std::pair(40, 30), std::pair(30, 40), std::pair(12, 12), std::pair(40, 30)}) {
        std::vector<float> shared(300);
        std::vector<float> own(300);
        one.run(pattern(width, height), shared.data());
        Preprocessor(recipe).run(pattern(width, height), own.data());
        EXPECT_EQ(shared, own);
    }
}

TEST(Preprocessing, ThatMakesNoSenseIsRefused)
{
    PreprocessRecipe recipe;
    EXPECT_TRUE(check(recipe));
    recipe.resize = 100;
    EXPECT_FALSE(check(recipe)) << "smaller than what is cut out of it";
    recipe = {};
    recipe.deviation[1] = 0;
    EXPECT_FALSE(check(recipe));
    recipe = {};
    recipe.width = 0;
    EXPECT_FALSE(check(recipe));
}

} // namespace
} // namespace apertune::workload
