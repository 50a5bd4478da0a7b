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

/// Supplies compiled packages and converted models. The compile cache implements it; tests have their own.
/// Threads: any.
class PackageSource
{
public:
    virtual ~PackageSource() = default;

    struct Package
    {
        std::filesystem::path path;
        base::Nanoseconds compile{}; ///< time that making it took
        bool cached = false;
        std::string calibration{}; ///< how an int8 model was calibrated, in one line
    };

    /// Returns whether a configuration opens a file that get() makes: a compiled package, or the model in the format of
    /// an engine.
    virtual bool needed(const model::ModelRef&, const model::Config& config) const { return config.isCompiled(); }

    /// Returns whether get() would return at once.
    virtual bool contains(const model::ModelRef& model, const model::Config& config,
                          const model::Device& device) const = 0;

    /// Returns the package of a configuration, and makes it when it is missing. Blocks.
    /// Failures: compileFailed (with the compiler's last lines), cancelled, timeout, unsupported.
    virtual base::Result<Package> get(const model::ModelRef& model, const model::Config& config,
                                      const model::Device& device, const ExporterObserver& observer,
                                      std::stop_token stop) = 0;
};

} // namespace apertune::models
