// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/model/measurement.h"
#include "core/model/model_ref.h"

#include <QDateTime>
#include <QString>

#include <filesystem>
#include <string>
#include <string_view>

namespace apertune::theme {

// These functions format all numbers of the window: 3–4 significant digits, thin spaces between thousands, a true
// minus, '.' as the decimal point in every locale.

/// The sign for a value that does not exist. It is never written to a file: see tables/copy_text.h.
inline const QString kAbsent = QStringLiteral("–");

/// Returns a text as the window shows it: characters that hide, or that turn the direction of what stands around them,
/// become visible (base::printable()), because names come from elsewhere.
QString toQt(std::string_view text);
/// Returns the path of a file unchanged, to open it again.
QString fileToQt(const std::filesystem::path& file);
std::string toStd(const QString& text);

QString number(double value, int digits = 4);
/// Returns how many characters stand behind the decimal point of a shown number; 0 without one.
int decimalsOf(const QString& number);
QString count(qint64 value);
/// Returns the shortest exact text of an axis label: 0.5, 10, 2500.
QString tickText(double value);
/// "1 study", "3 studies"
QString counted(qint64 n, const QString& one, const QString& many);
/// 0.0421 -> "4.2 %"
QString percent(double share, int digits = 2);
/// Returns the uncertainty that is shown beside a number:
///
/// * half of its interval as a share, "± 0.6 %";
/// * the ends of an interval that reaches further than 20 % to a side, "[39.2, 120] ms", in the unit that `scale`
///   converts to;
/// * "too noisy" for an interval that is too wide (model::isTooWide());
/// * "no interval" when it has none.
QString certainty(const model::Interval& interval, double scale, const QString& unit = {});
/// Returns the ends of an interval, "[21.8, 22.1]", in the unit that `scale` converts to; "(no interval)" when it has
/// none, and "(too noisy)" when it is too wide.
QString bounds(const model::Interval& interval, double scale = 1, int digits = 4);
QString bytes(base::Bytes value);
/// Returns whole MiB without the unit, for columns and cards that name it.
QString mebibytes(base::Bytes value);
QString duration(base::Nanoseconds value);
/// 25557032 -> "25.6 M"
QString magnitude(double value);
/// "1×3×224×224"
QString shape(const std::vector<std::int64_t>& dimensions);

/// "just now", "12 min ago", "3 h ago", "yesterday", else the date.
QString relativeTime(const QDateTime& then, const QDateTime& now);
QDateTime parseUtc(const std::string& utc);

/// Returns the unit of a batch: images for the task types with image input, otherwise samples.
QString sampleWord(const model::ModelRef& model);
QString samples(const model::ModelRef& model, int n);
/// Returns the unit of throughput, "img/s" or "samples/s" (model::ModelRef::rateUnit()).
QString throughputUnit(const model::ModelRef& model);

} // namespace apertune::theme
