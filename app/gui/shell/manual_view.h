// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextBrowser>

namespace apertune::gui {

/// Shows pages of the manual, which are Markdown, in the colours and fonts of the window. Links lead to other pages and
/// to their headings; pictures are as wide as the view at most. GUI thread.
class ManualView : public QTextBrowser
{
    Q_OBJECT
public:
    explicit ManualView(QWidget* parent);

    QVariant loadResource(int type, const QUrl& name) override;

protected:
    void doSetSource(const QUrl& name, QTextDocument::ResourceType type) override;

private:
    void dress();
    void showHeading(const QString& anchor);
};

/// Returns the anchor of a heading, as Markdown's sites make it: "The largest batch" is "the-largest-batch".
QString headingAnchor(const QString& heading);

} // namespace apertune::gui
