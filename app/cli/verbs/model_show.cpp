// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/model_sheet.h"
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "app/cli/with_store.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

namespace {

struct ModelShow
{
    std::string name;
};

int run(const ModelShow& options, Session& session)
{
    return withStore(session, [&](const store::Store& store) -> int {
        const auto model = findModel(store, options.name);
        if (!model)
            return session.terminal.fail(model.error());
        session.terminal.document(modelDocument(*model));
        session.terminal.text(modelSheet(*model));
        return kDone;
    });
}

Action declareModelShow(CLI::App& app)
{
    auto options = std::make_shared<ModelShow>();
    addArgument(app, "NAME", options->name, "Name in the workspace");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb modelShowVerb()
{
    return {.path = {"model", "show"},
            .group = Group::manage,
            .summary = "Show inputs, outputs, size and work of a model",
            .examples = R"(  apertune model show resnet50)",
            .takes = Takes::workspace,
            .documents = {{"apertune.model-summary/1",
                           "`name`, `source`, `family`, `weights`, `artifact`, `content_hash`, `parameters`, "
                           "`parameter_bytes`, `macs`, `inputs`, `outputs`, `failing_batches` (each with `batch` and "
                           "`why`), `dynamic_batch`, `state`, `random`, `can_compile`, `notes`"}},
            .declare = declareModelShow};
}

} // namespace apertune::cli
