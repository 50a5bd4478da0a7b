// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sandbox/file_rules.h"

#include "core/sandbox/errors.h"
#include "core/sandbox/layers.h"
#include "core/sandbox/system_paths.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

namespace apertune::sandbox {

namespace fs = std::filesystem;

namespace {

// The kernel's interface (linux/landlock.h). Headers of older systems lack the later parts, so they stand here.
constexpr std::uint64_t kExecute = 1U << 0, kWriteFile = 1U << 1, kReadFile = 1U << 2, kReadFolder = 1U << 3,
                        kRemoveFolder = 1U << 4, kRemoveFile = 1U << 5, kMakeCharDevice = 1U << 6,
                        kMakeFolder = 1U << 7, kMakeFile = 1U << 8, kMakeSocket = 1U << 9, kMakeFifo = 1U << 10,
                        kMakeBlockDevice = 1U << 11, kMakeLink = 1U << 12, kMoveBetweenFolders = 1U << 13,
                        kTruncate = 1U << 14, kControlDevice = 1U << 15;
constexpr std::uint64_t kBindTcp = 1U << 0, kConnectTcp = 1U << 1;
constexpr std::uint64_t kAbstractSockets = 1U << 0, kSignals = 1U << 1;
constexpr long kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446; // the same on every processor
constexpr int kRuleOfPath = 1;

struct RulesetAttributes
{
    std::uint64_t files;
    std::uint64_t network;
    std::uint64_t scoped;
};

struct [[gnu::packed]] PathRule
{
    std::uint64_t allowed;
    std::int32_t parent;
};

constexpr std::uint64_t kForFiles = kExecute | kWriteFile | kReadFile | kTruncate | kControlDevice;
constexpr std::uint64_t kRead = kReadFile | kReadFolder;
constexpr std::uint64_t kWrite = kRead | kWriteFile | kTruncate | kRemoveFolder | kRemoveFile | kMakeFolder |
                                 kMakeFile | kMakeFifo | kMakeLink | kMoveBetweenFolders;

/// The rights that a version of the interface knows. The kernel refuses rules with others.
std::uint64_t fileRightsOf(int version)
{
    std::uint64_t rights = kExecute | kWriteFile | kReadFile | kReadFolder | kRemoveFolder | kRemoveFile |
                           kMakeCharDevice | kMakeFolder | kMakeFile | kMakeSocket | kMakeFifo | kMakeBlockDevice |
                           kMakeLink;
    if (version >= 2)
        rights |= kMoveBetweenFolders;
    if (version >= 3)
        rights |= kTruncate;
    if (version >= 5)
        rights |= kControlDevice;
    return rights;
}

/// Returns errno, or 0. A path that does not exist needs no rule.
int allow(int ruleset, const fs::path& path, std::uint64_t rights)
{
    const int fd = ::open(path.c_str(), O_PATH | O_CLOEXEC);
    if (fd < 0)
        return 0;
    struct stat found = {};
    // The kernel refuses rights of folders in a rule for a file.
    if (::fstat(fd, &found) == 0 && !S_ISDIR(found.st_mode))
        rights &= kForFiles;
    // The file is named by its descriptor, so no other process can exchange it in between.
    PathRule rule{rights & fileRightsOf(landlockVersion()), fd};
    const int failure = ::syscall(kAddRule, ruleset, kRuleOfPath, &rule, 0) == 0 ? 0 : errno;
    ::close(fd);
    return failure;
}

} // namespace

base::Result<FileRules> FileRules::create(const Profile& profile, const fs::path& program)
{
    const int version = landlockVersion();
    // Each version of the interface has a longer structure; an older kernel refuses fields that it does not know.
    const RulesetAttributes handled{fileRightsOf(version), version >= 4 ? kBindTcp | kConnectTcp : 0,
                                    version >= 6 ? kAbstractSockets | kSignals : 0};
    const std::size_t size = version >= 6   ? sizeof handled
                             : version >= 4 ? 2 * sizeof handled.files
                                            : sizeof handled.files;
    FileRules rules(static_cast<int>(::syscall(kCreateRuleset, &handled, size, 0)));
    int failure = rules.m_fd < 0 ? errno : 0;
    const auto add = [&](const std::vector<fs::path>& paths, std::uint64_t rights) {
        // A failed rule ends the set-up: the program must not run with fewer rules than planned.
        for (const fs::path& path : paths)
            if (failure == 0)
                failure = allow(rules.m_fd, path, rights);
    };
    // Without other programs, only the program itself and its loader are executable.
    const std::uint64_t library = kRead | (profile.programs ? kExecute : 0);
    add(systemFolders(), library);
    add({program}, kReadFile | kExecute);
    if (!profile.programs)
        add({"/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"}, kReadFile | kExecute);
    add(machineFacts(), kRead);
    add(harmlessDevices(), kReadFile | kWriteFile | kControlDevice);
    if (profile.gpu)
        add(gpuDevices(), kWrite | kControlDevice);
    // Python lists a folder before it imports from it, so the names of hidden entries can be seen.
    const auto addVisible = [&](const fs::path& folder) {
        add({folder}, kReadFolder);
        add(visibleEntries(folder), library);
    };
    for (const fs::path& path : profile.read)
        // A folder that holds the home would open all of the user's files.
        if (holdsHome(path))
            addVisible(path);
        else
            add({path}, library);
    for (const fs::path& folder : profile.projects)
        addVisible(folder);
    add(profile.write, kWrite);
    if (failure != 0)
        return base::Error{base::ErrorCode::io,
                           base::message<errors::kNoRules>(std::strerror(failure)),
                           {},
                           base::message<errors::kWithoutSandbox>()};
    return rules;
}

FileRules::FileRules(FileRules&& other) noexcept : m_fd(std::exchange(other.m_fd, -1))
{
}

FileRules::~FileRules()
{
    if (m_fd >= 0)
        ::close(m_fd);
}

int FileRules::enforce() const noexcept
{
    // A process may change what the kernel shows of itself. The folder is only known now.
    const int self = ::open("/proc/self", O_PATH | O_DIRECTORY | O_CLOEXEC);
    // Without /proc the rule is not needed.
    if (self >= 0) {
        PathRule rule{(kRead | kWriteFile | kTruncate) & fileRightsOf(landlockVersion()), self};
        const long added = ::syscall(kAddRule, m_fd, kRuleOfPath, &rule, 0);
        ::close(self);
        if (added != 0)
            return errno;
    }
    return ::syscall(kRestrictSelf, m_fd, 0) == 0 ? 0 : errno;
}

} // namespace apertune::sandbox
