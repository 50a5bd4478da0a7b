// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/work_class.h"
#include "widgets/theme/tokens.h"

#include <QColor>

namespace apertune::trace_views {

/// Fill of an event's box. Twelve hues that keep apart on the scheme's panel; what is only a frame around work
/// (calls, annotations) stays quiet. With more contrast each hue is moved away from the panel to a contrast of 3.
QColor classColor(analysis::WorkClass workClass, theme::Scheme scheme, theme::Contrast contrast);
/// The same in the look of the window. GUI thread.
QColor classColor(analysis::WorkClass workClass);

/// The one hue of a row's bars, where many events share a column, in the look of the window. GUI thread.
QColor rowColor(trace::EventKind kind);

/// What a search does not keep, in the look of the window. GUI thread.
QColor greyedColor();

} // namespace apertune::trace_views
