// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/importing.h"
#include "app/cli/model_sheet.h"
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "core/base/escape.h"
#include "core/engine/workbench.h"
#include "core/text/format.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

namespace {

struct ModelImport
{
    models::ImportRequest request;
    models::ImportLimits limits;
};

int run(const ModelImport& options, Session& session)
{
    auto workbench = engine::Workbench::open(session.common.store);
    if (!workbench)
        return session.terminal.fail(workbench.error());
    (*workbench)->models().setLimits(options.limits);
    const auto model = (*workbench)
                           ->models()
                           .importModel(options.request, importObserver(session.terminal), session.interrupt.token());
    if (!model)
        return session.terminal.fail(model.error());
    session.terminal.document(modelDocument(*model));
    session.terminal.text("Imported " + modelSheet(*model) + "\nNext:\n  apertune tune " +
                          base::shellQuoted(model->name) + text::storeOption(session.common.store));
    return kDone;
}

Action declareModelImport(CLI::App& app)
{
    auto options = std::make_shared<ModelImport>();
    addArgument(app, "SOURCE", options->request.source,
                "Source: torchvision:NAME, timm:NAME, zoo:NAME, hf:FOLDER, diffusers:NAME#PART, "
                "python:FILE.py:CALLABLE, or a TorchScript, torch.export (.pt2), .onnx or OpenVINO IR (.xml) file; "
                "sliced:N:SOURCE and tiled:SIZExOVERLAP:SOURCE are variants of one");
    app.add_option("--name", options->request.name, "Name in the workspace (default: from the source)")
        ->type_name("NAME");
    app.add_option("--weights", options->request.weights,
                   "File with weights, a state_dict or safetensors (default: random weights)")
        ->type_name("FILE");
    app.add_option("--input-shape", options->request.inputShapes,
                   "Input of a TorchScript file that does not describe it, or of an hf: model; repeatable")
        ->type_name("NAME:DTYPE:1x3x224x224")
        ->allow_extra_args(false);
    addImportLimits(app, options->limits);
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb modelImportVerb()
{
    return {.path = {"model", "import"},
            .group = Group::manage,
            .summary = "Import a model into the workspace",
            .examples = R"(  apertune model import torchvision:resnet50
  apertune model import torchvision:resnet50@160
  apertune model import timm:convnext_tiny --name convnext --weights convnext.safetensors
  apertune model import python:net.py:make
  apertune model import hf:vit-base-patch16-224
  apertune model import diffusers:sd_1_5#unet@256
  apertune model import scripted.pt --input-shape x:float32:1x3x224x224)",
            .takes = Takes::worker,
            .documents = {{"apertune.model-summary/1", ""}},
            .declare = declareModelImport};
}

} // namespace apertune::cli
