// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plot_picture.h"

#include "widgets/plots/plot_source.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <algorithm>

namespace apertune::plots {
namespace {

constexpr int kMargin = 12;

int titleHeight()
{
    return QFontMetrics(theme::font(theme::Type::bodyStrong)).height() + 2 * kMargin;
}

/// The resolution that QPicture assumes for its drawings. A painter on another device scales them by it.
int screenDpi()
{
    return QImage(1, 1, QImage::Format_RGB32).logicalDpiX();
}

QString writeBytes(const QString& file, const QByteArray& bytes)
{
    QSaveFile out(file);
    if (out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size() && out.commit())
        return {};
    return QObject::tr("Cannot write %1: %2. Choose another folder.")
        .arg(QFileInfo(file).fileName(), out.errorString());
}

} // namespace

QSize PlotPicture::wholeSize() const
{
    const bool head = !title.isEmpty() || legend;
    return {size.width() + 2 * kMargin, size.height() + kMargin + (head ? titleHeight() : kMargin)};
}

void PlotPicture::paint(QPainter& painter) const
{
    const theme::Tokens& t = theme::current();
    const QSize whole = wholeSize();
    painter.fillRect(QRect(QPoint(), whole), t.panel);
    const bool head = !title.isEmpty() || legend;
    if (head) {
        const QRect line(kMargin, 0, size.width(), titleHeight());
        painter.setFont(theme::font(theme::Type::bodyStrong));
        painter.setPen(t.text);
        painter.drawText(line, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), title);
        if (legend) {
            const QSize hint = legend->sizeHint();
            painter.save();
            painter.translate(std::max(kMargin, whole.width() - kMargin - hint.width()),
                              (line.height() - hint.height()) / 2);
            legend->paintLegend(painter, hint);
            painter.restore();
        }
    }
    painter.translate(kMargin, head ? titleHeight() : kMargin);
    source->paintPlot(painter);
}

QImage PlotPicture::image(double scale) const
{
    QImage image(wholeSize() * scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::TextAntialiasing);
    paint(painter);
    return image;
}

QString PlotPicture::write(const QString& file, double scale) const
{
    const QString suffix = QFileInfo(file).suffix().toLower();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (suffix == QStringLiteral("png")) {
        image(scale).save(&buffer, "PNG");
    } else if (suffix == QStringLiteral("svg")) {
        QSvgGenerator svg;
        svg.setOutputDevice(&buffer);
        svg.setResolution(screenDpi());
        svg.setSize(wholeSize());
        svg.setViewBox(QRect(QPoint(), wholeSize()));
        svg.setTitle(title);
        QPainter painter(&svg);
        paint(painter);
    } else if (suffix == QStringLiteral("pdf")) {
        QPdfWriter pdf(&buffer);
        pdf.setResolution(screenDpi());
        pdf.setPageSize(
            QPageSize(QSizeF(wholeSize()) * 72.0 / screenDpi(), QPageSize::Point, {}, QPageSize::ExactMatch));
        pdf.setPageMargins({});
        pdf.setTitle(title);
        QPainter painter(&pdf);
        paint(painter);
    } else {
        return QObject::tr("“%1” is neither .png, .svg nor .pdf. Give the file one of these endings.")
            .arg(QFileInfo(file).fileName());
    }
    return writeBytes(file, bytes);
}

QString PlotPicture::writeCsv(const QString& file) const
{
    return writeBytes(file, source->toCsv().toUtf8());
}

} // namespace apertune::plots
