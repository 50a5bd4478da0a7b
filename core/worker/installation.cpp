// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/installation.h"

#include "core/base/files.h"
#include "core/base/machine_facts.h"
#include "core/base/program_file.h"
#include "core/base/text.h"
#include "core/worker/added_engines.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace apertune::worker {

namespace fs = std::filesystem;

namespace {

std::string environment(const char* name)
{
    const char* value = std::getenv(name);
    return value ? value : "";
}

bool isTorchPackage(const fs::path& folder)
{
    std::error_code ignored;
    // The library decides: a folder "torch" may be anything.
    return fs::exists(folder / "lib" / "libtorch_cpu.so", ignored);
}

/// Returns every …/python3.X/{site,dist}-packages/torch below a lib folder.
fs::path torchBelowLib(const fs::path& lib)
{
    std::error_code ignored;
    std::vector<fs::path> pythons;
    for (fs::directory_iterator it(lib, ignored), end; !ignored && it != end; it.increment(ignored))
        if (it->path().filename().string().starts_with("python3"))
            pythons.push_back(it->path());
    // Sorted, so that the choice does not depend on the order of the file system.
    std::sort(pythons.begin(), pythons.end());
    for (const fs::path& python : pythons)
        for (const char* packages : {"site-packages", "dist-packages"})
            if (isTorchPackage(python / packages / "torch"))
                return python / packages / "torch";
    return {};
}

/// A virtual environment's python is bin/python3 of that environment. Packages outside the environment are ignored.
fs::path torchOfPython(const fs::path& python)
{
    if (python.empty())
        return {};
    if (fs::path torch = torchPackageIn(python.parent_path().parent_path()); !torch.empty())
        return torch;
    // pip installs packages of the system's Python below the home.
    if (const fs::path home = base::homeFolder(); !home.empty())
        return torchBelowLib(home / ".local" / "lib");
    return {};
}

/// Returns the site-packages folders of a path that a user named: such a folder itself, or an environment.
std::vector<fs::path> sitePackagesIn(const fs::path& folder)
{
    std::error_code ignored;
    if (folder.empty() || !fs::is_directory(folder, ignored))
        return {};
    if (folder.filename() == "site-packages" || folder.filename() == "dist-packages")
        return {folder};
    std::vector<fs::path> found;
    for (fs::directory_iterator it(folder / "lib", ignored), end; !ignored && it != end; it.increment(ignored))
        if (it->path().filename().string().starts_with("python3") && fs::is_directory(it->path() / "site-packages"))
            found.push_back(it->path() / "site-packages");
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<fs::path> engineFolders(const fs::path& torchRoot)
{
    std::vector<fs::path> found;
    const auto add = [&](const std::vector<fs::path>& folders) {
        found.insert(found.end(), folders.begin(), folders.end());
    };
    // Folders that the user names or added come before those of the set-up.
    for (const std::string& named : base::splitList(environment("APERTUNE_ENGINES"), ':'))
        add(sitePackagesIn(named));
    add(addedEnginePackages());
    add(sitePackagesIn(base::userCacheDir() / "engines" / "current"));
    // Engines may be installed beside torch.
    if (!torchRoot.empty())
        found.push_back(torchRoot.parent_path());
    return found;
}

/// Returns the interpreter of an environment, …/lib/python3.X/site-packages/torch -> …/bin/python3, if it exists.
fs::path pythonOfTorch(const fs::path& torch)
{
    // torch lies four levels below the prefix.
    const fs::path prefix = torch.parent_path().parent_path().parent_path().parent_path();
    for (const char* name : {"python3", "python"})
        if (const fs::path python = prefix / "bin" / name; ::access(python.c_str(), X_OK) == 0)
            return python;
    return {};
}

} // namespace

fs::path torchPackageIn(const fs::path& folder)
{
    if (folder.empty())
        return {};
    // The name may stand for the package itself, a folder in it or the folder that holds it.
    for (const fs::path& candidate : {folder, folder.parent_path(), folder / "torch"})
        if (isTorchPackage(candidate))
            return candidate;
    for (const fs::path& lib : {folder / "lib", folder / "local" / "lib", folder / "lib64"})
        if (fs::path torch = torchBelowLib(lib); !torch.empty())
            return torch;
    return {};
}

fs::path cuptiLibrary(const fs::path& torchRoot, const fs::path& root)
{
    std::vector<fs::path> folders;
    // A wheel brings CUPTI beside torch, in a place that depends on its CUDA version.
    if (!torchRoot.empty())
        folders = {torchRoot / "lib", torchRoot.parent_path() / "nvidia/cu13/lib",
                   torchRoot.parent_path() / "nvidia/cuda_cupti/lib"};
    folders.push_back(root / "usr/local/cuda/lib64");
    folders.push_back(root / "usr/local/cuda/extras/CUPTI/lib64");
    std::error_code ignored;
    for (const fs::path& folder : folders)
        if (fs::exists(folder / "libcupti.so.13", ignored))
            return folder / "libcupti.so.13";
    return {};
}

Installation Installation::locate()
{
    const fs::path prefix = base::installPrefix();
    Installation found;
    found.worker = prefix / "bin" / "apertune-worker";
    found.plugins = prefix / "lib" / "apertune" / "plugins";
    found.exporter = prefix / "share" / "apertune" / "exporter";

    const fs::path setUp = base::userCacheDir() / "env" / "current";
    // Variables of the user come first, then added engines, the set-up's environment and the Python of the search path.
    found.python = environment("APERTUNE_PYTHON");
    found.torchRoot = torchPackageIn(environment("APERTUNE_TORCH"));
    if (found.torchRoot.empty())
        found.torchRoot = torchOfPython(found.python);
    for (const fs::path& packages : addedEnginePackages())
        if (found.torchRoot.empty())
            found.torchRoot = torchPackageIn(packages / "torch");
    if (found.torchRoot.empty())
        found.torchRoot = torchPackageIn(setUp);
    if (found.torchRoot.empty())
        found.torchRoot = torchOfPython(base::programFile("python3"));
    // Python and torch belong together: another interpreter could not import this torch.
    if (found.python.empty() && !found.torchRoot.empty())
        found.python = pythonOfTorch(found.torchRoot);
    if (found.python.empty())
        found.python = base::programFile("python3");
    found.engines = engineFolders(found.torchRoot);
    return found;
}

} // namespace apertune::worker
