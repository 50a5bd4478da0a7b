// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/plot_picture.h"

#include <QPointF>
#include <QPointer>
#include <QWidget>

#include <optional>

class QMenu;
class QPushButton;

namespace apertune::controls {
class Label;
class Panel;
} // namespace apertune::controls

namespace apertune::plots {

class PlotSource;

/// The “⋯” menu of a plot: save it as PNG (once or twice the size), SVG or PDF, save its data as CSV, or copy either.
/// The context menu of the plot is the same menu, headed by the values of the point under the pointer and the command
/// line that measures it again. After saving, a note beside the button shows the result for a while. GUI thread.
class PlotActions : public QWidget
{
    Q_OBJECT
public:
    /// `view` and `source` are one object. It outlives this one, or both belong to one tree of widgets.
    PlotActions(QWidget* view, const PlotSource* source, QWidget* parent);

    /// Adds the menu to the title row of the panel around a plot. The panel's title becomes that of pictures.
    template <typename View>
    static PlotActions* addTo(controls::Panel* panel, View* view, const controls::LegendRow* legend = nullptr)
    {
        return attach(panel, view, view, legend);
    }

    /// Makes the menu for a place of the view, or for the button when there is no place. The caller owns it.
    QMenu* makeMenu(std::optional<QPointF> at);
    QPushButton* button() const { return m_button; }
    /// The note beside the button.
    QString note() const;

    void saveTo(const QString& file, double scale);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    static PlotActions* attach(controls::Panel* panel, QWidget* view, const PlotSource* source,
                               const controls::LegendRow* legend);
    PlotPicture picture() const;
    void chooseFile(const QString& suffix, double scale);
    void showMessage(bool good, const QString& text);

    QPointer<QWidget> m_view;
    const PlotSource* m_source;
    QPointer<controls::Panel> m_panel;
    const controls::LegendRow* m_legend = nullptr;
    controls::Label* m_note = nullptr;
    QPushButton* m_button = nullptr;
};

} // namespace apertune::plots
