// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/model/config.h"
#include "core/model/device.h"
#include "core/model/model_ref.h"
#include "core/models/format_cache.h"
#include "core/worker/installation.h"

#include <string>
#include <vector>

namespace apertune::models {

/// What the exporter is asked for: one list of arguments, and the identity of what it makes of them. A cache takes its
/// key from identity(), so no argument can be missing in the key.
class ExporterRequest
{
public:
    void add(const std::vector<std::string>& arguments);

    /// Adds the option with a path. The identity holds `content` in place of the path.
    void addPath(const std::string& option, const std::string& path, const std::string& content);

    /// Adds an option that the identity leaves out, such as the path that the result is written to.
    void addUncounted(const std::string& option, const std::string& value);

    /// Adds how int8 is calibrated; the identity holds the images by name, size and time.
    void addCalibration(const model::Quantization& how, Int8Recipe recipe);

    const std::vector<std::string>& arguments() const { return m_arguments; }
    const base::Json& identity() const { return m_identity; }

private:
    std::vector<std::string> m_arguments;
    base::Json m_identity = base::Json::array();
};

/// `compile` for an AOTInductor package of the configuration, without --out. A switch of the catalogue adds the
/// arguments that its declaration names. Failures: those of artifactKey().
base::Result<ExporterRequest> compileRequest(const model::ModelRef& model, const model::Config& config,
                                             const model::Device& device);

/// The SHA-256 over all Python files of the exporter, by path and content. Failures: io.
base::Result<std::string> exporterHash(const worker::Installation& installation);

} // namespace apertune::models
