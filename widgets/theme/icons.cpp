// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/icons.h"

#include "widgets/theme/theme.h"

#include <QCache>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>

#include <algorithm>
#include <cmath>

static void initIconResources()
{
    // The resources of a static library are registered only on request, and the macro has to stand outside a namespace.
    Q_INIT_RESOURCE(icons);
}

namespace apertune::theme {
namespace {

const QByteArray& source(const QString& name)
{
    static QCache<QString, QByteArray> cache(128);
    static const bool ready = (initIconResources(), true);
    Q_UNUSED(ready)
    if (QByteArray* known = cache.object(name))
        return *known;
    auto* bytes = new QByteArray;
    QFile file(QStringLiteral(":/apertune/icons/%1.svg").arg(name));
    if (file.open(QIODevice::ReadOnly))
        *bytes = file.readAll();
    cache.insert(name, bytes);
    return *bytes;
}

QPixmap render(const QString& name, const QSize& pixels, const QColor& color)
{
    static QCache<QString, QPixmap> cache(256);
    const QString key =
        QStringLiteral("%1/%2x%3/%4").arg(name).arg(pixels.width()).arg(pixels.height()).arg(color.name());
    if (QPixmap* known = cache.object(key))
        return *known;
    QByteArray svg = source(name);
    if (svg.isEmpty() || pixels.isEmpty())
        return {};
    // Qt's SVG renderer draws currentColor black.
    svg.replace("currentColor", color.name().toLatin1());
    QSvgRenderer renderer(svg);
    QPixmap pixmap(pixels);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    const double side = std::min(pixels.width(), pixels.height());
    renderer.render(&painter, QRectF((pixels.width() - side) / 2, (pixels.height() - side) / 2, side, side));
    painter.end();
    cache.insert(key, new QPixmap(pixmap));
    return pixmap;
}

class Engine final : public QIconEngine
{
public:
    explicit Engine(QString name) : m_name(std::move(name)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        const double ratio = painter->device()->devicePixelRatioF();
        QPixmap shown = pixmap(rect.size() * ratio, mode, state);
        shown.setDevicePixelRatio(ratio);
        painter->drawPixmap(rect.topLeft(), shown);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) override
    {
        const Tokens& t = current();
        return render(m_name, size, mode == QIcon::Disabled ? t.text3 : mode == QIcon::Selected ? t.text : t.text2);
    }
    QIconEngine* clone() const override { return new Engine(m_name); }

private:
    QString m_name;
};

} // namespace

QIcon icon(const QString& name)
{
    return source(name).isEmpty() ? QIcon() : QIcon(new Engine(name));
}

QPixmap iconPixmap(const QString& name, int size, const QColor& color, double devicePixelRatio)
{
    const int pixels = std::max(1, static_cast<int>(size * devicePixelRatio + 0.5));
    QPixmap pixmap = render(name, QSize(pixels, pixels), color);
    pixmap.setDevicePixelRatio(devicePixelRatio);
    return pixmap;
}

void drawIcon(QPainter& painter, const QString& name, const QRectF& rect, const QColor& color)
{
    const int side = static_cast<int>(std::min(rect.width(), rect.height()));
    const QPixmap pixmap = iconPixmap(name, side, color, painter.device()->devicePixelRatioF());
    painter.drawPixmap(QPointF(std::round(rect.center().x() - side / 2.0), std::round(rect.center().y() - side / 2.0)),
                       pixmap);
}

} // namespace apertune::theme
