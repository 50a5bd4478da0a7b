// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

namespace apertune::tables {

/// What LeanDelegate reads besides display text and alignment.
enum Role : int {
    kToneRole = Qt::UserRole + 1, ///< int(controls::Tone)
    kIconRole,                    ///< name of an icon drawn before the text, in the tone
    kMarkerRole,                  ///< int(model::Precision): its marker before the text
    kRawRole,                     ///< for CSV: the value itself, see copy_text.h; invalid: the text that is shown
    kRawTitleRole,                ///< of a header, for CSV: the column's name with the unit of its raw values
    kCommandRole,                 ///< the command line that reproduces the row
    kShareRole,                   ///< 0…1: a bar of that share of the cell behind the text
    kNumberRole,                  ///< true: digits of equal width
    kNameRole,                    ///< true: a name whose both ends tell, elided within (theme::elidedName)
    kSwatchRole,                  ///< QColor: a square of it before the text
};

} // namespace apertune::tables
