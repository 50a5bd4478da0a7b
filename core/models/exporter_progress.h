// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>

namespace apertune::models {

/// A step of the Python exporter, which imports, compiles and converts models.
struct ExporterProgress
{
    std::string text;
    int step = 0;
    int total = 0;      ///< 0: unknown
    bool isLog = false; ///< `text` is a line that the exporter printed
};
using ExporterObserver = std::function<void(const ExporterProgress&)>;

} // namespace apertune::models
