// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/model/config.h"
#include "core/model/device.h"
#include "core/model/model_ref.h"
#include "core/models/exporter_progress.h"

#include <filesystem>
#include <stop_token>
#include <string>

namespace apertune::models {

/// Where compiled packages and converted models come from: the compile cache, or what a test puts in its place.
/// Thread-safe.
class PackageSource
{
public:
    virtual ~PackageSource() = default;

    struct Package
    {
        std::filesystem::path path;
        base::Nanoseconds compile{}; ///< the time it took when it was made
        bool cached = false;
        std::string calibration{}; ///< of an int8 model: with what and how it was made, one line
    };

    /// Whether a configuration opens a file that get() makes: a compiled package, or the model in the format of an
    /// engine.
    virtual bool needed(const model::ModelRef&, const model::Config& config) const { return config.isOn("aoti"); }

    /// Whether get() would return at once.
    virtual bool contains(const model::ModelRef& model, const model::Config& config,
                          const model::Device& device) const = 0;

    /// Failures: compileFailed with the compiler's own last words, cancelled, timeout, unsupported.
    virtual base::Result<Package> get(const model::ModelRef& model, const model::Config& config,
                                      const model::Device& device, const ExporterObserver& observer,
                                      std::stop_token stop) = 0;
};

} // namespace apertune::models
