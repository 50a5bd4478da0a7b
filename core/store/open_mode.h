// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace apertune::store {

/// How a workspace is opened.
enum class OpenMode {
    readWrite, ///< creates the file when missing; takes the workspace's writer lock (one writer process)
    readOnly,  ///< an own connection for a view; it never blocks the writer
};

} // namespace apertune::store
