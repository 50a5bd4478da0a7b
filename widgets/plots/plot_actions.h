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

/// The “⋯” of a plot: save it as PNG (once or twice the size), SVG or PDF, its data as CSV, or copy either. The context
/// menu of the plot is the same menu, headed by what concerns the point under the pointer: its values and the command
/// line that measures it again. Beside the button stands for a while what was saved, or why it could not be. GUI
/// thread.
class PlotActions : public QWidget
{
    Q_OBJECT
public:
    /// `view` and `source` are one object, which outlives this one or is its relative.
    PlotActions(QWidget* view, const PlotSource* source, QWidget* parent);

    /// Adds one to the title row of the panel around a plot; the panel's title becomes that of pictures.
    template <typename View>
    static PlotActions* addTo(controls::Panel* panel, View* view, const controls::LegendRow* legend = nullptr)
    {
        return attach(panel, view, view, legend);
    }

    /// The menu for a place of the view; none: the one of the button. The caller owns it.
    QMenu* makeMenu(std::optional<QPointF> at);
    QPushButton* button() const { return m_button; }
    /// What is said beside the button.
    QString note() const;

    void saveTo(const QString& file, double scale);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    static PlotActions* attach(controls::Panel* panel, QWidget* view, const PlotSource* source,
                               const controls::LegendRow* legend);
    PlotPicture picture() const;
    void chooseFile(const QString& suffix, double scale);
    void say(bool good, const QString& text);

    QPointer<QWidget> m_view;
    const PlotSource* m_source;
    QPointer<controls::Panel> m_panel;
    const controls::LegendRow* m_legend = nullptr;
    controls::Label* m_note = nullptr;
    QPushButton* m_button = nullptr;
};

} // namespace apertune::plots
