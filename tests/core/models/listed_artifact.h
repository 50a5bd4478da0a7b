// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/temporary_dir.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace apertune::models::testing {

/// Another byte of the same file, which keeps its size. Twice: the file as it was.
inline void flipByte(const std::filesystem::path& file)
{
    std::string bytes = base::readFile(file).value();
    bytes.at(bytes.size() / 2) ^= 1;
    (void)base::writeFileAtomically(file, bytes);
}

/// Files of a few bytes and a manifest that lists them by size and hash, in `folder`.
inline void listFiles(const std::filesystem::path& folder)
{
    const auto described = [&](const std::string& name, const char* member) {
        const std::string content = "the bytes of " + name;
        (void)base::writeFileAtomically(folder / name, content);
        return base::Json{{member, name}, {"bytes", content.size()}, {"sha256", base::sha256(content)}};
    };
    base::Json ir = described("model.xml", "path");
    ir["beside"] = base::Json::array({described("model.bin", "path")});
    base::Json input = described("inputs/0.bin", "file");
    input.erase("bytes");
    input.update({{"name", "x"}, {"dtype", "float32"}, {"shape", {1, 3}}, {"batch_dim", 0}});
    const base::Json manifest{
        {"schema", "apertune.model/1"},
        {"name", "net"},
        {"source", "torchvision:resnet18"},
        {"content_hash", "0123"},
        {"inputs", base::Json::array({input})},
        {"outputs", base::Json::array()},
        {"files", {{"torchscript", described("model.ts.pt", "path")}, {"exported", nullptr}, {"openvino_ir", ir}}}};
    (void)base::writeFileAtomically(folder / "manifest.json", manifest.dump());
}

class ListedArtifact
{
public:
    ListedArtifact() { listFiles(path()); }
    const std::filesystem::path& path() const { return m_dir.path(); }

private:
    base::TemporaryDir m_dir = base::TemporaryDir::create("artifact").value();
};

} // namespace apertune::models::testing
