// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/model/config.h"
#include "core/model/device.h"
#include "core/model/model_ref.h"
#include "core/models/int8_recipe.h"
#include "core/worker/installation.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace apertune::models {

/// A request to the exporter: its arguments, and the identity of the result. Both are built by the same calls, and a
/// cache takes its key from identity(), so that no argument can be missing in the key.
class ExporterRequest
{
public:
    /// Adds arguments to the command line and to the identity.
    void add(const std::vector<std::string>& arguments);

    /// Adds an option with a path. The identity has `content` in place of the path.
    void addPath(const std::string& option, const std::string& path, const std::string& content);

    /// Adds an option that the identity leaves out, such as the path that the result is written to.
    void addUncounted(const std::string& option, const std::string& value);

    /// Adds the options of int8 calibration. The identity has the images by name, size and time.
    void addCalibration(const model::Quantization& how, Int8Recipe recipe);

    const std::vector<std::string>& arguments() const { return m_arguments; }
    const base::Json& identity() const { return m_identity; }

private:
    std::vector<std::string> m_arguments;
    base::Json m_identity = base::Json::array();
};

/// The request `compile` for the AOTInductor package of a configuration, without --out. Switches of the catalogue add
/// the arguments in their declarations. Failures: those of artifactKey().
base::Result<ExporterRequest> compileRequest(const model::ModelRef& model, const model::Config& config,
                                             const model::Device& device);

/// SHA-256 over the paths and contents of the exporter's Python files. Failures: io, those of fileHash().
base::Result<std::string> exporterHash(const worker::Installation& installation);

} // namespace apertune::models
