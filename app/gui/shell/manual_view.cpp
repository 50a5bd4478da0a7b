// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/shell/manual_view.h"

#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"

#include <QAbstractTextDocumentLayout>
#include <QFile>
#include <QImage>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextTable>

#include <algorithm>

namespace apertune::gui {
namespace {

constexpr int kMargin = 24;
constexpr int kCellPadding = 5;

/// Gives every table the outline and the padding of the window's own.
void dressTables(QTextFrame* frame, const theme::Tokens& t)
{
    for (QTextFrame* child : frame->childFrames()) {
        if (auto* table = qobject_cast<QTextTable*>(child)) {
            QTextTableFormat format = table->format();
            format.setBorder(1);
            format.setBorderBrush(t.line);
            format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            format.setBorderCollapse(true);
            format.setCellPadding(kCellPadding);
            format.setCellSpacing(0);
            table->setFormat(format);
        }
        dressTables(child, t);
    }
}

} // namespace

ManualView::ManualView(QWidget* parent) : QTextBrowser(parent)
{
    setAccessibleName(tr("Page of the manual"));
    setOpenExternalLinks(true);
    setFrameShape(QFrame::NoFrame);
    document()->setDocumentMargin(kMargin);
    // Colours and text size are part of the page, so it is made again.
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, [this] {
        if (!source().isEmpty())
            doSetSource(source(), QTextDocument::MarkdownResource);
    });
}

QVariant ManualView::loadResource(int type, const QUrl& name)
{
    const QUrl url = source().resolved(name);
    if (type == QTextDocument::MarkdownResource) {
        QFile file(url.toLocalFile());
        if (!file.open(QIODevice::ReadOnly))
            return {};
        // Comments mark what is generated, and are no part of the text.
        static const QRegularExpression comment(QStringLiteral("<!--.*?-->\\n?"),
                                                QRegularExpression::DotMatchesEverythingOption);
        return QString::fromUtf8(file.readAll()).remove(comment).toUtf8();
    }
    if (type == QTextDocument::ImageResource) {
        QImage image(url.toLocalFile());
        const int room = viewport()->width() - 2 * kMargin;
        if (room > 0 && image.width() > room) {
            const qreal ratio = devicePixelRatioF();
            image =
                image.scaledToWidth(std::min(image.width(), static_cast<int>(room * ratio)), Qt::SmoothTransformation);
            image.setDevicePixelRatio(static_cast<qreal>(image.width()) / room);
        }
        return image;
    }
    return QTextBrowser::loadResource(type, url);
}

void ManualView::doSetSource(const QUrl& name, QTextDocument::ResourceType type)
{
    document()->setDefaultFont(theme::font(theme::Type::body));
    QTextBrowser::doSetSource(name, type);
    dress();
    if (name.hasFragment())
        showHeading(name.fragment());
}

void ManualView::dress()
{
    const theme::Tokens& t = theme::current();
    const QFont mono = theme::font(theme::Type::mono);
    QTextCursor cursor(document());
    cursor.beginEditBlock();
    dressTables(document()->rootFrame(), t);
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        const QTextBlockFormat format = block.blockFormat();
        cursor.setPosition(block.position());
        if (format.hasProperty(QTextFormat::BlockCodeFence) || format.hasProperty(QTextFormat::BlockCodeLanguage)) {
            QTextBlockFormat code;
            code.setBackground(t.raised);
            cursor.mergeBlockFormat(code);
            cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
            QTextCharFormat text;
            text.setFont(mono);
            cursor.mergeCharFormat(text);
            continue;
        }
        // The code within sentences: Qt marks it by a fixed pitch alone.
        for (auto it = block.begin(); !it.atEnd(); ++it) {
            const QTextFragment part = it.fragment();
            if (!part.charFormat().fontFixedPitch())
                continue;
            cursor.setPosition(part.position());
            cursor.setPosition(part.position() + part.length(), QTextCursor::KeepAnchor);
            QTextCharFormat text;
            text.setFontFamilies(mono.families());
            cursor.mergeCharFormat(text);
        }
    }
    cursor.endEditBlock();
    document()->clearUndoRedoStacks();
}

void ManualView::showHeading(const QString& anchor)
{
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0 || headingAnchor(block.text()) != anchor)
            continue;
        setTextCursor(QTextCursor(block));
        const QRectF place = document()->documentLayout()->blockBoundingRect(block);
        verticalScrollBar()->setValue(static_cast<int>(place.top()));
        return;
    }
}

QString headingAnchor(const QString& heading)
{
    static const QRegularExpression dropped(QStringLiteral("[^\\w\\- ]"),
                                            QRegularExpression::UseUnicodePropertiesOption);
    return heading.toLower().remove(dropped).replace(QLatin1Char(' '), QLatin1Char('-'));
}

} // namespace apertune::gui
