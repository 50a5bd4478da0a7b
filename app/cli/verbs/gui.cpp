// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/replace_process.h"
#include "app/cli/verb.h"
#include "core/base/files.h"

namespace apertune::cli {

namespace fs = std::filesystem;

namespace {

struct Gui
{
    std::vector<std::string> arguments; ///< arguments for apertune-gui
};

int run(const Gui& options, Session& session)
{
    const fs::path program = base::installPrefix() / "bin" / "apertune-gui";
    std::vector<std::string> words{program.string(), "--store", session.common.store.string()};
    words.insert(words.end(), options.arguments.begin(), options.arguments.end());
    const std::string why = replaceProcess(words);
    return session.terminal.fail(
        base::plainError(base::ErrorCode::notFound, "The window cannot be started: " + why + ".", program.string(),
                         "This installation may be headless; `apertune report last --out report.html` writes "
                         "the same as a page."));
}

Action declareGui(CLI::App& app)
{
    auto options = std::make_shared<Gui>();
    app.add_option("ARGUMENT", options->arguments, "Arguments for apertune-gui, after --")->type_name("");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb guiVerb()
{
    return {.path = {"gui"},
            .group = Group::tune,
            .summary = "Open the workspace in the window",
            .examples = R"(  apertune gui
  apertune gui --store lab.apertune -- --page compare)",
            .takes = Takes::worker,
            .declare = declareGui};
}

} // namespace apertune::cli
