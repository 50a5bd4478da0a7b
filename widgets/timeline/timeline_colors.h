// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/work_class.h"
#include "widgets/theme/tokens.h"

#include <QColor>

namespace apertune::timeline {

/// Fill of an event's box. Twelve hues that keep apart on the scheme's panel; what is only a frame around work
/// (calls, annotations) stays quiet.
QColor classColor(analysis::WorkClass workClass, theme::Scheme scheme);

/// The one hue of a row's bars, where many events share a column.
QColor rowColor(trace::EventKind kind, theme::Scheme scheme);

/// What a search does not keep.
QColor greyedColor(theme::Scheme scheme);

} // namespace apertune::timeline
