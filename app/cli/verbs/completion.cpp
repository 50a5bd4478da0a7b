// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/completion.h"

#include "app/cli/options.h"
#include "app/cli/verb.h"

namespace apertune::cli {

namespace {

struct Completion
{
    Shell shell = Shell::bash;
};

int run(const Completion& options, Session& session)
{
    session.terminal.raw(completionScript(CommandTree(allVerbs()), options.shell));
    return kDone;
}

Action declareCompletion(CLI::App& app)
{
    auto options = std::make_shared<Completion>();
    addChoice<Shell>(app, "SHELL", options->shell, {{"bash", Shell::bash}, {"zsh", Shell::zsh}, {"fish", Shell::fish}},
                     "Shell to write the script for")
        ->required();
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb completionVerb()
{
    return {.path = {"completion"},
            .group = Group::shell,
            .summary = "Print the script that lets a shell complete apertune",
            .examples = R"(  apertune completion bash > ~/.local/share/bash-completion/completions/apertune
  apertune completion fish > ~/.config/fish/completions/apertune.fish)",
            .takes = Takes::nothing,
            .declare = declareCompletion};
}

} // namespace apertune::cli
