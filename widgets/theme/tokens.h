// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/precision.h"

#include <QColor>

#include <array>

namespace apertune::theme {

enum class Scheme { dark, light };

/// The contrast of text and outlines: enough for most people, or the highest possible.
enum class Contrast { normal, more };

/// The colours of one scheme, named by their use. WCAG contrast ratios:
///
/// * Text tokens reach 4.5 on canvas, panel and raised, except text3, which is for canvas and panel only.
/// * border and focus reach 3. `line` only decorates.
/// * With more contrast all text reaches 7 on all three, and `line` 3 on the panel.
struct Tokens
{
    QColor canvas; ///< background of the window
    QColor panel;  ///< cards, tables, plots
    QColor raised; ///< headers, buttons, hovered rows
    QColor line;   ///< hairlines between things
    QColor border; ///< outlines of controls that can be edited or pressed
    QColor text, text2, text3;
    QColor accent, onAccent; ///< the colour of actions, and the colour of text on it
    QColor good, warn, bad;
    QColor selection;    ///< background of selected rows
    QColor accentSoft;   ///< accent mixed into the panel, a tint
    QColor plotGrid;     ///< a colour between line and panel
    QColor missing;      ///< heat-map cells without a value
    QColor missingHatch; ///< the hatch over failed cells
};

/// Returns the tokens of a scheme.
const Tokens& tokensOf(Scheme scheme, Contrast contrast = Contrast::normal);

/// Marker of a precision: the same shape and colour in every view, never colour alone.
enum class Shape { circle, square, triangle, diamond, pentagon, hexagon, cross };

struct Marker
{
    Shape shape = Shape::circle;
    QColor color;
};

Marker precisionMarker(model::Precision precision, Scheme scheme);

/// Returns the colour of the n-th of several items without a colour of their own (devices, levels). Colours repeat
/// after six.
QColor categoryColor(int n, Scheme scheme);

/// Returns the colour of Viridis for t in 0…1 (clamped): dark blue to yellow, the same in both schemes.
QColor sequentialColor(double t);

/// Returns black or white, whichever has more contrast on `background`.
QColor readableOn(const QColor& background);

/// Returns the WCAG 2 contrast ratio, 1…21. Alpha is ignored.
double contrast(const QColor& a, const QColor& b);

/// Returns the mixture of 1 − `share` of `a` and `share` (0…1) of `b`.
QColor mixed(const QColor& a, const QColor& b, double share);

} // namespace apertune::theme
