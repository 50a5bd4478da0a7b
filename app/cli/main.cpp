// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"
#include "app/cli/trust_question.h"
#include "core/base/write_signals.h"
#include "core/sandbox/sandbox.h"

#include <unistd.h>

using namespace apertune::cli; // NOLINT: the program of this namespace

int main(int argc, char** argv)
{
    apertune::base::ignoreWriteSignals();
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.empty() && ::isatty(1)) {
        Terminal terminal(false, false);
        terminal.text(firstSteps());
        return terminal.finish(kDone);
    }
    const auto invocation = parseCommandLine(arguments, Terminal(false, false).width());
    if (!invocation)
        return Terminal(false, false).fail(invocation.error());
    const Common& common = invocation->common;
    Terminal terminal(common.json, common.quiet);
    if (!invocation->action) {
        terminal.raw(invocation->text);
        return terminal.finish(kDone);
    }
    const Interrupt interrupt([&terminal] { terminal.note("Stopping; press Ctrl-C again to stop at once."); });
    if (common.noSandbox)
        apertune::sandbox::setSettings(apertune::sandbox::Settings::none());
    apertune::models::setTrustQuestion(trustQuestion(common, terminal, interrupt));
    Session session{terminal, interrupt, common, repeatableLine(arguments)};
    return terminal.finish(invocation->action(session));
}
