// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/model_library.h"

#include "core/base/errors.h"
#include "core/base/escape.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/model/model_manifest.h"
#include "core/models/archive_check.h"
#include "core/models/artifact_check.h"
#include "core/models/artifact_users.h"
#include "core/models/errors.h"
#include "core/models/exporter_process.h"
#include "core/models/making_folder.h"
#include "core/models/model_name.h"
#include "core/models/model_origin.h"
#include "core/models/model_sources.h"
#include "core/models/reasons.h"
#include "core/models/trust.h"
#include "core/models/zoo.h"
#include "core/sentences/sentences.h"

#include <nlohmann/json.hpp>

namespace apertune::models {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using model::ModelRef;

namespace {

constexpr std::size_t kHashDigits = 12;
constexpr const char* kArtifact = "artifact";

std::vector<std::string> exportArguments(const ImportRequest& request, const std::string& source,
                                         const std::string& name, const fs::path& out)
{
    std::vector<std::string> arguments{"export", source, "--out", out.string(), "--name", name};
    if (!request.weights.empty()) {
        std::error_code ignored;
        // The exporter has another working folder, so the path must be absolute.
        arguments.insert(arguments.end(),
                         {"--weights", fs::absolute(request.weights, ignored).lexically_normal().string()});
    }
    for (const std::string& shape : request.inputShapes)
        arguments.insert(arguments.end(), {"--input-shape", shape});
    return arguments;
}

/// Returns the name to import under. It is free or stands for the same origin: a requested name that is not fails, and
/// a made-up one gets a number until it is.
base::Result<std::string> chooseName(const store::Store& store, const ImportRequest& request, const ModelSource& source)
{
    const std::string made = request.freeName.empty() ? source.name : request.freeName;
    const std::string wanted = request.name.empty() ? made : request.name;
    if (auto valid = checkName(wanted); !valid)
        return valid.error();
    // A made-up name is free to change; a name that the user chose is not.
    for (int n = 1;; ++n) {
        const std::string name = n == 1 ? wanted : wanted + "-" + std::to_string(n);
        const auto known = store.findModel(name);
        if (!known)
            return known.error();
        if (!*known || hasOrigin(**known, source.text, request.weights))
            return name;
        if (!request.name.empty())
            return Error{ErrorCode::invalidArgument,
                         base::message<errors::kNameTaken>(name, (*known)->source),
                         {},
                         base::message<errors::kOtherNameOrDelete>(base::shellQuoted(name))};
    }
}

base::Status requireWritable(const store::Store& store)
{
    if (!store.readOnly())
        return {};
    return Error{ErrorCode::unsupported, base::message<errors::kReadOnlyWorkspace>(store.readOnlyReason()),
                 store.file().string(), base::message<errors::kOtherWorkspace>()};
}

/// A read-only workspace keeps no model, so nothing is recorded for it.
base::Status noteUse(const store::Store& store, const ModelRef& model)
{
    return store.readOnly() ? base::Status() : noteArtifactUser(model.artifact, store.file(), true);
}

/// Registers an artifact folder where it lies, after checking its files and its content hash.
base::Result<ModelRef> adopt(store::Store& store, const fs::path& folder, const std::string& name)
{
    std::error_code ignored;
    // The model is used from other folders later.
    const fs::path artifact = fs::absolute(folder, ignored).lexically_normal();
    auto model = model::readManifest(artifact);
    if (!model)
        return model.error();
    if (auto whole = checkArtifact(artifact); !whole)
        return whole.error();
    if (isContentHash(model->contentHash))
        if (auto own = requireContentHash(artifact, model->contentHash); !own)
            return own.error();
    if (!name.empty())
        model->name = name;
    if (auto valid = checkName(model->name); !valid)
        return valid.error();
    const auto known = store.findModel(model->name);
    if (!known)
        return known.error();
    // The same content under the same name is the same model.
    if (*known && (*known)->contentHash != model->contentHash)
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kNameTakenByOther>(model->name, (*known)->source),
                     {},
                     base::message<errors::kImportUnderOwnName>(base::shellQuoted(folder.string()))};
    trustModel(*model); // The user named the folder, which is a permission (trust.md).
    if (!store.readOnly())
        if (auto status = store.putModel(*model); !status)
            return status.error();
    if (auto noted = noteUse(store, *model); !noted)
        return noted.error();
    return model;
}

/// "mine@160" with the source of the known model "mine" in place of its name; any other text as it is.
base::Result<std::string> atOtherSize(const store::Store& store, const std::string& text)
{
    const auto sized = splitSize(text);
    if (!sized)
        return text;
    const auto known = store.findModel(sized->first);
    if (!known)
        return known.error();
    if (!*known)
        return text;
    const ModelRef& model = **known;
    // A size that the source already has is replaced.
    const auto own = splitSize(model.source);
    const std::string source = (own ? own->first : model.source) + "@" + sized->second;
    // The weights came from a file that was not kept, so the import cannot be repeated.
    if (model.weights.starts_with("file "))
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kWeightsNotKept>(model.name),
                     {},
                     base::message<errors::kImportAtSize>(base::shellQuoted(source))};
    return source;
}

/// Whether an import of the model's source gives the same module again.
bool canBeImportedAgain(const ModelRef& model)
{
    const auto source = identifySource(model.source);
    if (!source || !hasOrigin(model, model.source, {}))
        return false;
    // The inputs of a TorchScript file may be those of the command line, which are not kept.
    return source->file.empty() || source->file.extension() == ".py" || source->file.extension() == ".pt2";
}

/// Returns whether the folder is an artifact. One that only has the name of a model is not.
bool isArtifact(const std::string& text)
{
    std::error_code ignored;
    return fs::exists(fs::path(text) / "manifest.json", ignored);
}

} // namespace

ModelLibrary::ModelLibrary(store::Store& store, worker::Installation installation)
    : m_store(store), m_installation(std::move(installation))
{
}

base::Result<ModelRef> ModelLibrary::importModel(const ImportRequest& request, const ExporterObserver& observer,
                                                 std::stop_token stop)
{
    if (auto writable = requireWritable(m_store); !writable)
        return writable.error();
    if (isArtifact(request.source))
        return adopt(m_store, request.source, request.name);
    auto source = identifySource(request.source);
    if (!source)
        // A source error with a remedy is for users; without one, the name is simply unknown.
        return source.error().hint.empty() ? unknownModel(request.source) : source.error();
    if (std::error_code code; !request.weights.empty() && !fs::is_regular_file(request.weights, code))
        return Error{ErrorCode::notFound,
                     base::message<errors::kNoWeightsFile>(request.weights.string()),
                     {},
                     base::message<errors::kGiveWeights>()};
    // Loaders take the names and sizes in an archive at their word.
    std::vector<fs::path> files = filesOf(*source);
    files.push_back(request.weights);
    for (const fs::path& file : files)
        if (auto safe = requireSafeArchive(file); !safe)
            return safe.error();
    // The name is chosen before the export, because it may take minutes and a taken name would waste them.
    const auto name = chooseName(m_store, request, *source);
    if (!name)
        return name.error();

    const auto dir = MakingFolder::create(modelsDir());
    if (!dir)
        return dir.error();
    const fs::path made = dir->path() / kArtifact;
    ExporterRun run;
    run.arguments = exportArguments(request, source->text, *name, made);
    run.limit = m_limits.time;
    run.memory = m_limits.memory;
    run.writes = {dir->path()};
    run.environment["CUDA_VISIBLE_DEVICES"] = ""; // An import runs on the CPU alone and needs no driver.
    if (auto done = runExporter(m_installation, run, observer, stop); !done)
        return done.error();

    auto model = model::readManifest(made);
    if (!model)
        return model.error();
    // The model's code ran in the exporter and may have written the manifest itself. With the hash of another model,
    // its files would replace that model's.
    if (!isContentHash(model->contentHash))
        return Error{ErrorCode::corrupt, base::message<errors::kNoContentHash>(), made.string(),
                     base::message<errors::kExporterDoesNotFit>()};
    if (auto own = requireContentHash(made, model->contentHash); !own)
        return own.error();
    model->name = *name;
    // The import ran the source's code with the user's permission, so it may run again.
    trustSource(source->text);
    // The hash in the name keeps two models of one name apart.
    model->artifact = modelsDir() / (model->name + "-" + model->contentHash.substr(0, kHashDigits));
    std::error_code ignored;
    const bool wasThere = fs::exists(model->artifact, ignored);
    if (auto moved = dir->moveOut(kArtifact, model->artifact); !moved)
        return moved.error();
    // The user is recorded before the model: a model without a recorded user could be deleted by another workspace.
    if (auto noted = noteArtifactUser(model->artifact, m_store.file(), wasThere); !noted)
        return noted.error();
    if (auto stored = m_store.putModel(*model); !stored)
        return stored.error();
    return model;
}

base::Result<std::optional<ModelRef>> ModelLibrary::resolveKnown(const std::string& text)
{
    auto known = m_store.findModel(text);
    if (!known)
        return known.error();
    if (*known) {
        // A damaged artifact is imported again, as if it were not known.
        if (!checkArtifact((*known)->artifact))
            return std::optional<ModelRef>();
        // A workspace that was moved or copied has to record its new path as a user.
        if (auto noted = noteUse(m_store, **known); !noted)
            return noted.error();
        return known;
    }
    if (isArtifact(text)) {
        auto adopted = adopt(m_store, text, {});
        return adopted ? base::Result<std::optional<ModelRef>>(std::move(*adopted)) : adopted.error();
    }
    const auto sized = atOtherSize(m_store, text);
    if (!sized)
        return sized.error();
    const auto source = identifySource(*sized);
    if (!source)
        return source.error().hint.empty() ? unknownModel(text) : source.error();
    // A model that was imported under another name has the same origin.
    const auto models = m_store.models();
    if (!models)
        return models.error();
    for (const ModelRef& model : *models)
        if (hasOrigin(model, source->text, {}) && isFresh(model, *source))
            return std::optional(model);
    return std::optional<ModelRef>();
}

base::Result<ModelRef> ModelLibrary::resolve(const std::string& text, const ExporterObserver& observer,
                                             std::stop_token stop)
{
    auto known = resolveKnown(text);
    if (!known)
        return known.error();
    if (*known)
        return std::move(**known);
    // Known but damaged: the source may still be there.
    const auto damaged = m_store.findModel(text);
    if (!damaged)
        return damaged.error();
    if (*damaged) {
        const ModelRef& model = **damaged;
        const bool otherWeights = !hasOrigin(model, model.source, {});
        if (otherWeights || !identifySource(model.source))
            return Error{ErrorCode::notFound, base::message<errors::kFilesGoneOrDamaged>(model.name),
                         model.artifact.string(), importByCommand(model, otherWeights)};
        if (auto may = requireTrustedSource(model.source); !may)
            return may.error();
        if (const auto whole = checkArtifact(model.artifact); observer && !whole)
            observer({sentences::sentence(base::message<reasons::kImportingAgain>(whole.error().message, model.name)),
                      0, 0, true});
        return importModel({model.source, model.name}, observer, stop);
    }
    const auto sized = atOtherSize(m_store, text);
    return sized ? importModel({*sized, {}}, observer, stop) : sized.error();
}

base::Result<ModelRef> ModelLibrary::resolveVariant(const ModelRef& base, const model::Variant& variant,
                                                    const ExporterObserver& observer, std::stop_token stop)
{
    std::string source = base.source;
    if (canBeImportedAgain(base)) {
        if (auto may = requireTrustedSource(source); !may)
            return may.error();
    } else {
        const auto script = base.files.find("torchscript");
        if (script == base.files.end())
            return Error{ErrorCode::invalidArgument,
                         base::message<errors::kNoModule>(base.name),
                         {},
                         base::message<errors::kImportModule>()};
        if (auto may = requireTrustedModel(base); !may)
            return may.error();
        source = (base.artifact / script->second).string();
    }
    const std::string text = model::toString(model::VariantSource{variant, source});
    auto known = resolveKnown(text);
    if (!known)
        return known.error();
    if (*known)
        return std::move(**known);
    ImportRequest request;
    request.source = text;
    request.freeName = sanitizedName(base.name + "-" + variant.kind + "-" + variant.value);
    return importModel(request, observer, stop);
}

Error ModelLibrary::unknownModel(const std::string& text) const
{
    std::vector<std::string> names;
    if (const auto models = m_store.models())
        for (const ModelRef& model : *models)
            names.push_back(model.name);
    for (const ZooEntry& entry : zoo())
        names.push_back(entry.name);
    const std::string nearest = base::closestMatch(text, names);
    return {ErrorCode::notFound,
            base::message<errors::kNoModel>(text),
            {},
            base::sentencesOf({base::didYouMean(nearest), base::message<errors::kNameKnown>()})};
}

} // namespace apertune::models
