// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/trace_views/trace_colors.h"

#include "widgets/theme/theme.h"

#include <algorithm>
#include <array>

namespace apertune::trace_views {
namespace {

using analysis::WorkClass;
using trace::EventKind;

struct ClassHue
{
    WorkClass workClass;
    QRgb dark;
    QRgb light;
};

/// The hue of each class in the two schemes: the one place to change a colour of the timeline.
constexpr std::array<ClassHue, analysis::kWorkClasses> kHues{{
    {WorkClass::other, 0xff7F8B99, 0xffB3BDC8},
    {WorkClass::matrix, 0xff4F9FE0, 0xff7FBAEC},
    {WorkClass::convolution, 0xffE3A92B, 0xffF0BE4C},
    {WorkClass::attention, 0xffDB86B6, 0xffE7A6CB},
    {WorkClass::normalization, 0xff35B58C, 0xff74CDAB},
    {WorkClass::elementwise, 0xffCFC257, 0xffE3D770},
    {WorkClass::reduction, 0xffE97F4B, 0xffF2A075},
    {WorkClass::copy, 0xffA993DE, 0xffC5B3EC},
    {WorkClass::fill, 0xff6E7F95, 0xffB5C1CF},
    {WorkClass::launch, 0xff5F8FB8, 0xff9BBFDD},
    {WorkClass::wait, 0xffC2675F, 0xffE39A92},
    {WorkClass::allocation, 0xffB4845A, 0xffD9B48F},
    {WorkClass::call, 0xff56677A, 0xffC2CCD7},
    {WorkClass::annotation, 0xff34465C, 0xffD5E0EC},
    {WorkClass::recorder, 0xff4A5563, 0xffCDD4DC},
    {WorkClass::communication, 0xff2FA8B8, 0xff7CCBD5},
}};

/// Each class stands at its own index, so a look-up needs no search.
constexpr bool isInOrder()
{
    for (std::size_t i = 0; i < kHues.size(); ++i)
        if (static_cast<std::size_t>(kHues[i].workClass) != i)
            return false;
    return true;
}
static_assert(isInOrder());

/// The colour, moved away from the ground until its contrast is at least `least`.
QColor standingOut(const QColor& color, const QColor& ground, double least)
{
    const QColor end = theme::readableOn(ground);
    for (double share = 0; share < 1; share += 0.05) {
        const QColor moved = theme::mixed(color, end, share);
        if (theme::contrast(moved, ground) >= least)
            return moved;
    }
    return end;
}

} // namespace

QColor classColor(WorkClass workClass, theme::Scheme scheme, theme::Contrast contrast)
{
    constexpr double kLeastContrast = 3; // WCAG 2.1, success criterion 1.4.11 (graphical objects)
    const ClassHue& hue = kHues[static_cast<std::size_t>(workClass)];
    const QColor color = QColor::fromRgb(scheme == theme::Scheme::dark ? hue.dark : hue.light);
    return contrast == theme::Contrast::more
               ? standingOut(color, theme::tokensOf(scheme, contrast).panel, kLeastContrast)
               : color;
}

QColor classColor(WorkClass workClass)
{
    return classColor(workClass, theme::currentScheme(), theme::Theme::instance().contrast());
}

QColor rowColor(EventKind kind)
{
    const theme::Tokens& t = theme::current();
    switch (kind) {
    case EventKind::kernel:
    case EventKind::graphLaunch:
    case EventKind::operatorCall: // work of every class: the hue of none
        return theme::mixed(t.text3, t.panel, 0.25);
    case EventKind::copy:
        return classColor(WorkClass::copy);
    case EventKind::runtimeCall:
    case EventKind::driverCall:
        return classColor(WorkClass::launch);
    case EventKind::deviceMemory:
    case EventKind::tensorMemory:
        return classColor(WorkClass::allocation);
    case EventKind::counter:
        return classColor(WorkClass::normalization);
    case EventKind::range:
    case EventKind::deviceRange:
    case EventKind::profilerRange:
    case EventKind::scriptCall:
        return theme::mixed(classColor(WorkClass::annotation), t.text3, 0.45);
    default:
        return classColor(analysis::classify(kind, {}));
    }
}

QColor greyedColor()
{
    const theme::Tokens& t = theme::current();
    return theme::mixed(t.panel, t.text3, 0.22);
}

} // namespace apertune::trace_views
