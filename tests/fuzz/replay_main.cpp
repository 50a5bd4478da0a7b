// SPDX-License-Identifier: GPL-3.0-or-later
// PROGRAM [FILE|FOLDER]...   examines the seeds, then every file; the last line names the input that ended the program
#include "tests/fuzz/fuzz.h"

#include <algorithm>
#include <cstdio>
#include <memory>

namespace {

/// Copies the input to memory of exactly its size, so that a sanitizer reports each read past the end.
void examineBytes(const std::string& name, const std::string& bytes)
{
    std::printf("%s (%zu bytes)\n", name.c_str(), bytes.size());
    std::fflush(stdout);
    const auto exact = std::make_unique<char[]>(bytes.size());
    std::copy(bytes.begin(), bytes.end(), exact.get());
    apertune::fuzz::examine({exact.get(), bytes.size()});
}

} // namespace

int main(int argc, char** argv)
{
    namespace fs = std::filesystem;
    std::size_t number = 0;
    for (const std::string& seed : apertune::fuzz::seeds())
        examineBytes("seed " + std::to_string(number++), seed);
    std::vector<fs::path> files;
    for (int i = 1; i < argc; ++i) {
        if (!fs::is_directory(argv[i])) {
            files.emplace_back(argv[i]);
            continue;
        }
        for (const fs::directory_entry& entry : fs::directory_iterator(argv[i]))
            files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files)
        examineBytes(file.string(), apertune::fuzz::contentOf(file));
    std::printf("%zu inputs hold.\n", number + files.size());
}
