// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_times.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>

namespace apertune::base {

namespace {

template <typename Time>
std::int64_t nanoseconds(const Time& time)
{
    return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

} // namespace

std::int64_t fileClockNow()
{
    timespec now{};
    // File systems stamp with this clock, which lags behind CLOCK_REALTIME by up to a tick. A time of the latter would
    // be later than the stamp of a file that was created after it.
    ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
    return nanoseconds(now);
}

bool isTemporaryDirSince(const std::filesystem::path& folder, std::int64_t since)
{
    // stat() has no time of creation.
    struct statx about = {};
    if (::statx(AT_FDCWD, folder.c_str(), AT_SYMLINK_NOFOLLOW, STATX_TYPE | STATX_MODE | STATX_UID | STATX_BTIME,
                &about) != 0)
        return false;
    return S_ISDIR(about.stx_mode) && (about.stx_mode & 0777) == 0700 && about.stx_uid == ::geteuid() &&
           (about.stx_mask & STATX_BTIME) != 0 && nanoseconds(about.stx_btime) >= since;
}

} // namespace apertune::base
