// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_colors.h"

#include <array>

namespace apertune::timeline {

using analysis::WorkClass;
using trace::EventKind;

QColor classColor(WorkClass workClass, theme::Scheme scheme)
{
    // In the order of WorkClass: other, matrix, convolution, attention, normalization, elementwise, reduction, copy,
    // fill, launch, wait, allocation, call, annotation, recorder, communication.
    static constexpr std::array<unsigned, analysis::kWorkClasses> dark{
        0x7F8B99, 0x4F9FE0, 0xE3A92B, 0xDB86B6, 0x35B58C, 0xCFC257, 0xE97F4B, 0xA993DE,
        0x6E7F95, 0x5F8FB8, 0xC2675F, 0xB4845A, 0x56677A, 0x34465C, 0x4A5563, 0x2FA8B8};
    static constexpr std::array<unsigned, analysis::kWorkClasses> light{
        0xB3BDC8, 0x7FBAEC, 0xF0BE4C, 0xE7A6CB, 0x74CDAB, 0xE3D770, 0xF2A075, 0xC5B3EC,
        0xB5C1CF, 0x9BBFDD, 0xE39A92, 0xD9B48F, 0xC2CCD7, 0xD5E0EC, 0xCDD4DC, 0x7CCBD5};
    const auto index = static_cast<std::size_t>(workClass);
    return QColor::fromRgb(0xff000000U | (scheme == theme::Scheme::dark ? dark[index] : light[index]));
}

QColor rowColor(EventKind kind, theme::Scheme scheme)
{
    switch (kind) {
    case EventKind::kernel:
    case EventKind::graphLaunch:
    case EventKind::operatorCall: // work of every class: the hue of none
        return theme::mixed(theme::tokensOf(scheme).text3, theme::tokensOf(scheme).panel, 0.25);
    case EventKind::copy:
        return classColor(WorkClass::copy, scheme);
    case EventKind::runtimeCall:
    case EventKind::driverCall:
        return classColor(WorkClass::launch, scheme);
    case EventKind::deviceMemory:
    case EventKind::tensorMemory:
        return classColor(WorkClass::allocation, scheme);
    case EventKind::counter:
        return classColor(WorkClass::normalization, scheme);
    case EventKind::range:
    case EventKind::deviceRange:
    case EventKind::profilerRange:
    case EventKind::scriptCall:
        return theme::mixed(classColor(WorkClass::annotation, scheme), theme::tokensOf(scheme).text3, 0.45);
    default:
        return classColor(analysis::classify(kind, {}), scheme);
    }
}

QColor greyedColor(theme::Scheme scheme)
{
    const theme::Tokens& t = theme::tokensOf(scheme);
    return theme::mixed(t.panel, t.text3, 0.22);
}

} // namespace apertune::timeline
