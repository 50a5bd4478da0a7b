// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "tests/app/gui/forms.h"

namespace apertune::testing {

/// Facts as the terminal and the HTML report write them. Times are in milliseconds.
namespace printed {
Fact plusMinus(const QString& member, const model::Interval& interval);
Fact certainty(const QString& member, const model::Interval& interval, double samples);
Fact ratio(const QString& member, const model::Interval& ratio);
Fact significant(const QString& member, double value, int digits = 4);
Fact grouped(const QString& member, double value); ///< four significant digits with blanks between thousands
Fact percent(const QString& member, double share);
Fact bytes(const QString& member, double count);
Fact duration(const QString& member, double milliseconds);
Fact whole(const QString& member, double count);
} // namespace printed

/// Facts as the window writes them. Times are in milliseconds.
namespace shown {
Fact number(const QString& member, double value, int digits = 4);
Fact certainty(const QString& member, const model::Interval& interval, const QString& unit);
Fact bounds(const QString& member, const model::Interval& interval, int digits = 4);
Fact percent(const QString& member, double share, int digits);
Fact shareBar(const QString& member, double share); ///< the text has two digits below a tenth, else three
Fact bytes(const QString& member, double count);
Fact mebibytes(const QString& member, double bytes); ///< whole MiB, without the unit
Fact duration(const QString& member, double milliseconds);
Fact time(const QString& member, double milliseconds); ///< duration of an event of a trace
Fact count(const QString& member, double count);
} // namespace shown

} // namespace apertune::testing
