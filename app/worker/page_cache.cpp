// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/page_cache.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace apertune::worker {

namespace fs = std::filesystem;

namespace {

struct PageCount
{
    std::int64_t all = 0;
    std::int64_t resident = 0;
};

/// Returns the pages of a file; those that cannot be looked up count as resident.
PageCount pagesOf(int file, std::size_t size)
{
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    // A file that cannot be mapped counts as resident: nothing was shown to be dropped.
    std::vector<unsigned char> states((size + page - 1) / page, 1);
    void* const at = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
    if (at != MAP_FAILED) {
        ::mincore(at, size, states.data());
        ::munmap(at, size);
    }
    const auto resident = std::count_if(states.begin(), states.end(), [](unsigned char s) { return (s & 1) != 0; });
    return {static_cast<std::int64_t>(states.size()), resident};
}

PageCount dropFile(const fs::path& path)
{
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct ::stat status = {};
    PageCount pages;
    // A file that cannot be read counts as resident.
    if (file < 0 || ::fstat(file, &status) != 0) {
        pages = {1, 1};
    } else if (status.st_size > 0) {
        ::fdatasync(file); // the kernel keeps pages that are not on the disk yet
        ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
        pages = pagesOf(file, static_cast<std::size_t>(status.st_size));
    }
    if (file >= 0)
        ::close(file);
    return pages;
}

} // namespace

double dropFromPageCache(const fs::path& path)
{
    PageCount sum;
    const auto add = [&sum](const fs::path& file) {
        const PageCount pages = dropFile(file);
        sum.all += pages.all;
        sum.resident += pages.resident;
    };
    std::error_code failed;
    if (!fs::is_directory(path, failed))
        add(path);
    else
        for (fs::recursive_directory_iterator it(path, failed), end; !failed && it != end; it.increment(failed))
            if (std::error_code ignored; it->is_regular_file(ignored))
                add(it->path());
    // The share of pages that stayed.
    return sum.all > 0 ? static_cast<double>(sum.resident) / static_cast<double>(sum.all) : 1;
}

} // namespace apertune::worker
