// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/kit.h"

#include "app/cli/importing.h"
#include "app/cli/options.h"
#include "app/cli/trial_run.h"
#include "app/cli/values.h"
#include "app/cli/verb.h"
#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/engine/workbench.h"
#include "core/exports/write_export.h"
#include "core/runs/kit_material.h"
#include "core/stats/block_stats.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

namespace fs = std::filesystem;

using base::Json;

namespace {

struct Kit
{
    std::string platform;
    std::string model;
    std::vector<int> batches{1};
    std::vector<model::Precision> precisions{}; ///< empty: the usual one of the platform
    fs::path dir;
    bool force = false;
};

/// A kit measures like a worker in a study of the usual target.
exports::KitProtocol protocolOf(const worker::RunLimits& limits)
{
    exports::KitProtocol protocol;
    protocol.warmUpLeast = limits.warmUpLeast;
    protocol.warmUpMost =
        std::max(limits.warmUpLeast, std::min(limits.warmUpMost, base::Nanoseconds{limits.trialMost.count / 4}));
    protocol.minBlock = limits.minBlock;
    protocol.minTime = limits.minTime;
    protocol.maxTime = limits.trialMost;
    protocol.minBlocks = limits.minBlocks;
    protocol.leastBlocks = stats::kIntervalSamples;
    protocol.maxBlocks = limits.maxBlocks;
    protocol.target = model::kDefaultTarget;
    return protocol;
}

base::Result<const exports::Platform*> platformOf(const std::string& name)
{
    if (const exports::Platform* platform = exports::findPlatform(base::lower(name)))
        return platform;
    std::vector<std::string> names;
    for (const exports::Platform& platform : exports::platforms())
        if (!platform.target.empty())
            names.push_back(platform.name);
    return invalidValue("PLATFORM", name, names);
}

/// The batches of a kit. Unlike a sweep, it measures named ones.
base::Result<std::vector<int>> parseNamedBatches(const std::string& text)
{
    auto batches = parseBatches(text);
    if (batches && *batches == std::vector{model::SearchSpace::kAutoBatch})
        return base::plainError(base::ErrorCode::invalidArgument, "A kit measures named batches, and auto is none.", {},
                                "Name them, for example 1,8.");
    return batches;
}

/// The model, imported where it is not known.
base::Result<model::ModelRef> modelFor(const std::string& text, engine::Workbench& workbench, Session& session)
{
    const auto known = workbench.models().resolveKnown(text);
    if (!known)
        return known.error();
    if (*known)
        return **known;
    if (const auto writable = workbench.openForWriting(); !writable)
        return writable.error();
    return workbench.models().resolve(text, importObserver(session.terminal), session.interrupt.token());
}

int run(const Kit& options, Session& session)
{
    const auto platform = platformOf(options.platform);
    if (!platform)
        return session.terminal.fail(platform.error());
    const std::vector<model::Precision> precisions =
        options.precisions.empty() ? std::vector{(*platform)->precisions.front()} : options.precisions;
    // What no model can change is said before one is imported.
    if (const auto possible = exports::checkKit({}, **platform, options.batches, precisions); !possible)
        return session.terminal.fail(possible.error());
    auto opened = openToAsk(session.common.store);
    if (!opened)
        return session.terminal.fail(opened.error());
    engine::Workbench& workbench = **opened;
    const auto model = modelFor(options.model, workbench, session);
    if (!model)
        return session.terminal.fail(model.error());
    if (const auto possible = exports::checkKit(*model, **platform, options.batches, precisions); !possible)
        return session.terminal.fail(possible.error());
    const auto material = runs::makeKitMaterial(workbench.runContext("cpu"), *model, (*platform)->backend,
                                                options.batches, statusOf(session.terminal), session.interrupt.token());
    if (!material)
        return failRun(session.terminal, material.error());
    exports::KitRequest request{*model, **platform, {}, precisions, APERTUNE_VERSION, protocolOf({})};
    for (const runs::KitMaterialBatch& batch : material->batches)
        request.batches.push_back({batch.batch, batch.opened, batch.expected});
    const auto files = exports::planKit(request);
    if (!files)
        return session.terminal.fail(files.error());
    const fs::path dir =
        options.dir.empty() ? fs::path(base::replaced(model->name, "/", "_") + "-" + (*platform)->name) : options.dir;
    const auto written = exports::writeExport(*files, dir, options.force);
    if (!written)
        return session.terminal.fail(written.error());
    Json names = Json::array();
    for (const fs::path& file : *written)
        names.push_back(file.string());
    session.terminal.document({{"schema", "apertune.kit-written/1"},
                               {"platform", (*platform)->name},
                               {"model", model->name},
                               {"dir", fs::absolute(dir).lexically_normal().string()},
                               {"files", names}});
    session.terminal.text("Wrote a kit of " + base::counted(static_cast<std::int64_t>(written->size()), "file") +
                          " into " + dir.string() + ". It needs " + (*platform)->requirement +
                          ".\nNext, on that machine, with the whole folder:\n  python3 " +
                          base::shellQuoted((dir.filename() / "kit.py").string()) +
                          "\nThen here:\n  apertune trial import trials.json");
    return kDone;
}

Action declareKit(CLI::App& app)
{
    auto options = std::make_shared<Kit>();
    addArgument(app, "PLATFORM", options->platform,
                "Platform, as `apertune platform list` names it: rocm, mps, qnn, …");
    addArgument(app, "MODEL", options->model, "Model of the workspace, or a source as of `apertune model import`");
    addParsed(app, "--batches", options->batches, "Batch sizes to measure (default: 1)", parseNamedBatches)
        ->type_name("LIST");
    addParsed(app, "--precisions", options->precisions, "Precisions to measure (default: fp32, on an NPU fp16)",
              parsePrecisions)
        ->type_name("LIST");
    app.add_option("--out", options->dir, "Folder to write (default: MODEL-PLATFORM)")->type_name("DIR");
    app.add_flag("--force", options->force, "Write into a folder that is not empty");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb kitVerb()
{
    return {.path = {"kit"},
            .group = Group::tune,
            .summary = "Write a folder that measures a model where Apertune cannot run",
            .examples = R"(  apertune kit rocm resnet50                          an AMD GPU, through PyTorch
  apertune kit mps resnet50 --batches 1,8 --precisions fp32,fp16
  apertune kit qnn resnet50 --out r50-qnn             a Qualcomm NPU, through ONNX
  apertune trial import trials.json                   what it measured there)",
            .takes = Takes::untrustedCode,
            .documents = {{"apertune.kit-written/1", "`platform`, `model`, `dir`, `files`"}},
            .declare = declareKit};
}

} // namespace apertune::cli
