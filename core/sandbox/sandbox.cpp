// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sandbox/sandbox.h"

#include "core/base/errors.h"
#include "core/base/mutex.h"
#include "core/base/program_file.h"
#include "core/base/run_child.h"
#include "core/base/text.h"
#include "core/sandbox/confined_child.h"
#include "core/sandbox/errors.h"
#include "core/sandbox/system_paths.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

namespace apertune::sandbox {

namespace {

struct SharedSettings
{
    base::Mutex mutex; ///< a leaf lock: no other is taken under it
    Settings settings APERTUNE_GUARDED_BY(mutex) = Settings::fromEnvironment();
};

SharedSettings& shared()
{
    static SharedSettings s_shared;
    return s_shared;
}

/// The layers for a child: what the kernel has, less what was left out and what the profile has no use for.
std::set<Layer> layersFor(const Profile& profile, const Settings& chosen)
{
    std::set<Layer> layers;
    for (const LayerState& state : layerStates())
        if (state.available && !chosen.off.contains(state.layer))
            layers.insert(state.layer);
    // A child that can start nothing has nothing that could outlive it, and engines compare process numbers with those
    // that the driver tells.
    if (!profile.programs)
        layers.erase(Layer::processes);
    // Whether drivers of GPUs work in a user namespace was never tried, and only root has the others without one.
    if (profile.gpu && ::geteuid() != 0) {
        layers.erase(Layer::network);
        layers.erase(Layer::processes);
    }
    // These two take effect only with it.
    if (!layers.contains(Layer::noNewRights)) {
        layers.erase(Layer::files);
        layers.erase(Layer::systemCalls);
    }
    // The death of the parent ends the child in any case.
    layers.insert(Layer::parentDeath);
    return layers;
}

/// Makes the device files of NVIDIA's driver that the first program to use a GPU would make. It does so by a
/// set-user-id program, which a confined child cannot start.
void makeGpuDevices()
{
    std::error_code ignored;
    if (std::filesystem::exists("/dev/nvidiactl", ignored) && !std::filesystem::exists("/dev/nvidia-uvm", ignored))
        static_cast<void>(base::runChild({"nvidia-modprobe", "-c", "0", "-u"}, base::fromSeconds(10), {}));
}

std::vector<std::filesystem::path> pathsIn(const char* variable)
{
    const char* const value = std::getenv(variable);
    std::vector<std::filesystem::path> paths;
    for (const std::string& path : base::splitList(value ? value : "", ':'))
        paths.emplace_back(path);
    return paths;
}

} // namespace

Settings Settings::none()
{
    Settings settings;
    for (const Layer layer : kLayers)
        if (layer != Layer::parentDeath)
            settings.off.insert(layer);
    return settings;
}

Settings Settings::fromEnvironment()
{
    const char* const word = std::getenv("APERTUNE_SANDBOX");
    Settings settings = word && std::string_view(word) == "off" ? none() : Settings();
    // Folders that a user adds count for all children.
    settings.read = pathsIn("APERTUNE_SANDBOX_READ");
    settings.write = pathsIn("APERTUNE_SANDBOX_WRITE");
    return settings;
}

void setSettings(Settings settings)
{
    const base::Lock lock(shared().mutex);
    shared().settings = std::move(settings);
}

Settings settings()
{
    const base::Lock lock(shared().mutex);
    return shared().settings;
}

bool ConfinedChild::isGuarded() const
{
    return std::find(layers.begin(), layers.end(), toString(Layer::processes)) != layers.end();
}

int programOf(int guard)
{
    // The guard's only child is the first process of the namespace, and the program is that one's first child.
    int pid = guard;
    for (int step = 0; step < 2 && pid > 0; ++step) {
        std::ifstream file("/proc/" + std::to_string(pid) + "/task/" + std::to_string(pid) + "/children");
        if (!(file >> pid))
            return 0;
    }
    return pid;
}

base::Result<ConfinedChild> start(base::ChildCommand command, const Profile& profile)
{
    const Settings chosen = settings();
    const std::filesystem::path program =
        base::programFile(command.argv.empty() ? std::string() : command.argv.front());
    if (program.empty())
        return base::Error{base::ErrorCode::notFound,
                           base::message<errors::kProgramNotFound>(command.argv.empty() ? "" : command.argv.front()),
                           {},
                           base::message<base::errors::kCheckProgram>()};
    // A confined child could not start the program that makes them.
    if (profile.gpu)
        makeGpuDevices();
    Profile extended = profile;
    extended.read.insert(extended.read.end(), chosen.read.begin(), chosen.read.end());
    extended.write.insert(extended.write.end(), chosen.write.begin(), chosen.write.end());
    const std::set<Layer> layers = layersFor(profile, chosen);
    auto entry = ConfinedEntry::create(layers, extended, program);
    if (!entry)
        return entry.error();
    command.entry = *entry;
    auto process = base::ChildProcess::start(command);
    if (!process)
        return process.error();
    ConfinedChild child{std::move(*process), {}};
    for (const Layer layer : kLayers)
        if (layers.contains(layer))
            child.layers.emplace_back(toString(layer));
    return child;
}

} // namespace apertune::sandbox
