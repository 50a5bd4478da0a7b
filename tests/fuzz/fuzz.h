// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// A fuzz target is one source that defines examine() and seeds(). Two programs use it:
///
/// - In the preset fuzz, libFuzzer generates inputs (libfuzzer_main.cpp).
/// - In other builds, replay_main.cpp examines the seeds and the inputs that once found a bug.
namespace apertune::fuzz {

/// Passes one input, valid or not, to a parser and checks the contract in the parser's header.
void examine(std::string_view input);

/// Returns initial inputs, made by the writers of the format.
std::vector<std::string> seeds();

/// Aborts the program unless `holds`, so that the fuzzer keeps the input.
void require(bool holds, const char* what);

/// Requires that an error has a sentence and a hint, and does not report a bug of Apertune.
void requireSentence(const base::Error& error);

/// Returns the value, or nullptr for an error, which must pass requireSentence().
template <typename T>
const T* valueOf(const base::Result<T>& result)
{
    if (result)
        return &*result;
    requireSentence(result.error());
    return nullptr;
}

/// A file that exists in memory alone.
class MemoryFile
{
public:
    explicit MemoryFile(std::string_view bytes);
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    ~MemoryFile();

    const std::filesystem::path& path() const { return m_path; }

private:
    int m_fd;
    std::filesystem::path m_path;
};

/// A folder of this process, empty at first and removed at its end.
const std::filesystem::path& scratchFolder();

/// Returns the whole file; the program ends when it cannot be read.
std::string contentOf(const std::filesystem::path& file);

/// Takes numbers and texts off the front of an input; zeros and empty texts behind its end.
class Input
{
public:
    explicit Input(std::string_view bytes) : m_rest(bytes) {}

    bool atEnd() const { return m_rest.empty(); }
    std::string_view rest() const { return m_rest; }

    template <typename T>
    requires std::is_trivially_copyable_v<T> T take()
    {
        T value{};
        const std::string_view bytes = text(sizeof value);
        std::memcpy(&value, bytes.data(), bytes.size());
        return value;
    }
    std::string_view text(std::size_t most)
    {
        const std::string_view taken = m_rest.substr(0, most);
        m_rest.remove_prefix(taken.size());
        return taken;
    }
    /// The text up to the next line feed, which is taken too.
    std::string_view line()
    {
        const std::string_view taken = m_rest.substr(0, m_rest.find('\n'));
        m_rest.remove_prefix(std::min(taken.size() + 1, m_rest.size()));
        return taken;
    }

private:
    std::string_view m_rest;
};

/// Returns the bytes of numbers, as Input reads them.
template <typename... T>
std::string bytesOf(const T&... values)
{
    std::string bytes;
    (bytes.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
    return bytes;
}

} // namespace apertune::fuzz
