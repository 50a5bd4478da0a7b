// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/standin/tally.h"

#include "tests/standin/settings.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>

namespace apertune::standin {

Tally& Tally::process()
{
    static Tally tally;
    return tally;
}

Tally::Tally()
{
    constexpr std::size_t kBytes = kCounts * sizeof(std::uint64_t);
    const std::string& folder = settings().tally;
    const std::string name = folder + "/" + std::to_string(::getpid());
    const int file = folder.empty() ? -1 : ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    const bool usable = file >= 0 && ::ftruncate(file, kBytes) == 0;
    void* const memory = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                                usable ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, usable ? file : -1, 0);
    if (file >= 0)
        ::close(file);
    m_counts = static_cast<std::atomic<std::uint64_t>*>(memory); // a file of zeros
}

} // namespace apertune::standin
