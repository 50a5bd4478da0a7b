// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/kit_platforms.h"

#include "core/base/json.h"
#include "core/exports/engine_program.h"
#include "core/model/device.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::exports {

using base::Json;

namespace {

constexpr const char* kKitFile = "kit.json";

std::string textOf(const Json& object, const char* name)
{
    return object.contains(name) ? object.at(name).dump() : std::string();
}

/// The files are part of the build, so a damaged one is a mistake of the tree, which every test would show.
KitEngine readEngine(const std::string& backend, const Json& kit)
{
    KitEngine engine;
    engine.backend = backend;
    engine.name = kit.at("engine").get<std::string>();
    engine.title = kit.at("title").get<std::string>();
    engine.module = kit.at("module").get<std::string>();
    engine.formats = kit.at("formats").get<std::vector<std::string>>();
    engine.level = model::levelFromString(kit.at("level").get<std::string>()).value();
    engine.switches = kit.at("switches").get<std::vector<std::string>>();
    engine.standIn = textOf(kit, "stand_in");
    return engine;
}

Platform readPlatform(const std::string& backend, const Json& kit, const Json& row)
{
    Platform platform;
    platform.name = row.at("name").get<std::string>();
    platform.title = row.at("title").get<std::string>();
    const auto word = row.at("device").get<std::string>();
    platform.device = model::isDeviceId(word) ? word : word + ":0";
    platform.backend = backend;
    platform.requirement = row.at("requirement").get<std::string>();
    platform.remark = row.value("remark", "");
    for (const auto& precision : row.value("precisions", kit.at("precisions")).get<std::vector<std::string>>())
        platform.precisions.push_back(model::precisionFromString(precision).value());
    platform.target = textOf(row, "target");
    platform.anyEngine = row.value("any_engine", false);
    return platform;
}

} // namespace

const std::vector<KitEngine>& kitEngines()
{
    static const std::vector<KitEngine> kEngines = [] {
        std::vector<KitEngine> engines;
        for (const auto& [backend, text] : engineFiles(kKitFile))
            engines.push_back(readEngine(backend, Json::parse(text)));
        return engines;
    }();
    return kEngines;
}

const std::vector<Platform>& platforms()
{
    static const std::vector<Platform> kPlatforms = [] {
        std::vector<Platform> all;
        for (const auto& [backend, text] : engineFiles(kKitFile)) {
            const Json kit = Json::parse(text);
            for (const Json& row : kit.at("platforms"))
                all.push_back(readPlatform(backend, kit, row));
        }
        return all;
    }();
    return kPlatforms;
}

const Platform* findPlatform(std::string_view name)
{
    const auto& all = platforms();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Platform& known) { return known.name == name; });
    return found == all.end() ? nullptr : &*found;
}

const KitEngine& engineOf(const Platform& platform)
{
    const auto& all = kitEngines();
    return *std::find_if(all.begin(), all.end(),
                         [&](const KitEngine& engine) { return engine.backend == platform.backend; });
}

} // namespace apertune::exports
