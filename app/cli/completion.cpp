// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/completion.h"

#include "app/cli/options.h"
#include "core/base/text.h"

#include <algorithm>

namespace apertune::cli {

namespace {

/// An option, as far as completion needs it.
struct Completed
{
    std::vector<std::string> names; ///< "--quiet", "-q"
    std::vector<std::string> words; ///< valid values; empty: any value
    std::string help;
    bool takesValue = false;
};

/// A word that may follow a path of words.
struct Next
{
    std::string word;
    std::string help;
};

/// The words and options that may follow the words `path`; "" is the program itself.
struct Place
{
    std::string path;
    std::vector<Next> next;
    std::vector<Completed> options;
};

std::vector<Completed> optionsOf(const CLI::App& app)
{
    std::vector<Completed> options;
    for (const CLI::Option* option : app.get_options([](const CLI::Option* o) { return o->nonpositional(); })) {
        Completed one;
        for (const std::string& name : option->get_lnames())
            one.names.push_back("--" + name);
        for (const std::string& name : option->get_snames())
            one.names.push_back("-" + name);
        one.help = option->get_description();
        one.takesValue = option->get_items_expected_max() > 0;
        one.words = choicesOf(*option);
        options.push_back(std::move(one));
    }
    return options;
}

std::vector<Place> placesOf(const CommandTree& tree)
{
    std::vector<Place> places(1);
    // The lambda passes itself, so that it can descend.
    const auto visit = [&places](const auto& self, const CLI::App& app, const std::string& path) -> void {
        Place place{path, {}, optionsOf(app)};
        for (const CLI::Option* option : app.get_options([](const CLI::Option* o) { return o->get_positional(); }))
            for (const std::string& word : choicesOf(*option))
                place.next.push_back({word, option->get_description()});
        for (const CLI::App* child : app.get_subcommands([](const CLI::App*) { return true; })) {
            place.next.push_back({child->get_name(), child->get_description()});
            self(self, *child, path.empty() ? child->get_name() : path + " " + child->get_name());
        }
        // The program itself is the first place, which scripts rely on.
        if (path.empty())
            places.front() = std::move(place);
        else
            places.push_back(std::move(place));
    };
    visit(visit, tree.root(), "");
    return places;
}

std::string singleQuoted(const std::string& text)
{
    return "'" + base::replaced(text, "'", "'\\''") + "'";
}

std::string wordsOf(const Place& place)
{
    std::string words;
    for (const Next& next : place.next)
        words += next.word + " ";
    for (const Completed& option : place.options)
        for (const std::string& name : option.names)
            words += name + " ";
    if (!words.empty())
        words.pop_back();
    return words;
}

/// The case patterns of all places except the program itself.
std::string patternOfPaths(const std::vector<Place>& places)
{
    std::string pattern;
    for (const Place& place : places)
        if (!place.path.empty())
            pattern += (pattern.empty() ? "\"" : " | \"") + place.path + "\"";
    return pattern;
}

/// Shell code that finds the verb and puts it into $verb. `first` and `last` are the words that it looks at.
std::string readVerb(const std::vector<Place>& places, const std::string& loop, const std::string& word)
{
    return "    local verb= word i\n    for (( " + loop + " )); do\n        word=" + word +
           "\n        case \"${verb:+$verb }$word\" in\n            " + patternOfPaths(places) +
           ") verb=\"${verb:+$verb }$word\" ;;\n            *) break ;;\n        esac\n    done\n";
}

std::string bashScript(const std::vector<Place>& places)
{
    std::string script = "# Completion of apertune for bash; `apertune completion bash` prints it.\n_apertune()\n{\n"
                         "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n" +
                         readVerb(places, "i = 1; i < COMP_CWORD; i++", "${COMP_WORDS[i]}") +
                         "    case \"$verb $previous\" in\n";
    for (const Place& place : places)
        for (const Completed& option : place.options)
            // An option without known words is completed with files.
            if (option.takesValue)
                for (const std::string& name : option.names)
                    script += "        \"" + place.path + " " + name + "\")\n            COMPREPLY=($(compgen " +
                              (option.words.empty() ? "-f" : "-W \"" + base::join(option.words, " ") + "\"") +
                              " -- \"$current\"))\n            return ;;\n";
    script += "    esac\n    local words=\n    case \"$verb\" in\n";
    for (const Place& place : places)
        script += "        \"" + place.path + "\") words=\"" + wordsOf(place) + "\" ;;\n";
    return script + "    esac\n"
                    "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
                    // A place without words is completed with files as well.
                    "    if [[ ${#COMPREPLY[@]} -eq 0 ]]; then\n"
                    "        COMPREPLY=($(compgen -f -- \"$current\"))\n"
                    "    fi\n"
                    "}\ncomplete -o filenames -F _apertune apertune\n";
}

std::string described(const std::string& word, const std::string& help)
{
    return singleQuoted(base::replaced(word, ":", "\\:") + ":" + help);
}

std::string zshScript(const std::vector<Place>& places)
{
    std::string script = "#compdef apertune\n# Completion of apertune for zsh; `apertune completion zsh` prints it.\n"
                         "_apertune()\n{\n    local -a verbs options\n"
                         "    local previous=$words[CURRENT-1]\n" +
                         readVerb(places, "i = 2; i < CURRENT; i++", "$words[i]") + "    case \"$verb $previous\" in\n";
    for (const Place& place : places)
        for (const Completed& option : place.options)
            if (option.takesValue)
                for (const std::string& name : option.names)
                    script += "        \"" + place.path + " " + name + "\") " +
                              (option.words.empty() ? "_files" : "compadd " + base::join(option.words, " ")) +
                              "; return ;;\n";
    script += "    esac\n    case \"$verb\" in\n";
    for (const Place& place : places) {
        script += "        \"" + place.path + "\")\n            verbs=(";
        for (const Next& next : place.next)
            script += "\n                " + described(next.word, next.help);
        script += ")\n            options=(";
        for (const Completed& option : place.options)
            for (const std::string& name : option.names)
                script += "\n                " + described(name, option.help);
        script += ") ;;\n";
    }
    // zsh distinguishes options by their first letter.
    return script + "    esac\n"
                    "    if [[ $words[CURRENT] == -* ]]; then\n"
                    "        _describe -o option options\n"
                    "    elif (( $#verbs )); then\n"
                    "        _describe verb verbs\n"
                    "    else\n"
                    "        _files\n"
                    "    fi\n"
                    "}\n_apertune \"$@\"\n";
}

std::string fishScript(const std::vector<Place>& places)
{
    std::string script = "# Completion of apertune for fish; `apertune completion fish` prints it.\n"
                         "function __apertune_at\n"
                         "    set -l typed (commandline -opc)\n"
                         "    set -e typed[1]\n"
                         "    if test (count $argv) -eq 0\n"
                         "        test (count $typed) -eq 0\n"
                         // fish compares what was typed so far with the path of the place.
                         "    else\n"
                         "        test \"$typed[1..(count $argv)]\" = \"$argv\"\n"
                         "    end\n"
                         "end\n";
    for (const Place& place : places) {
        const std::string at =
            "complete -c apertune -n " + singleQuoted("__apertune_at" + (place.path.empty() ? "" : " " + place.path));
        for (const Next& next : place.next)
            script += at + " -f -a " + next.word + " -d " + singleQuoted(next.help) + "\n";
        for (const Completed& option : place.options) {
            script += at;
            for (const std::string& name : option.names)
                script += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            if (option.takesValue)
                script += option.words.empty() ? " -r" : " -x -a " + singleQuoted(base::join(option.words, " "));
            script += " -d " + singleQuoted(option.help) + "\n";
        }
    }
    return script;
}

} // namespace

std::string completionScript(const CommandTree& tree, Shell shell)
{
    const std::vector<Place> places = placesOf(tree);
    switch (shell) {
    case Shell::bash:
        return bashScript(places);
    case Shell::zsh:
        return zshScript(places);
    case Shell::fish:
        break;
    }
    return fishScript(places);
}

} // namespace apertune::cli
