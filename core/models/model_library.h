// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/model_ref.h"
#include "core/model/variant.h"
#include "core/models/exporter_progress.h"
#include "core/store/store.h"
#include "core/worker/installation.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace apertune::models {

struct ImportRequest
{
    std::string source; ///< a zoo name, torchvision:NAME, …, a file: see identifySource() in model_sources.h
    std::string name;   ///< empty: a name made from the source
    std::filesystem::path weights{};
    std::vector<std::string> inputShapes{}; ///< NAME:float32:1x3x224x224, for a TorchScript file or an hf: model
    std::string freeName{};                 ///< without `name`: the name to make one from, in place of the source
};

/// Limits of one import. An import that exceeds one is stopped.
struct ImportLimits
{
    base::Nanoseconds time = base::fromSeconds(30 * 60);
    base::Bytes memory{}; ///< memory of the exporter and its child processes; 0: nine tenths of the machine's
};

/// Imports models and keeps them by name in the workspace. The Python exporter, a child process, writes an artifact
/// folder under userDataDir()/models.
/// Threads: calls block, so use a worker thread.
/// Failures: an error carries the exporter's sentence and hint. Incomplete files are removed.
class ModelLibrary
{
public:
    ModelLibrary(store::Store& store, worker::Installation installation);

    /// Sets the limits of all later imports.
    void setLimits(const ImportLimits& limits) { m_limits = limits; }

    /// Imports a model, even when it is known already; a known one is replaced in its place.
    ///  - Without a name in the request, a name that is taken gets a number.
    ///  - A source that is an artifact folder is registered where it lies.
    ///  - Relative paths become absolute.
    /// Failures: invalidArgument (the request's name stands for another source), and those of the exporter.
    base::Result<model::ModelRef> importModel(const ImportRequest& request, const ExporterObserver& observer,
                                              std::stop_token stop);

    /// Returns the model for `text`: a model name in the workspace, an artifact folder, or any source, a bare zoo name
    /// included.
    ///  - A source is imported unless it was imported before with its own weights and, if it is a file, is unchanged.
    ///  - A known model whose files are missing is imported again.
    ///  - NAME@N is a known model's source with images of N by N.
    ///  - The error for an unknown name has the nearest known one.
    base::Result<model::ModelRef> resolve(const std::string& text, const ExporterObserver& observer,
                                          std::stop_token stop);

    /// resolve() without an import: returns nullopt where resolve() would import. Writes nothing to a read-only
    /// workspace.
    base::Result<std::optional<model::ModelRef>> resolveKnown(const std::string& text);

    /// Returns a variant of a model of the workspace, importing it where that is needed.
    ///  - The source of the variant is that of the model, so that its base is the same module.
    ///  - Where that cannot be imported again (weights from a file, a source that is gone, a TorchScript file whose
    ///    inputs the user named), it is the model's TorchScript.
    /// Failures: as of importModel(); invalidArgument (the model is a file of an engine); unsupported (the model does
    /// not fit the variant: the exporter says why; the source is not trusted).
    base::Result<model::ModelRef> resolveVariant(const model::ModelRef& base, const model::Variant& variant,
                                                 const ExporterObserver& observer, std::stop_token stop);

private:
    base::Error unknownModel(const std::string& text) const;

    store::Store& m_store;
    worker::Installation m_installation;
    ImportLimits m_limits;
};

} // namespace apertune::models
