// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

namespace apertune::tables {

/// The roles that LeanDelegate reads besides display text and alignment.
enum Role : int {
    kToneRole = Qt::UserRole + 1, ///< int(controls::Tone)
    kIconRole,                    ///< name of an icon drawn before the text, in the tone
    kMarkerRole,                  ///< int(model::Precision): its marker is drawn before the text
    kRawRole,                     ///< the value for CSV, see copy_text.h; invalid: the displayed text
    kRawTitleRole,                ///< name of a column in CSV, with the unit of its raw values; a role of headers
    kCommandRole,                 ///< the command line that reproduces the row
    kShareRole,                   ///< 0…1: a bar behind the text fills this share of the cell
    kNameRole,                    ///< true: a name whose both ends matter, elided in the middle (theme::elidedName)
    kSwatchRole,                  ///< QColor: a square of this colour is drawn before the text
};

} // namespace apertune::tables
