// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/theme.h"
#include "widgets/trace_views/trace_colors.h"

#include <gtest/gtest.h>

namespace apertune::trace_views {

TEST(TraceColors, TextReadsOnEveryClassAndClassesStandOutFromThePanel)
{
    for (const theme::Scheme scheme : {theme::Scheme::dark, theme::Scheme::light}) {
        for (std::size_t i = 0; i < analysis::kWorkClasses; ++i) {
            const auto workClass = static_cast<analysis::WorkClass>(i);
            for (const theme::Contrast contrast : {theme::Contrast::normal, theme::Contrast::more}) {
                const QColor color = classColor(workClass, scheme, contrast);
                EXPECT_GE(theme::contrast(color, theme::readableOn(color)), 4.5) << toString(workClass);
            }
            EXPECT_GE(theme::contrast(classColor(workClass, scheme, theme::Contrast::more),
                                      theme::tokensOf(scheme, theme::Contrast::more).panel),
                      3)
                << toString(workClass);
        }
        for (const analysis::WorkClass workClass :
             {analysis::WorkClass::matrix, analysis::WorkClass::convolution, analysis::WorkClass::wait})
            EXPECT_GE(
                theme::contrast(classColor(workClass, scheme, theme::Contrast::normal), theme::tokensOf(scheme).panel),
                scheme == theme::Scheme::dark ? 3.0 : 1.5);
    }
}

} // namespace apertune::trace_views
