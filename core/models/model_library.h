// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/model_ref.h"
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
    std::string
        source; ///< a zoo name, torchvision:NAME, timm:NAME, zoo:NAME, python:FILE.py:CALLABLE, a TorchScript file
    std::string name; ///< empty: made from the source
    std::filesystem::path weights{};
    std::vector<std::string> inputShapes{}; ///< NAME:float32:1x3x224x224, for a TorchScript file that does not say
};

/// What one import may take before it is stopped.
struct ImportLimits
{
    base::Nanoseconds time = base::fromSeconds(30 * 60);
    base::Bytes memory{}; ///< of the exporter and all that it starts; 0: nine tenths of the machine's
};

/// One entry of the built-in zoo.
struct ZooEntry
{
    std::string source; ///< "torchvision:resnet50"
    std::string name;
    std::string taskType;
    std::string summary;
    std::int64_t parameters = 0;
};

/// Imports models through the Python exporter, a child process that writes an artifact folder under
/// userDataDir()/models, and keeps them by name in the workspace. Blocking; call it from a worker thread.
/// Failures carry the exporter's one sentence and its hint; nothing half-written stays.
class ModelLibrary
{
public:
    ModelLibrary(store::Store& store, worker::Installation installation);

    /// For all imports from now on.
    void setLimits(const ImportLimits& limits) { m_limits = limits; }

    /// Imports again what is known already, in the same place. The name of the request must be free or stand for the
    /// same source; without one, a made name that is taken gets a number. A source that is an artifact folder is
    /// registered where it lies. Relative paths become absolute.
    base::Result<model::ModelRef> importModel(const ImportRequest& request, const ExporterObserver& observer,
                                              std::stop_token stop);

    /// `text` is a model name in the workspace, an artifact folder, or any source, a bare zoo name included (imported
    /// now, or reused when the same source was imported before with its own weights and, if it is a file, has not
    /// changed since). A known model whose files are gone is imported again. NAME@N is a known model's source at images
    /// of N by N. An unknown name fails with the nearest known one.
    base::Result<model::ModelRef> resolve(const std::string& text, const ExporterObserver& observer,
                                          std::stop_token stop);

    /// The same without an import: nullopt where resolve() would have to import. Writes nothing to a workspace that is
    /// open for reading only.
    base::Result<std::optional<model::ModelRef>> resolveKnown(const std::string& text);

    /// The zoo. Static data: needs no Python.
    static const std::vector<ZooEntry>& zoo();

    /// "torchvision:resnet50" -> "resnet50"; "python:a/b.py:make" -> "make"; "x/y.pt" -> "y".
    static std::string defaultName(const std::string& source);

private:
    base::Error unknownModel(const std::string& text) const;

    store::Store& m_store;
    worker::Installation m_installation;
    ImportLimits m_limits;
};

} // namespace apertune::models
