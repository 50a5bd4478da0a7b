// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/replace_process.h"
#include "app/cli/verb.h"
#include "core/base/files.h"
#include "core/worker/installation.h"

namespace apertune::cli {

namespace fs = std::filesystem;

namespace {

struct GpuCheck
{
    bool quick = false;
    std::string stages;
    std::string out = ".";
};

int run(const GpuCheck& options, Session& session)
{
    const fs::path prefix = base::installPrefix();
    const fs::path script = prefix / "share" / "apertune" / "gpu-check" / "run";
    std::error_code ignored;
    if (!fs::exists(script, ignored))
        return session.terminal.fail(base::plainError(base::ErrorCode::notFound,
                                                      "This installation has no check of GPUs.", script.string(),
                                                      "Install Apertune again."));
    const fs::path python = worker::Installation::locate().python;
    std::vector<std::string> words{python.empty() ? "python3" : python.string(), script.string(), prefix.string(),
                                   "--out", options.out};
    if (options.quick)
        words.emplace_back("--quick");
    if (!options.stages.empty())
        words.insert(words.end(), {"--stages", options.stages});
    const std::string why = replaceProcess(words); // after ^C the check packs what it saw
    return session.terminal.fail(base::plainError(base::ErrorCode::notFound, "Python cannot be started: " + why + ".",
                                                  words.front(), "Install python3, or name one with APERTUNE_PYTHON."));
}

Action declareGpuCheck(CLI::App& app)
{
    auto options = std::make_shared<GpuCheck>();
    app.add_flag("--quick", options->quick, "Check one model with one batch size, and no fp8");
    app.add_option("--stages", options->stages,
                   "Stages to run, for example sweep,traces; an unknown one is answered with the list (default: all)")
        ->type_name("LIST");
    app.add_option("--out", options->out, "Folder for the archive of what was seen (default: this one)")
        ->type_name("DIR");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb gpuCheckVerb()
{
    return {.path = {"gpu-check"},
            .group = Group::manage,
            .summary = "Check everything on the first GPU and pack the results",
            .examples = R"(  apertune gpu-check
  apertune gpu-check --quick
  apertune gpu-check --stages sweep,traces --out /tmp)",
            .takes = Takes::nothing,
            .declare = declareGpuCheck};
}

} // namespace apertune::cli
