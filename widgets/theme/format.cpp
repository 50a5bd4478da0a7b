// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/format.h"

#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/model/usable_interval.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace apertune::theme {
namespace {

constexpr QChar kThinSpace(0x2009);
constexpr QChar kMinus(0x2212);

QString translated(const char* text, int n = -1)
{
    return QCoreApplication::translate("format", text, nullptr, n);
}

/// Groups the integer part from five digits on, so that 2914 has no space.
QString grouped(QString text)
{
    const qsizetype first = text.startsWith(QLatin1Char('-')) ? 1 : 0;
    qsizetype end = text.indexOf(QLatin1Char('.'));
    end = end < 0 ? text.size() : end;
    if (end - first > 4)
        for (qsizetype at = end - 3; at > first; at -= 3)
            text.insert(at, kThinSpace);
    if (first == 1)
        text[0] = kMinus;
    return text;
}

} // namespace

QString toQt(std::string_view text)
{
    return QString::fromStdString(base::printable(text));
}

QString fileToQt(const std::filesystem::path& file)
{
    return QString::fromStdString(file.string());
}

std::string toStd(const QString& text)
{
    return text.toStdString();
}

QString number(double value, int digits)
{
    if (!std::isfinite(value))
        return kAbsent;
    return value == 0 ? QStringLiteral("0") : grouped(toQt(base::formatSignificant(value, digits)));
}

int decimalsOf(const QString& number)
{
    const qsizetype point = number.indexOf(QLatin1Char('.'));
    return point < 0 ? 0 : static_cast<int>(number.size() - point - 1);
}

QString count(qint64 value)
{
    return grouped(QString::number(value));
}

QString tickText(double value)
{
    // Ticks are multiples of a round step. 12 digits drop the rounding error of the multiplication.
    return grouped(QString::number(std::abs(value) < 1e-12 ? 0.0 : value, 'g', 12));
}

QString counted(qint64 n, const QString& one, const QString& many)
{
    return count(n) + QLatin1Char(' ') + (n == 1 ? one : many);
}

QString percent(double share, int digits)
{
    return number(share * 100, digits) + kThinSpace + QLatin1Char('%');
}

QString certainty(const model::Interval& interval, double scale, const QString& unit)
{
    if (interval.confidence <= 0)
        return translated("no interval");
    if (model::isTooWide(interval))
        return translated("too noisy");
    if (interval.isWide())
        return bounds(interval, scale, 3) + (unit.isEmpty() ? QString() : QLatin1Char(' ') + unit);
    const double percentage = interval.relativeHalfWidth() * 100;
    const int decimals = percentage >= 10 ? 0 : percentage >= 0.095 ? 1 : 2;
    return QStringLiteral("± %1%2%").arg(QString::number(percentage, 'f', decimals), QString(kThinSpace));
}

QString bounds(const model::Interval& interval, double scale, int digits)
{
    if (interval.confidence <= 0)
        return translated("(no interval)");
    if (model::isTooWide(interval))
        return translated("(too noisy)");
    return QStringLiteral("[%1, %2]").arg(number(interval.lo * scale, digits), number(interval.hi * scale, digits));
}

QString bytes(base::Bytes value)
{
    return toQt(base::formatBytes(value));
}

QString mebibytes(base::Bytes value)
{
    return count(std::llround(static_cast<double>(value.count) / (1 << 20)));
}

QString duration(base::Nanoseconds value)
{
    QString text = toQt(base::formatDuration(value));
    return text.endsWith(QStringLiteral(" 00 s")) ? text.chopped(5) : text;
}

QString magnitude(double value)
{
    return toQt(base::formatMagnitude(value)).replace(QLatin1Char(' '), kThinSpace);
}

QString shape(const std::vector<std::int64_t>& dimensions)
{
    if (dimensions.empty())
        return translated("scalar");
    QStringList parts;
    for (const std::int64_t dimension : dimensions)
        parts << QString::number(dimension);
    return parts.join(QStringLiteral("×"));
}

QString relativeTime(const QDateTime& then, const QDateTime& now)
{
    if (!then.isValid())
        return {};
    const qint64 seconds = then.secsTo(now);
    if (seconds < 60)
        return translated("just now");
    if (seconds < 3600)
        return translated("%1 min ago").arg(seconds / 60);
    if (seconds < 24 * 3600)
        return translated("%1 h ago").arg(seconds / 3600);
    if (then.date().daysTo(now.date()) == 1)
        return translated("yesterday");
    return then.toLocalTime().date().toString(Qt::ISODate);
}

QDateTime parseUtc(const std::string& utc)
{
    return QDateTime::fromString(toQt(utc), Qt::ISODate);
}

QString sampleWord(const model::ModelRef& model)
{
    return model.takesImages() ? translated("image") : translated("sample");
}

QString samples(const model::ModelRef& model, int n)
{
    return counted(n, sampleWord(model), model.takesImages() ? translated("images") : translated("samples"));
}

QString throughputUnit(const model::ModelRef& model)
{
    return translated(std::string(base::toString(model.rateUnit())).c_str());
}

} // namespace apertune::theme
