// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace apertune::bench {

/// How a benchmark is called: made first in main().
class Usage
{
public:
    /// `text`: "bench_noise [--trials 20]". Ends the program with it when --help or -h is among the words.
    Usage(int argc, char** argv, std::string text) : m_words(argv + 1, argv + argc), m_text(std::move(text))
    {
        for (const std::string& word : m_words)
            if (word == "--help" || word == "-h") {
                std::printf("usage: %s\n", m_text.c_str());
                std::exit(0);
            }
    }

    const std::vector<std::string>& words() const { return m_words; }

    /// The words as options with a value each.
    std::vector<std::pair<std::string, std::string>> options() const
    {
        std::vector<std::pair<std::string, std::string>> options;
        for (std::size_t i = 0; i < m_words.size(); i += 2) {
            if (i + 1 == m_words.size())
                refuse(m_words[i]);
            options.emplace_back(m_words[i], m_words[i + 1]);
        }
        return options;
    }

    /// Ends the program: the word is nothing that it knows, or lacks its value.
    [[noreturn]] void refuse(const std::string& word) const
    {
        std::fprintf(stderr, "unknown option, or no value for %s\nusage: %s\n", word.c_str(), m_text.c_str());
        std::exit(2);
    }

private:
    std::vector<std::string> m_words;
    std::string m_text;
};

} // namespace apertune::bench
