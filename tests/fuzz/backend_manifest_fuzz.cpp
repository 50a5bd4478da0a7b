// SPDX-License-Identifier: GPL-3.0-or-later
// The build's description of a backend, core/worker/backend_manifest.h.
#include "core/worker/backend_manifest.h"
#include "core/worker/installation.h"
#include "tests/fuzz/fuzz.h"

#include <fstream>

namespace apertune::fuzz {

void examine(std::string_view input)
{
    const std::filesystem::path folder = scratchFolder();
    std::ofstream(folder / "engine.json", std::ios::binary | std::ios::trunc)
        .write(input.data(), static_cast<std::streamsize>(input.size()));
    const worker::BackendManifest manifest = worker::backendManifest(folder, "engine");
    require(manifest.name == "engine", "a backend is called as its folder");
    require(!manifest.formats.empty(), "a backend opens some format");
    worker::Installation installation;
    installation.plugins = folder;
    installation.engines = {folder};
    const auto libraries = worker::backendLibraries(installation, "engine");
    if (!libraries) // the manifest says why, and what to do
        require(!libraries.error().message.empty() && !libraries.error().hint.empty(), "an error has a hint");
}

std::vector<std::string> seeds()
{
    return {R"({"title": "Engine", "package": "engine", "requirement": "engine==1.2", "libraries": ["libs/lib*.so.*"],)"
            R"( "formats": ["onnx"], "int8_activations": "symmetric", "system": true})",
            R"({"title": "Engine", "not_built": "its SDK is missing.", "remedy": "Install it."})", "{}"};
}

} // namespace apertune::fuzz
