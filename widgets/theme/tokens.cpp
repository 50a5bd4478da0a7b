// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/tokens.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace apertune::theme {
namespace {

QColor rgb(unsigned value)
{
    return QColor::fromRgb(static_cast<QRgb>(0xff000000u | value));
}

Tokens makeDark()
{
    Tokens t;
    t.canvas = rgb(0x0E1116);
    t.panel = rgb(0x151A21);
    t.raised = rgb(0x1D242D);
    t.line = rgb(0x2B343F);
    t.border = rgb(0x6A7786);
    t.text = rgb(0xE7ECF2);
    t.text2 = rgb(0xA3B0BE);
    t.text3 = rgb(0x7D8B9A);
    t.accent = rgb(0x5AA9FF);
    t.onAccent = rgb(0x0B1420);
    t.good = rgb(0x3FBF8F);
    t.warn = rgb(0xE5B04A);
    t.bad = rgb(0xF0705F);
    t.selection = rgb(0x1F3D66);
    t.accentSoft = rgb(0x1A2C44);
    t.plotGrid = rgb(0x222A34);
    t.missing = rgb(0x1A2029);
    t.missingHatch = rgb(0x3A4552);
    return t;
}

Tokens makeLight()
{
    Tokens t;
    t.canvas = rgb(0xF5F6F8);
    t.panel = rgb(0xFFFFFF);
    t.raised = rgb(0xECEFF3);
    t.line = rgb(0xD6DCE3);
    t.border = rgb(0x7C8793);
    t.text = rgb(0x17202B);
    t.text2 = rgb(0x4A5664);
    t.text3 = rgb(0x66727F);
    t.accent = rgb(0x1A66D6);
    t.onAccent = rgb(0xFFFFFF);
    t.good = rgb(0x0E7C57);
    t.warn = rgb(0x8F5F00);
    t.bad = rgb(0xC0392B);
    t.selection = rgb(0xCFE1FF);
    t.accentSoft = rgb(0xE6F0FF);
    t.plotGrid = rgb(0xE6EAEF);
    t.missing = rgb(0xEEF1F4);
    t.missingHatch = rgb(0xC3CBD4);
    return t;
}

Tokens makeDarkContrast()
{
    Tokens t = makeDark();
    t.canvas = rgb(0x000000);
    t.panel = rgb(0x05070A);
    t.raised = rgb(0x161C24);
    t.line = rgb(0x76838F);
    t.border = rgb(0xC3CDD7);
    t.text = rgb(0xFFFFFF);
    t.text2 = rgb(0xDEE5EC);
    t.text3 = rgb(0xC3CDD7);
    t.accent = rgb(0x8CC5FF);
    t.onAccent = rgb(0x000000);
    t.good = rgb(0x63E2B0);
    t.warn = rgb(0xFFD073);
    t.bad = rgb(0xFFA094);
    t.selection = rgb(0x0D3F82);
    t.accentSoft = rgb(0x0C2A52);
    t.plotGrid = rgb(0x3A4552);
    t.missing = rgb(0x12171E);
    t.missingHatch = rgb(0x7D8B9A);
    return t;
}

Tokens makeLightContrast()
{
    Tokens t = makeLight();
    t.canvas = rgb(0xFFFFFF);
    t.panel = rgb(0xFFFFFF);
    t.raised = rgb(0xF0F2F5);
    t.line = rgb(0x77828E);
    t.border = rgb(0x2E3742);
    t.text = rgb(0x000000);
    t.text2 = rgb(0x1F2833);
    t.text3 = rgb(0x333E4A);
    t.accent = rgb(0x0A419C);
    t.good = rgb(0x04523A);
    t.warn = rgb(0x5C3D00);
    t.bad = rgb(0x8A1C12);
    t.selection = rgb(0xB9D5FF);
    t.accentSoft = rgb(0xD6E6FF);
    t.plotGrid = rgb(0xC3CBD4);
    t.missing = rgb(0xEEF1F4);
    t.missingHatch = rgb(0x66727F);
    return t;
}

double linear(double channel)
{
    return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color)
{
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

QColor ramp(std::span<const unsigned> stops, double t)
{
    const double position = std::clamp(t, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
    const auto index = std::min(static_cast<std::size_t>(position), stops.size() - 2);
    return mixed(rgb(stops[index]), rgb(stops[index + 1]), position - static_cast<double>(index));
}

} // namespace

const Tokens& tokensOf(Scheme scheme, Contrast contrast)
{
    static const Tokens dark = makeDark();
    static const Tokens light = makeLight();
    static const Tokens darkContrast = makeDarkContrast();
    static const Tokens lightContrast = makeLightContrast();
    if (contrast == Contrast::more)
        return scheme == Scheme::dark ? darkContrast : lightContrast;
    return scheme == Scheme::dark ? dark : light;
}

Marker precisionMarker(model::Precision precision, Scheme scheme)
{
    const bool dark = scheme == Scheme::dark;
    switch (precision) {
    case model::Precision::fp32:
        return {Shape::circle, dark ? rgb(0x56B4E9) : rgb(0x2479BD)};
    case model::Precision::tf32:
        return {Shape::pentagon, dark ? rgb(0xD98AB8) : rgb(0xA8487F)};
    case model::Precision::bf16:
        return {Shape::diamond, dark ? rgb(0x34BC92) : rgb(0x00805D)};
    case model::Precision::fp16:
        return {Shape::triangle, dark ? rgb(0xE9A820) : rgb(0xA66E00)};
    case model::Precision::int8:
        return {Shape::square, dark ? rgb(0xEE7B45) : rgb(0xC24E00)};
    case model::Precision::fp8:
        return {Shape::hexagon, dark ? rgb(0xA3B0BE) : rgb(0x4A5664)};
    }
    return {};
}

QColor categoryColor(int n, Scheme scheme)
{
    static constexpr std::array<unsigned, 6> dark{0x56B4E9, 0xE9A820, 0x34BC92, 0xEE7B45, 0xD98AB8, 0xA3B0BE};
    static constexpr std::array<unsigned, 6> light{0x2479BD, 0xA66E00, 0x00805D, 0xC24E00, 0xA8487F, 0x4A5664};
    const auto index = static_cast<std::size_t>(std::max(n, 0)) % dark.size();
    return rgb(scheme == Scheme::dark ? dark[index] : light[index]);
}

QColor sequentialColor(double t)
{
    static constexpr std::array<unsigned, 9> viridis{0x440154, 0x472D7B, 0x3B528B, 0x2C728E, 0x21918C,
                                                     0x28AE80, 0x5EC962, 0xADDC30, 0xFDE725};
    return ramp(viridis, t);
}

QColor readableOn(const QColor& background)
{
    const QColor dark = rgb(0x000000);
    const QColor light = rgb(0xFFFFFF);
    return contrast(background, dark) >= contrast(background, light) ? dark : light;
}

double contrast(const QColor& a, const QColor& b)
{
    const double la = luminance(a) + 0.05;
    const double lb = luminance(b) + 0.05;
    return la > lb ? la / lb : lb / la;
}

QColor mixed(const QColor& a, const QColor& b, double share)
{
    const auto channel = [share](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * share)); };
    return QColor(channel(a.red(), b.red()), channel(a.green(), b.green()), channel(a.blue(), b.blue()),
                  channel(a.alpha(), b.alpha()));
}

} // namespace apertune::theme
