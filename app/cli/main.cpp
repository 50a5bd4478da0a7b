// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"
#include "app/cli/interrupt.h"
#include "app/cli/terminal.h"
#include "app/cli/trust_question.h"
#include "app/cli/verbs.h"
#include "core/base/write_signals.h"

using namespace apertune::cli; // NOLINT: the program of this namespace

namespace {

/// --json and --quiet also shape what is said about a line that cannot be read.
Common commonOf(const Invocation& invocation)
{
    return std::visit(
        [](const auto& options) {
            if constexpr (requires { options.common; })
                return options.common;
            else
                return Common{};
        },
        invocation);
}

} // namespace

int main(int argc, char** argv)
{
    apertune::base::ignoreWriteSignals();
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const auto invocation = parseCommandLine(arguments);
    if (!invocation)
        return Terminal(false, false).fail(invocation.error());
    const Common common = commonOf(*invocation);
    Terminal terminal(common.json, common.quiet);
    const Interrupt interrupt([&terminal] { terminal.note("Stopping; press Ctrl-C again to stop at once."); });
    apertune::models::setTrustQuestion(trustQuestion(common, terminal, interrupt));
    Session session{terminal, interrupt, repeatableLine(arguments)};
    return terminal.finish(std::visit([&session](const auto& options) { return run(options, session); }, *invocation));
}
