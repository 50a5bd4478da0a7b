// SPDX-License-Identifier: GPL-3.0-or-later
// Sweep files: core/sweeps/sweep_file.h. The texts are parsed by libyaml, whose events become entries.
#include "core/sweeps/sweep_file.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>
#include <set>

namespace apertune::fuzz {

namespace {

using sweeps::SweepEntry;

void requireSame(const std::vector<SweepEntry>& entries, const std::string& text)
{
    const auto again = sweeps::readSweep(text);
    require(static_cast<bool>(again), "what was written can be read");
    require(again->size() == entries.size(), "what was written has every key");
    for (std::size_t i = 0; i < entries.size(); ++i)
        require((*again)[i].key == entries[i].key && (*again)[i].form == entries[i].form &&
                    (*again)[i].values == entries[i].values,
                "a key is read as it was written");
}

/// Whether the values of a map are words that switches have.
bool isWritable(const SweepEntry& entry)
{
    return entry.form != SweepEntry::Form::map ||
           std::all_of(entry.values.begin(), entry.values.end(), [](const std::string& value) {
               return value.find("=") == value.rfind("=") && (value.ends_with("=on") || value.ends_with("=off"));
           });
}

} // namespace

void examine(std::string_view input)
{
    const auto read = sweeps::readSweep(input);
    const std::vector<SweepEntry>* const entries = valueOf(read);
    if (!entries)
        return;
    std::set<std::string> keys;
    for (const SweepEntry& entry : *entries) {
        require(keys.insert(entry.key).second, "no key is there twice");
        require(entry.line > 0, "an entry has a line");
        require(!entry.values.empty(), "an entry has a value");
        for (const std::string& value : entry.values)
            require(!value.empty(), "a value has a text");
    }
    static_cast<void>(sweeps::commandWords(*entries));
    if (std::all_of(entries->begin(), entries->end(), isWritable)) {
        requireSame(*entries, sweeps::sweepYaml(*entries));
        requireSame(*entries, sweeps::sweepJson(*entries));
    }
}

std::vector<std::string> seeds()
{
    return {"schema: apertune.sweep/1\nmodel: resnet50\nlevels: [O0, O1]\nbatches:\n  - 1\n  - 8\nspread: true\n"
            "switch:\n  freeze: [on, off]\n",
            R"({"model": "m", "levels": ["O0"], "spread": false, "switch": {"freeze": true}, "budget": "2m"})",
            "a: &x [1]\nb: *x\n",
            "a: !tag 'x'\n# comment\nb: |\n  text\n  more\n",
            "? [a]\n: {b: c}\n--- \nx\n...\n",
            "a: \"\\u00e9\\x41\\n\"\n"};
}

} // namespace apertune::fuzz
