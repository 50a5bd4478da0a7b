// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/label.h"

#include <QWidget>

#include <vector>

namespace apertune::controls {

/// Names and values below each other, with the values aligned. Hovering a line explains it. A value wraps to at most
/// four lines; a longer one is elided, and the tool tip has all of it.
class FactList : public QWidget
{
    Q_OBJECT
public:
    struct Fact
    {
        QString name;
        QString value;
        QString toolTip{};
        Tone tone = Tone::text;
        QString iconName{};
    };

    explicit FactList(QWidget* parent = nullptr);
    void setFacts(std::vector<Fact> facts);
    const std::vector<Fact>& facts() const { return m_facts; }

    /// Returns whether a value does not fit into its lines.
    bool isClipped() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    int rowHeight() const;
    int lineHeight() const;
    int nameWidth() const;
    QStringList linesOf(const Fact& fact, int width) const;
    bool isCut(const Fact& fact) const;

    std::vector<Fact> m_facts;
};

} // namespace apertune::controls
