// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/shards/network_file_system.h"

#include <sys/vfs.h>

#include <algorithm>
#include <array>

namespace apertune::shards {

namespace {

// Of linux/magic.h, and of file systems that are not part of the kernel.
constexpr std::array<std::uint64_t, 14> kNetworkTypes{
    0x6969,     // NFS
    0x517b,     // SMB
    0xff534d42, // CIFS
    0xfe534d42, // SMB2
    0x65735546, // FUSE, such as sshfs
    0x01021997, // 9p
    0x00c36400, // Ceph
    0x0bd00bd0, // Lustre
    0x47504653, // GPFS
    0x19830326, // BeeGFS
    0x5346414f, // AFS
    0x01161970, // GFS2
    0x7461636f, // OCFS2
    0xaad7aaea, // PanFS
};

} // namespace

bool isNetworkType(std::uint64_t type)
{
    return std::find(kNetworkTypes.begin(), kNetworkTypes.end(), type) != kNetworkTypes.end();
}

bool isOnNetworkFileSystem(const std::filesystem::path& file)
{
    struct statfs system
    {
    };
    // The type is signed on some architectures, and its upper half is then that of the sign.
    return ::statfs(file.c_str(), &system) == 0 && isNetworkType(static_cast<std::uint32_t>(system.f_type));
}

} // namespace apertune::shards
