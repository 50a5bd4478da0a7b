// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/fuzz.h"

#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/sentences/sentences.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace apertune::fuzz {

void require(bool holds, const char* what)
{
    if (holds)
        return;
    std::fprintf(stderr, "fuzz: this does not hold: %s\n", what);
    std::abort();
}

void requireSentence(const base::Error& error)
{
    const auto refuse = [&](const char* what) {
        std::fprintf(stderr, "fuzz: %s: %s\n", what, sentences::describe(error).c_str());
        std::abort();
    };
    if (!sentences::sentence(error.message).ends_with('.'))
        refuse("the message is no sentence");
    // A sentence, or a command to type.
    const std::string hint = sentences::sentence(error.hint);
    if (!hint.ends_with('.') && hint.find(": ") == std::string::npos)
        refuse("there is no hint");
    if (error.code == base::ErrorCode::internal)
        refuse("the error is internal");
}

MemoryFile::MemoryFile(std::string_view bytes)
    : m_fd(::memfd_create("fuzz", MFD_CLOEXEC)), m_path("/proc/self/fd/" + std::to_string(m_fd))
{
    require(m_fd >= 0 && ::write(m_fd, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
            "a file in memory can be made");
}

MemoryFile::~MemoryFile()
{
    ::close(m_fd);
}

const std::filesystem::path& scratchFolder()
{
    static const base::TemporaryDir folder = [] {
        auto made = base::TemporaryDir::create("fuzz");
        require(made.ok(), "a temporary folder can be made");
        return std::move(made).value();
    }();
    return folder.path();
}

std::string contentOf(const std::filesystem::path& file)
{
    auto bytes = base::readFile(file);
    require(bytes.ok(), "a file can be read");
    return std::move(bytes).value();
}

} // namespace apertune::fuzz
