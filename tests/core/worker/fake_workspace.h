// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/model/json_codec.h"
#include "core/worker/installation.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace apertune::worker::testing {

/// A temporary folder with a scripted model in it (plugins/fake/fake.md).
class FakeArtifact
{
public:
    explicit FakeArtifact(const base::Json& script = base::Json::object())
        : m_dir(std::move(base::TemporaryDir::create("test")).value())
    {
        write(script);
    }
    void write(const base::Json& script)
    {
        (void)base::writeFileAtomically(path() / "fake.json", script.is_null() ? "{}" : script.dump());
    }
    const std::filesystem::path& path() const { return m_dir.path(); }

private:
    base::TemporaryDir m_dir;
};

inline Installation thisBuild()
{
    const auto prefix = base::installPrefix();
    Installation installation;
    installation.worker = prefix / "bin" / "apertune-worker";
    installation.plugins = prefix / "lib" / "apertune" / "plugins";
    return installation;
}

inline model::Device cpu()
{
    model::Device device;
    device.id = "cpu";
    device.name = "test CPU";
    device.cores = 2;
    device.threads = 2;
    device.isa = {"avx2", "avx512_bf16"};
    return device;
}

/// The arguments of a prepare command, with a warm-up that does not waste a test's time.
inline base::Json prepareCommand(const FakeArtifact& artifact, const model::Config& config,
                                 const std::string& device = "cpu")
{
    return {{"t", "prepare"},
            {"session", 1},
            {"request",
             {{"artifact", artifact.path().string()},
              {"device", device},
              {"config", model::toJson(config)},
              {"package", nullptr},
              {"inputs", 4}}},
            {"warmup_min_ns", 1000000},
            {"warmup_max_ns", 200000000}};
}

inline model::Config configuration(model::OptLevel level = model::OptLevel::o0,
                                   model::Precision precision = model::Precision::fp32, int batch = 1)
{
    model::Config config = model::makeConfig(level, precision, batch, 1, model::DeviceType::cpu());
    config.backend = "fake";
    return config;
}

} // namespace apertune::worker::testing
