// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_option.h"

#include "app/cli/values.h"
#include "core/base/text.h"

#include <algorithm>
#include <set>

namespace apertune::cli {

using base::ErrorCode;
using sweeps::SweepEntry;
using Form = sweeps::SweepEntry::Form;

namespace {

constexpr const char* kModel = "MODEL";
constexpr const char* kSharedGroup = "Options"; ///< CLI11's own name for options without a group
constexpr const char* kHint = "Keys are the long options of the verb, without the dashes.";

bool isFlag(const CLI::Option& option)
{
    return option.get_items_expected_max() == 0;
}

bool isBudget(const std::string& key)
{
    return key == "budget" || key == "measuring-budget";
}

/// Gives the values of a file to the options of a verb.
class Taking
{
public:
    Taking(CLI::App& app, SweepFile& taken) : m_app(app), m_taken(taken)
    {
        for (const CLI::Option* option : app.get_options())
            if (option->count() > 0)
                m_onLine.insert(option);
    }

    void takeAll(const std::vector<SweepEntry>& entries)
    {
        std::vector<SweepEntry> taken;
        for (const SweepEntry& entry : entries)
            if (take(entry))
                taken.push_back(entry);
        // An option may need one that stands behind it in the file.
        for (const SweepEntry& entry : taken)
            for (const CLI::Option* needed : optionOf(entry)->get_needs())
                if (needed->count() == 0)
                    refuse(entry, "The key " + entry.key + " needs " + sweepKey(*needed) + ".",
                           "Add it, or remove " + entry.key + ".");
        m_taken.words = sweeps::commandWords(taken);
    }

private:
    [[noreturn]] void refuse(const SweepEntry& entry, const std::string& message, const std::string& hint) const
    {
        throw UsageError(base::plainError(ErrorCode::invalidArgument, message, place(entry), hint));
    }

    std::string place(const SweepEntry& entry) const
    {
        return m_taken.file.string() + ", line " + std::to_string(entry.line);
    }

    CLI::Option* optionOf(const SweepEntry& entry) const
    {
        return m_app.get_option_no_throw(entry.key == sweeps::kModelKey ? kModel : "--" + entry.key);
    }

    std::vector<std::string> keys() const
    {
        std::vector<std::string> keys;
        for (const CLI::Option* option : m_app.get_options())
            if (const std::string key = sweepKey(*option); !key.empty())
                keys.push_back(key);
        return keys;
    }

    /// Returns the option of an entry that belongs to the sweep and whose value has its form.
    CLI::Option* checkedOption(const SweepEntry& entry) const
    {
        CLI::Option* const option = optionOf(entry);
        if (!option) {
            const std::string nearest = base::closestMatch(entry.key, keys());
            refuse(entry, "Unknown key \"" + entry.key + "\".",
                   (nearest.empty() ? std::string() : "Did you mean " + nearest + "? ") + kHint);
        }
        if (sweepKey(*option).empty())
            refuse(entry, "--" + entry.key + " belongs to one call, and a sweep file cannot hold it.",
                   "Remove the key, and give the option on the command line.");
        const std::string one = "The key " + entry.key + " takes ";
        if (isFlag(*option) != (entry.form == Form::flag))
            refuse(entry, one + (isFlag(*option) ? "true or false." : "no true or false."),
                   isFlag(*option) ? "Write " + entry.key + ": true." : option->get_description() + ".");
        if (entry.form == Form::map && entry.key != sweeps::kSwitchKey)
            refuse(entry, one + "no map of names.", option->get_description() + ".");
        if (entry.form == Form::list && !takesList(*option))
            refuse(entry, one + "one value and no list.", option->get_description() + ".");
        return option;
    }

    /// Refuses an entry that excludes another option. Returns whether the line has the other kind of budget.
    bool hasOtherBudget(const SweepEntry& entry, const CLI::Option& option) const
    {
        for (CLI::Option* const other : option.get_excludes()) {
            if (other->count() == 0)
                continue;
            if (isBudget(entry.key) && m_onLine.contains(other))
                return true;
            refuse(entry, "The key " + entry.key + " and --" + other->get_lnames().front() + " exclude each other.",
                   "Leave out one of them.");
        }
        return false;
    }

    /// Returns whether the value was taken: the line does not say it.
    bool take(const SweepEntry& entry)
    {
        CLI::Option* const option = checkedOption(entry);
        const bool off = entry.form == Form::flag && entry.values.front() == "false";
        if (m_onLine.contains(option) || off || hasOtherBudget(entry, *option))
            return false;
        try {
            // The names are converted with the whole line, where the place in the file is no longer known.
            if (entry.key == sweeps::kSwitchKey)
                if (const auto parsed = parseSwitches(entry.values); !parsed)
                    throw UsageError(parsed.error());
            if (entry.key == sweeps::kSwitchKey)
                for (const std::string& value : entry.values)
                    option->add_result(value);
            else
                option->add_result(base::join(entry.values, ","));
            option->run_callback();
        } catch (const UsageError& failure) {
            base::Error error = failure.error();
            error.context = place(entry);
            throw UsageError(std::move(error));
        } catch (const CLI::ParseError& failure) {
            const std::string why = failure.what();
            refuse(entry, "The value of " + entry.key + " does not fit: " + why.substr(0, why.find('\n')) + ".",
                   option->get_description() + ".");
        }
        return true;
    }

    CLI::App& m_app;
    SweepFile& m_taken;
    std::set<const CLI::Option*> m_onLine;
};

} // namespace

std::string sweepKey(const CLI::Option& option)
{
    if (option.get_positional())
        return option.get_name(true) == kModel ? sweeps::kModelKey : std::string();
    const std::string& group = option.get_group();
    if (group == kSharedGroup || group == kSweepFileGroup || group == kPlanningGroup || option.get_lnames().empty())
        return {};
    return option.get_lnames().front();
}

bool takesList(const CLI::Option& option)
{
    static const std::set<std::string> kMore{sweeps::kSwitchKey, "goal", "max-latency"};
    return option.get_type_name() == "LIST" || kMore.contains(sweepKey(option));
}

void addSweepFile(CLI::App& app, SweepFile& taken)
{
    app.add_option_function<std::string>(
           "--config",
           [&app, &taken](const std::string& text) {
               requireValue("--config", text);
               // Help is for a file that is wrong, too.
               if (app.get_help_ptr() && app.get_help_ptr()->count() > 0)
                   return;
               taken.file = text;
               const auto entries = sweeps::readSweepFile(taken.file);
               if (!entries)
                   throw UsageError(entries.error());
               Taking(app, taken).takeAll(*entries);
           },
           "Take options from a sweep file, YAML or JSON; what stands on the command line comes before what stands in "
           "the file")
        ->type_name("FILE")
        ->group(kSweepFileGroup);
}

std::vector<SweepEntry> sweepOfOptions(const CLI::App& app)
{
    std::vector<SweepEntry> entries;
    for (const CLI::Option* option : app.get_options()) {
        const std::string key = sweepKey(*option);
        if (key.empty() || option->count() == 0)
            continue;
        SweepEntry entry{key, Form::text, option->results()};
        if (isFlag(*option)) {
            entry.form = Form::flag;
            entry.values = {"true"};
        } else if (key == sweeps::kSwitchKey) {
            entry.form = Form::map;
        } else if (takesList(*option)) {
            entry.form = Form::list;
            entry.values = base::splitList(option->results().front());
        }
        entries.push_back(std::move(entry));
    }
    return entries;
}

} // namespace apertune::cli
