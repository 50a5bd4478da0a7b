// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sandbox/system_paths.h"

#include "core/base/contained_path.h"
#include "core/base/machine_facts.h"

#include <string>

namespace apertune::sandbox {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> existing(const std::vector<fs::path>& paths)
{
    std::vector<fs::path> found;
    std::error_code ignored;
    for (const fs::path& path : paths)
        if (fs::exists(path, ignored))
            found.push_back(path);
    return found;
}

} // namespace

std::vector<fs::path> systemFolders()
{
    return existing({"/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin", "/opt", "/nix/store", "/gnu/store"});
}

std::vector<fs::path> machineFacts()
{
    return existing({"/proc",
                     "/sys",
                     "/etc/ld.so.cache",
                     "/etc/ld.so.conf",
                     "/etc/ld.so.conf.d",
                     "/etc/ld.so.preload",
                     "/etc/alternatives",
                     "/etc/localtime",
                     "/etc/timezone",
                     "/etc/locale.alias",
                     "/etc/nsswitch.conf",
                     "/etc/passwd",
                     "/etc/group",
                     "/etc/os-release",
                     "/etc/debian_version",
                     "/etc/lsb-release",
                     "/etc/OpenCL",
                     "/etc/vulkan",
                     "/etc/nvidia",
                     "/etc/mime.types",
                     "/etc/ssl/openssl.cnf",
                     "/etc/ssl/certs",
                     "/etc/python3",
                     "/etc/python3.11",
                     "/etc/python3.12",
                     "/etc/python3.13",
                     "/etc/fonts",
                     "/run/nvidia-persistenced"});
}

std::vector<fs::path> harmlessDevices()
{
    return existing({"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"});
}

std::vector<fs::path> gpuDevices()
{
    std::vector<fs::path> found =
        existing({"/dev/dri", "/dev/accel", "/dev/kfd", "/dev/dxg", "/dev/nvmap", "/dev/shm"});
    std::error_code code;
    for (fs::directory_iterator it("/dev", code), end; !code && it != end; it.increment(code))
        for (const char* prefix : {"nvidia", "nvhost", "nvgpu"})
            if (it->path().filename().string().starts_with(prefix))
                found.push_back(it->path());
    return found;
}

std::vector<fs::path> visibleEntries(const fs::path& folder)
{
    std::vector<fs::path> entries;
    std::error_code code;
    for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
        const fs::path entry = it->path();
        std::error_code ignored;
        if (entry.filename().string().starts_with('.') || it->is_symlink(ignored))
            continue;
        if (!holdsHome(entry)) {
            entries.push_back(entry);
            continue;
        }
        for (fs::path& inner : visibleEntries(entry))
            entries.push_back(std::move(inner));
    }
    return entries;
}

bool holdsHome(const fs::path& folder)
{
    const fs::path named = base::homeFolder();
    if (named.empty())
        return false;
    // Either path may lead to the other through links.
    std::error_code code;
    const fs::path home = fs::canonical(named, code);
    if (code)
        return false;
    const fs::path real = fs::canonical(folder, code);
    return !code && fs::is_directory(real, code) && base::isWithin(real, home);
}

} // namespace apertune::sandbox
