// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/shell/options.h"

#include "app/gui/shell/page_table.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/format.h"

#include <QRegularExpression>

namespace apertune::gui {
namespace {

base::Error bad(const QString& message)
{
    return base::plainError(base::ErrorCode::invalidArgument, theme::toStd(message), {},
                            theme::toStd(QObject::tr("See apertune-gui --help.")));
}

/// The names of all pages, a few in each line.
QStringList pageNames()
{
    constexpr qsizetype kWidth = 72;
    QStringList lines;
    for (const PageSpec& page : pageTable()) {
        const QString name = page.id.text();
        // The list is wrapped to the width of a terminal.
        if (lines.isEmpty() || lines.last().size() + name.size() > kWidth)
            lines << name;
        else
            lines.last() += QStringLiteral(", ") + name;
    }
    return lines;
}

} // namespace

QString usage()
{
    const QString text = QStringLiteral(
        "Usage: apertune-gui [WORKSPACE | TRACE] [options]\n"
        "  WORKSPACE, --store FILE     workspace to open (default: the one `apertune` uses)\n"
        "  TRACE, --trace FILE         recording to show (.json, .json.gz of the PyTorch profiler, .sqlite of nsys)\n"
        "  --trace trN                 trace of the workspace to show, as `apertune trace list` lists it\n"
        "  --tab NAME                  its part to show: bottleneck, timeline, kernels, flame, operators, roofline,\n"
        "                              memory, transfers, difference, whatif, events\n"
        "  --study N                   study to show, as `apertune study list` lists it (default: the latest)\n"
        "  --page NAME                 %1\n"
        "  --theme dark|light|system   for this run\n"
        "  --contrast normal|more      for this run\n"
        "  --language en|pseudo        for this run; pseudo shows which texts can be translated, 40 % longer\n"
        "  --text-size PX              for this run (default: 13)\n"
        "  --size WxH                  window size (default: 1440x900)\n"
        "  --screenshot FILE.png       write a picture of the page once its data is there, then exit\n"
        "  --safe-mode                 neither read nor write settings\n"
        "  --quit-after-first-paint    print the milliseconds from process start to first paint, then exit\n"
        "  --help, --version\n");
    return text.arg(pageNames().join(QStringLiteral(",\n                              ")));
}

base::Result<Options> parseOptions(const QStringList& arguments)
{
    Options options;
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        QString word = arguments.at(i);
        QString value;
        const qsizetype equals = word.indexOf(QLatin1Char('='));
        // "--name=value" and "--name value" are the same.
        const bool inlineValue = word.startsWith(QStringLiteral("--")) && equals > 0;
        if (inlineValue) {
            value = word.mid(equals + 1);
            word = word.left(equals);
        }
        if (word == QStringLiteral("--quit-after-first-paint")) {
            options.quitAfterFirstPaint = true;
            continue;
        }
        if (word == QStringLiteral("--safe-mode")) {
            options.safeMode = true;
            continue;
        }
        // A word without dashes is a file: a recording by its ending, else a workspace.
        if (!word.startsWith(QLatin1Char('-'))) {
            if (AppContext::isTraceName(word) && options.trace.isEmpty()) {
                options.trace = word;
                continue;
            }
            if (!options.workspace.isEmpty())
                return bad(QStringLiteral("Two workspaces were given: %1 and %2.").arg(options.workspace, word));
            options.workspace = word;
            continue;
        }
        if (!inlineValue) {
            if (i + 1 >= arguments.size())
                return bad(QStringLiteral("%1 needs a value, or is not an option.").arg(word));
            value = arguments.at(++i);
        }
        if (word == QStringLiteral("--store")) {
            options.workspace = value;
        } else if (word == QStringLiteral("--study")) {
            bool ok = false;
            // "s3" and "3" name the same study.
            const QString digits = value.startsWith(QLatin1Char('s')) ? value.mid(1) : value;
            options.study = model::StudyId{digits.toLongLong(&ok)};
            if (!ok || options.study.value < 1)
                return bad(
                    QStringLiteral("Invalid value for --study: “%1”. Expected: the number of a study, such as s3.")
                        .arg(value));
        } else if (word == QStringLiteral("--page")) {
            const PageSpec* page = findPage(pageTable(), value);
            if (page == nullptr)
                return bad(QStringLiteral("Invalid value for --page: “%1”. There is no such page.").arg(value));
            options.page = page->id;
            options.pageGiven = true;
        } else if (word == QStringLiteral("--theme")) {
            if (value != QStringLiteral("dark") && value != QStringLiteral("light") &&
                value != QStringLiteral("system")) {
                return bad(
                    QStringLiteral("Invalid value for --theme: “%1”. Expected: dark, light or system.").arg(value));
            }
            options.theme = value == QStringLiteral("dark")    ? theme::Preference::dark
                            : value == QStringLiteral("light") ? theme::Preference::light
                                                               : theme::Preference::system;
        } else if (word == QStringLiteral("--contrast")) {
            if (value != QStringLiteral("normal") && value != QStringLiteral("more"))
                return bad(QStringLiteral("Invalid value for --contrast: “%1”. Expected: normal or more.").arg(value));
            options.contrast = value == QStringLiteral("more") ? theme::Contrast::more : theme::Contrast::normal;
        } else if (word == QStringLiteral("--language")) {
            if (value != QStringLiteral("en") && value != QStringLiteral("pseudo"))
                return bad(QStringLiteral("Invalid value for --language: “%1”. Expected: en or pseudo.").arg(value));
            options.pseudoLanguage = value == QStringLiteral("pseudo");
        } else if (word == QStringLiteral("--text-size")) {
            bool ok = false;
            options.textSize = value.toInt(&ok);
            if (!ok || *options.textSize < theme::kMinTextSize || *options.textSize > theme::kMaxTextSize) {
                return bad(QStringLiteral("Invalid value for --text-size: “%1”. Expected: a number from %2 to %3.")
                               .arg(value)
                               .arg(theme::kMinTextSize)
                               .arg(theme::kMaxTextSize));
            }
        } else if (word == QStringLiteral("--size")) {
            static const QRegularExpression pattern(QStringLiteral("^(\\d{3,5})x(\\d{3,5})$"));
            const QRegularExpressionMatch match = pattern.match(value);
            if (!match.hasMatch())
                return bad(
                    QStringLiteral("Invalid value for --size: “%1”. Expected: a size such as 1440x900.").arg(value));
            options.size = QSize(match.captured(1).toInt(), match.captured(2).toInt());
            options.sizeGiven = true;
        } else if (word == QStringLiteral("--trace")) {
            // A name of the workspace is "tr" and a number; all else is a file.
            static const QRegularExpression stored(QStringLiteral("^tr([1-9]\\d{0,17})$"));
            if (const QRegularExpressionMatch match = stored.match(value); match.hasMatch())
                options.storedTrace = store::TraceId{match.captured(1).toLongLong()};
            else
                options.trace = value;
        } else if (word == QStringLiteral("--tab")) {
            options.tab = value;
        } else if (word == QStringLiteral("--screenshot")) {
            options.screenshot = value;
        } else {
            return bad(QStringLiteral("There is no option %1.").arg(word));
        }
    }
    return options;
}

} // namespace apertune::gui
