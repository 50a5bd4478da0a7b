// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/label.h"

#include <QWidget>

#include <vector>

namespace apertune::controls {

/// Names and values under each other, values aligned; hovering a line explains it.
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

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    int rowHeight() const;
    int nameWidth() const;
    bool isCut(const Fact& fact) const;

    std::vector<Fact> m_facts;
};

} // namespace apertune::controls
