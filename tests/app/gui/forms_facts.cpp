// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/gui/forms_facts.h"

#include "core/base/text.h"
#include "core/text/format.h"
#include "widgets/theme/format.h"
#include "widgets/trace_views/trace_labels.h"

#include <cmath>

namespace apertune::testing {

namespace {

/// `value` in the unit that `text` ends with. Minutes have two numbers, which makeFact() has no rule for.
Fact withUnit(const QString& member, double value, const QString& text,
              const std::vector<std::pair<const char*, double>>& units)
{
    for (const auto& [unit, size] : units)
        if (text.endsWith(QLatin1Char(' ') + QString::fromUtf8(unit)))
            return makeFact(member, {value / size}, text);
    return {member, text};
}

const std::vector<std::pair<const char*, double>> kMilliseconds{{"ns", 1e-6}, {"µs", 1e-3}, {"ms", 1}, {"s", 1e3}};
const std::vector<std::pair<const char*, double>> kBytes{
    {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}, {"B", 1}};

/// The numbers behind an interval that a formatter wrote with its ends, its half-width, or alone.
std::vector<double> numbersBehind(const model::Interval& interval, const QString& text)
{
    if (text.contains(QLatin1Char('[')))
        return {interval.value, interval.lo, interval.hi};
    if (interval.confidence > 0 && text.contains(QChar(0x00B1)))
        return {interval.value, (interval.hi - interval.lo) / 2};
    return {interval.value};
}

base::Nanoseconds nanoseconds(double milliseconds)
{
    return {std::llround(milliseconds * 1e6)};
}

} // namespace

namespace printed {

Fact plusMinus(const QString& member, const model::Interval& interval)
{
    const QString text = qt(text::formatPlusMinus(interval));
    return makeFact(member, numbersBehind(interval, text), text);
}

Fact certainty(const QString& member, const model::Interval& interval, double samples)
{
    const QString text = qt(text::formatCertainty(interval, static_cast<std::size_t>(samples)));
    if (interval.confidence <= 0)
        return makeFact(member, {samples}, text);
    if (text.startsWith(QLatin1Char('[')))
        return makeFact(member,
                        {(interval.lo / interval.value - 1) * 100, (interval.hi / interval.value - 1) * 100, samples},
                        text);
    return makeFact(member, {interval.relativeHalfWidth() * 100, samples}, text);
}

Fact ratio(const QString& member, const model::Interval& ratio)
{
    const QString text = qt(text::formatRatio(ratio));
    return makeFact(member, ratio.confidence > 0 ? std::vector{ratio.value, ratio.lo, ratio.hi} : std::vector<double>{},
                    text);
}

Fact significant(const QString& member, double value, int digits)
{
    return makeFact(member, {value}, qt(base::formatSignificant(value, digits)));
}

Fact grouped(const QString& member, double value)
{
    return makeFact(member, {value}, qt(text::formatGrouped(value, text::decimalsFor(value, 0))));
}

Fact percent(const QString& member, double share)
{
    return makeFact(member, {share * 100}, qt(base::formatPercent(share)));
}

Fact bytes(const QString& member, double count)
{
    return withUnit(member, count, qt(base::formatBytes({static_cast<std::int64_t>(count)})), kBytes);
}

Fact duration(const QString& member, double milliseconds)
{
    return withUnit(member, milliseconds, qt(base::formatDuration(nanoseconds(milliseconds))), kMilliseconds);
}

Fact whole(const QString& member, double count)
{
    return makeFact(member, {count}, QString::number(static_cast<qint64>(count)));
}

} // namespace printed

namespace shown {

Fact number(const QString& member, double value, int digits)
{
    return makeFact(member, {value}, theme::number(value, digits));
}

Fact certainty(const QString& member, const model::Interval& interval, const QString& unit)
{
    const QString text = theme::certainty(interval, 1, unit);
    if (interval.confidence <= 0)
        return makeFact(member, {}, text);
    return makeFact(member,
                    text.startsWith(QLatin1Char('[')) ? std::vector{interval.lo, interval.hi}
                                                      : std::vector{interval.relativeHalfWidth() * 100},
                    text);
}

Fact bounds(const QString& member, const model::Interval& interval, int digits)
{
    return makeFact(member, {interval.lo, interval.hi}, theme::bounds(interval, 1, digits));
}

Fact percent(const QString& member, double share, int digits)
{
    return makeFact(member, {share * 100}, theme::percent(share, digits));
}

Fact shareBar(const QString& member, double share)
{
    return percent(member, share, share < 0.1 ? 2 : 3);
}

Fact bytes(const QString& member, double count)
{
    return withUnit(member, count, theme::bytes({static_cast<std::int64_t>(count)}), kBytes);
}

Fact mebibytes(const QString& member, double bytes)
{
    return makeFact(member, {bytes / 0x1p20}, theme::count(std::llround(bytes / 0x1p20)));
}

Fact duration(const QString& member, double milliseconds)
{
    return withUnit(member, milliseconds, theme::duration(nanoseconds(milliseconds)), kMilliseconds);
}

Fact time(const QString& member, double milliseconds)
{
    return withUnit(member, milliseconds, trace_views::timeWord(nanoseconds(milliseconds).count), kMilliseconds);
}

Fact count(const QString& member, double count)
{
    return makeFact(member, {count}, theme::count(static_cast<qint64>(count)));
}

} // namespace shown

} // namespace apertune::testing
