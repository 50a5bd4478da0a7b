// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/man_pages.h"
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "core/base/files.h"

#include <nlohmann/json.hpp>

#include <filesystem>

namespace apertune::cli {

namespace {

struct Man
{
    std::filesystem::path folder;
};

int run(const Man& options, Session& session)
{
    std::error_code failure;
    std::filesystem::create_directories(options.folder, failure);
    if (failure)
        return session.terminal.fail(base::plainError(
            base::ErrorCode::io, "The folder cannot be made: " + failure.message() + ".", options.folder.string()));
    std::vector<std::string> files;
    for (const ManPage& page : manPages(CommandTree(allVerbs()))) {
        if (const auto written = base::writeFileAtomically(options.folder / page.file, page.text); !written)
            return session.terminal.fail(written.error());
        files.push_back(page.file);
    }
    session.terminal.document({{"schema", "apertune.man/1"}, {"files", files}});
    session.terminal.text("Wrote " + base::counted(static_cast<std::int64_t>(files.size()), "man page") + " into " +
                          options.folder.string() + ".");
    return kDone;
}

Action declareMan(CLI::App& app)
{
    auto options = std::make_shared<Man>();
    addArgument(app, "DIR", options->folder, "Folder to write, for example ~/.local/share/man/man1");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb manVerb()
{
    return {.path = {"man"},
            .group = Group::shell,
            .summary = "Write the man pages",
            .examples = "  apertune man ~/.local/share/man/man1",
            .takes = Takes::json,
            .documents = {{"apertune.man/1", "`files`"}},
            .declare = declareMan};
}

} // namespace apertune::cli
