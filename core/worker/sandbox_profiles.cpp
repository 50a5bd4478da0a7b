// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/sandbox_profiles.h"

#include "core/base/files.h"
#include "core/base/machine_facts.h"
#include "core/base/text.h"

#include <cstdlib>
#include <fstream>

namespace apertune::worker {

namespace fs = std::filesystem;

namespace {

void addList(std::vector<fs::path>& paths, const char* variable)
{
    const char* const value = std::getenv(variable);
    for (const std::string& path : base::splitList(value ? value : "", ':'))
        if (!path.empty())
            paths.emplace_back(path);
}

/// The parts of an installation prefix that hold programs and libraries. Other parts may hold the user's data: the
/// prefix can be ~/.local.
void addPrefix(std::vector<fs::path>& paths, const fs::path& prefix)
{
    for (const char* part : {"bin", "lib", "lib64", "libexec", "include", "pyvenv.cfg"})
        paths.push_back(prefix / part);
}

/// The folders that packages in development are imported from. Files *.pth in site-packages name them, one a line.
void addDevelopedPackages(std::vector<fs::path>& paths, const fs::path& sitePackages)
{
    std::error_code code;
    for (fs::directory_iterator it(sitePackages, code), end; !code && it != end; it.increment(code)) {
        if (it->path().extension() != ".pth")
            continue;
        std::ifstream file(it->path());
        for (std::string line; std::getline(file, line);)
            // Other lines of such a file are programs or comments.
            if (line.starts_with('/'))
                paths.emplace_back(base::trimmed(line));
    }
}

/// The files that links in a folder of plugins stand for.
void addLinked(std::vector<fs::path>& paths, const fs::path& plugins)
{
    std::error_code code;
    for (fs::directory_iterator it(plugins, code), end; !code && it != end; it.increment(code)) {
        std::error_code broken;
        // A folder of plugins in a build tree holds links to libraries elsewhere.
        if (fs::path real = fs::canonical(it->path(), broken); it->is_symlink(broken) && !real.empty())
            paths.push_back(std::move(real));
    }
}

/// The files that every child of this installation loads.
void addEngines(std::vector<fs::path>& paths, const Installation& installation)
{
    paths.insert(paths.end(), {installation.worker, installation.plugins, installation.exporter});
    addLinked(paths, installation.plugins);
    // The packages beside torch are those that it needs.
    if (!installation.torchRoot.empty())
        paths.push_back(installation.torchRoot.parent_path());
    paths.insert(paths.end(), installation.engines.begin(), installation.engines.end());
    // Bundles and toolkits bring their libraries by these.
    addList(paths, "LD_LIBRARY_PATH");
    addList(paths, "LD_PRELOAD");
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        addList(paths, variable);
}

/// The address space that a child may use: more could never be backed by memory.
base::Bytes addressSpace()
{
    const base::MachineMemory memory = base::machineMemory();
    return memory.physical + memory.swap;
}

} // namespace

sandbox::Profile workerProfile(const Installation& installation, const LaunchRequest& request,
                               const fs::path& temporary)
{
    sandbox::Profile profile;
    addEngines(profile.read, installation);
    profile.read.insert(profile.read.end(), {base::userCacheDir() / "packages", base::userCacheDir() / "formats"});
    profile.read.insert(profile.read.end(), request.reads.begin(), request.reads.end());
    profile.write = request.writes;
    // Landlock has no rule for a folder that is yet to be made.
    std::error_code ignored;
    const fs::path cache = base::userCacheDir() / request.backend;
    fs::create_directories(cache, ignored);
    profile.write.insert(profile.write.end(), {temporary, cache});
    if (request.unpacks)
        profile.write.emplace_back(kUnpackingFolder);
    profile.gpu = !request.device.type.isCpu();
    if (const fs::path home = base::homeFolder(); profile.gpu && !home.empty())
        profile.write.push_back(home / ".nv" / "ComputeCache"); // code that NVIDIA's driver compiled
    // Drivers of GPUs reserve addresses far beyond the memory.
    if (!profile.gpu)
        profile.memory = addressSpace();
    return profile;
}

sandbox::Profile pythonProfile(const Installation& installation)
{
    sandbox::Profile profile;
    // Python starts compilers and other programs.
    profile.programs = true;
    addEngines(profile.read, installation);
    std::error_code code;
    addPrefix(profile.read, installation.python.parent_path().parent_path());
    // The interpreter may be a link into another environment.
    if (const fs::path real = fs::canonical(installation.python, code); !code)
        addPrefix(profile.read, real.parent_path().parent_path());
    if (const fs::path home = base::homeFolder(); !home.empty())
        profile.read.push_back(home / ".local" / "lib"); // packages that the user installed by pip
    if (!installation.torchRoot.empty())
        addDevelopedPackages(profile.read, installation.torchRoot.parent_path());
    // Compilers lie beside the programs of the search path.
    std::vector<fs::path> searched;
    addList(searched, "PATH");
    for (const fs::path& folder : searched)
        // Compilers need the headers and libraries beside their "bin".
        if (folder.filename() == "bin")
            addPrefix(profile.read, folder.parent_path());
        else
            profile.read.push_back(folder);
    profile.write.emplace_back("/dev/shm"); // semaphores of Python's multiprocessing
    profile.memory = addressSpace();
    return profile;
}

} // namespace apertune::worker
