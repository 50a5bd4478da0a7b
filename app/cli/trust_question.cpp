// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/trust_question.h"

#include "core/base/text.h"
#include "core/sentences/sentences.h"

#include <poll.h>
#include <unistd.h>

namespace apertune::cli {

namespace {

/// Reads a line from the terminal. Returns "" at its end or when the user interrupts.
std::string readAnswer(const Interrupt& interrupt)
{
    std::string line;
    while (!interrupt.requested()) {
        pollfd input{0, POLLIN, 0};
        if (::poll(&input, 1, 100) <= 0)
            continue;
        char c = 0;
        if (::read(0, &c, 1) != 1 || c == '\n')
            return line;
        line += c;
    }
    return {};
}

} // namespace

models::TrustQuestion trustQuestion(const Common& common, Terminal& terminal, const Interrupt& interrupt)
{
    if (common.trust)
        return [](const models::Untrusted&) { return true; };
    if (common.json || common.quiet || !::isatty(0) || !::isatty(2))
        return {};
    return [&terminal, &interrupt](const models::Untrusted& something) {
        terminal.status({});
        terminal.note(sentences::sentence(something.what) +
                      " was not imported, exported or allowed on this machine.\n"
                      "It can run code of its own.\n"
                      "  " +
                      something.place.string() + "\n  SHA-256 " + something.hash() +
                      "\nLet it run, now and later, as long as it does not change? [y/N]");
        const std::string answer = base::lower(base::trimmed(readAnswer(interrupt)));
        return answer == "y" || answer == "yes";
    };
}

} // namespace apertune::cli
