// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/tokens.h"

#include <QWidget>

#include <vector>

namespace apertune::controls {

/// A plot's legend beside its title, where it never covers a point. It wraps to more lines when one would be too long.
class LegendRow : public QWidget
{
    Q_OBJECT
public:
    struct Entry
    {
        QString text;
        theme::Marker marker;
        bool isLine = false; ///< a line sample with a marker on it
    };

    explicit LegendRow(QWidget* parent = nullptr);
    void setEntries(std::vector<Entry> entries);
    /// The length at which a line wraps. The default fits beside a title in a window of 1280 pixels.
    void setLongestLine(int pixels);

    /// Draws the legend in a box of this size at the painter's origin.
    void paintLegend(QPainter& painter, QSize size) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Place
    {
        int x = 0;
        int line = 0;
        int end = 0; ///< x after the text
    };
    std::vector<Place> places(const QFontMetrics& metrics, int width) const;

    std::vector<Entry> m_entries;
    int m_longestLine = 520;
};

} // namespace apertune::controls
