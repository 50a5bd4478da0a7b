// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/sentences/sentences.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace apertune::cli {

/// An error in a command line. Options and verbs throw it while a line is parsed; parseCommandLine() catches it.
class UsageError : public std::runtime_error
{
public:
    explicit UsageError(base::Error error)
        : std::runtime_error(sentences::sentence(error.message)), m_error(std::move(error))
    {
    }
    const base::Error& error() const { return m_error; }

private:
    base::Error m_error;
};

/// The error "Invalid value "x" for --memory.", with the valid values. If "x" looks like a typing error, it names the
/// nearest one.
base::Error invalidValue(const std::string& option, const std::string& text, const std::vector<std::string>& valid);

/// Throws UsageError when an option was given an empty text, as from an unset variable of a script.
void requireValue(const std::string& option, const std::string& text);

inline constexpr const char* kTrialHelp = "Trial: t12, best (of the last study), s3:best, or a baseline's name";
inline constexpr const char* kStudyHelp = "Study: s3, the beginning of its uuid, or last";
inline constexpr const char* kTraceHelp = "Trace: tr3 or last";

/// Adds an option whose text is passed to `take`, which returns a base::Status.
template <typename Take>
CLI::Option* addText(CLI::App& app, const std::string& name, const std::string& help, Take take)
{
    return app.add_option_function<std::string>(
        name,
        [name, take](const std::string& text) {
            requireValue(name, text);
            if (const base::Status taken = take(text); !taken)
                throw UsageError(taken.error());
        },
        help);
}

/// Adds an option whose text `parse` converts into `field`. `parse` returns a base::Result.
///
/// REQUIRES: `field` outlives the parse.
template <typename Field, typename Parse>
CLI::Option* addParsed(CLI::App& app, const std::string& name, Field& field, const std::string& help, Parse parse)
{
    return addText(app, name, help, [&field, parse](const std::string& text) -> base::Status {
        auto value = parse(text);
        if (!value)
            return value.error();
        field = std::move(value).value();
        return {};
    });
}

/// Adds an option that takes a duration such as 90s, 1.5h or 1m30s.
template <typename Field>
CLI::Option* addTime(CLI::App& app, const std::string& name, Field& field, const std::string& help)
{
    return addParsed(app, name, field, help,
                     [name](const std::string& text) { return base::parseDuration(name, text); })
        ->type_name("TIME");
}

/// Adds an option that takes a size such as 500MB or 4GiB.
template <typename Field>
CLI::Option* addSize(CLI::App& app, const std::string& name, Field& field, const std::string& help)
{
    return addParsed(app, name, field, help, [name](const std::string& text) { return base::parseBytes(name, text); })
        ->type_name("SIZE");
}

/// Adds an option that takes a share such as 3% or 0.03.
template <typename Field>
CLI::Option* addShare(CLI::App& app, const std::string& name, Field& field, const std::string& help)
{
    return addParsed(app, name, field, help, [name](const std::string& text) { return base::parseShare(name, text); })
        ->type_name("SHARE");
}

/// The words that an option accepts, each with its value.
template <typename Value>
using Choices = std::vector<std::pair<std::string, Value>>;

/// Returns a function that reads one of the words, in any case. Its failures: invalidArgument.
template <typename Value>
auto wordParser(const std::string& name, const Choices<Value>& choices)
{
    return [name, choices](const std::string& text) -> base::Result<Value> {
        std::vector<std::string> words;
        for (const auto& [word, value] : choices) {
            if (base::lower(word) == base::lower(text))
                return value;
            words.push_back(word);
        }
        return invalidValue(name, text, words);
    };
}

/// Adds an option that takes one of a few words, in any case. Help, completion and error messages list them.
template <typename Value, typename Field>
CLI::Option* addChoice(CLI::App& app, const std::string& name, Field& field, const Choices<Value>& choices,
                       const std::string& help)
{
    std::vector<std::string> words;
    for (const auto& [word, value] : choices)
        words.push_back(word);
    return addParsed(app, name, field, help, wordParser(name, choices))->type_name(base::join(words, "|"));
}

/// The words of an option from addChoice(); empty for other options.
std::vector<std::string> choicesOf(const CLI::Option& option);

/// Adds an option that takes a whole number from `least` to `most`.
template <typename Field>
CLI::Option* addCount(CLI::App& app, const std::string& name, Field& field, const std::string& help,
                      std::int64_t least = 1, std::int64_t most = 1'000'000)
{
    return app.add_option(name, field, help)->type_name("N")->check([name, least, most](const std::string& text) {
        std::int64_t value = 0;
        if (!CLI::detail::lexical_cast(text, value) || value < least || value > most)
            throw UsageError(base::plainError(
                base::ErrorCode::invalidArgument, "Invalid value \"" + text + "\" for " + name + ".", {},
                "Expected: a whole number from " + std::to_string(least) + " to " + std::to_string(most) + "."));
        return std::string();
    });
}

/// Adds a required positional argument.
template <typename Field>
CLI::Option* addArgument(CLI::App& app, const std::string& name, Field& field, const std::string& help)
{
    return app.add_option(name, field, help)->type_name("")->required();
}

} // namespace apertune::cli
