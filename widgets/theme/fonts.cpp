// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/fonts.h"

#include <QStringList>

#include <algorithm>

namespace apertune::theme {
namespace {

int s_textSize = kDefaultTextSize;

struct Role
{
    int pixels;
    QFont::Weight weight;
};

Role roleOf(Type type)
{
    switch (type) {
    case Type::caption:
        return {11, QFont::Normal};
    case Type::body:
        return {13, QFont::Normal};
    case Type::bodyStrong:
        return {13, QFont::DemiBold};
    case Type::heading:
        return {14, QFont::DemiBold};
    case Type::title:
        return {18, QFont::DemiBold};
    case Type::figure:
        return {24, QFont::DemiBold};
    case Type::mono:
        return {12, QFont::Normal};
    }
    return {13, QFont::Normal};
}

} // namespace

QFont font(Type type)
{
    const Role role = roleOf(type);
    QFont result;
    if (type == Type::mono) {
        result.setFamilies(
            {QStringLiteral("JetBrains Mono"), QStringLiteral("DejaVu Sans Mono"), QStringLiteral("monospace")});
        result.setStyleHint(QFont::Monospace);
    } else {
        result.setFamilies({QStringLiteral("Inter"), QStringLiteral("DejaVu Sans"), QStringLiteral("sans-serif")});
        result.setStyleHint(QFont::SansSerif);
    }
    result.setPixelSize(role.pixels * s_textSize / kDefaultTextSize);
    result.setWeight(role.weight);
    return result;
}

void setTextSize(int pixels)
{
    s_textSize = std::clamp(pixels, kMinTextSize, kMaxTextSize);
}

int textSize()
{
    return s_textSize;
}

} // namespace apertune::theme
