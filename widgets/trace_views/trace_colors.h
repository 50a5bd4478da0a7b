// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/work_class.h"
#include "widgets/theme/tokens.h"

#include <QColor>

namespace apertune::trace_views {

/// Returns the fill of an event's box. Twelve hues can be distinguished on the scheme's panel; classes that only frame
/// work (calls, annotations) are muted. With more contrast, each hue is moved away from the panel to a contrast of 3.
QColor classColor(analysis::WorkClass workClass, theme::Scheme scheme, theme::Contrast contrast);
/// Returns the fill in the scheme and contrast of the window. GUI thread.
QColor classColor(analysis::WorkClass workClass);

/// Returns the hue of a row's bars, for columns that many events share. GUI thread.
QColor rowColor(trace::EventKind kind);

/// Returns the colour of events that do not match a search. GUI thread.
QColor greyedColor();

} // namespace apertune::trace_views
