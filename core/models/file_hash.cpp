// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/file_hash.h"

#include "core/base/hash.h"
#include "core/base/mutex.h"

#include <sys/stat.h>

#include <ctime>
#include <map>
#include <optional>

namespace apertune::models {

namespace fs = std::filesystem;

namespace {

/// The hashes of files, each read once while it does not change.
class KnownHashes
{
public:
    base::Result<std::string> of(const fs::path& file)
    {
        const std::optional<Version> version = versionOf(file);
        {
            // The lock is not held while a file is hashed, which may take seconds.
            const base::Lock lock(m_mutex);
            const auto known = m_known.find(file);
            if (version && known != m_known.end() && known->second.version == *version)
                return known->second.sha256;
        }
        auto hash = base::sha256File(file);
        // A file changed a moment ago can change again within the resolution of its times.
        constexpr std::int64_t kClockGrain = 2;
        if (hash && version && version->changedSeconds + kClockGrain < std::time(nullptr)) {
            const base::Lock lock(m_mutex);
            m_known[file] = {*version, *hash};
        }
        return hash;
    }

private:
    /// The facts by which a change of a file's content is noticed.
    struct Version
    {
        std::uint64_t device = 0;
        std::uint64_t inode = 0;
        std::int64_t size = 0;
        std::int64_t seconds = 0;
        std::int64_t nanoseconds = 0;
        std::int64_t changedSeconds = 0; ///< change time of the inode, which no program can set
        std::int64_t changedNanoseconds = 0;
        bool operator==(const Version&) const = default;
    };
    static std::optional<Version> versionOf(const fs::path& file)
    {
        struct stat found = {};
        if (::stat(file.c_str(), &found) != 0)
            return std::nullopt;
        return Version{found.st_dev,          found.st_ino,         found.st_size,        found.st_mtim.tv_sec,
                       found.st_mtim.tv_nsec, found.st_ctim.tv_sec, found.st_ctim.tv_nsec};
    }

    struct Known
    {
        Version version;
        std::string sha256;
    };
    base::Mutex m_mutex; ///< no other lock is taken while it is held
    std::map<fs::path, Known> m_known APERTUNE_GUARDED_BY(m_mutex);
};

} // namespace

base::Result<std::string> fileHash(const fs::path& file)
{
    static KnownHashes s_hashes;
    return s_hashes.of(file);
}

} // namespace apertune::models
