// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/archive.h"

#include "plugins/libtorch/fault.h"

#include <caffe2/serialize/inline_container.h>

#include <exception>
#include <string>
#include <vector>

namespace apertune::libtorch {

namespace {

ArchiveKind kindOf(const std::vector<std::string>& names)
{
    bool library = false;
    bool inductor = false;
    bool program = false;
    bool code = false;
    bool constants = false;
    bool pickled = false;
    for (const std::string& name : names) {
        inductor |= name.find("aotinductor/") != std::string::npos;
        library |= name.find("aotinductor/") != std::string::npos && name.ends_with(".so");
        program |= name.starts_with("models/");
        code |= name.starts_with("code/");
        constants |= name == "constants.pkl";
        pickled |= name == "data.pkl";
    }
    // A package without its library was compiled to sources only.
    if (inductor)
        return library ? ArchiveKind::aotiPackage : ArchiveKind::aotiSources;
    if (program)
        return ArchiveKind::exportedProgram;
    if (code && constants)
        return ArchiveKind::torchScript;
    return pickled ? ArchiveKind::pickle : ArchiveKind::noModel;
}

struct Description
{
    const char* what;
    const char* hint;
};

Description describe(ArchiveKind kind)
{
    constexpr const char* kImport = "Import the model from its source: torchvision:NAME, timm:NAME, "
                                    "python:FILE.py:CALLABLE or a TorchScript file.";
    switch (kind) {
    case ArchiveKind::torchScript:
        return {"a TorchScript model", "Use it as a model, not as a compiled package."};
    case ArchiveKind::aotiPackage:
        return {"a compiled AOTInductor package", "Use it with the switch aoti."};
    case ArchiveKind::aotiSources:
        return {"an AOTInductor package of sources only", "Compile it again without package_cpp_only."};
    case ArchiveKind::exportedProgram:
        return {"an exported program (torch.export.save)",
                "LibTorch runs compiled packages and TorchScript; import the model so that it is compiled."};
    case ArchiveKind::pickle:
        return {"a file of torch.save, which holds weights but no program", kImport};
    case ArchiveKind::noModel:
        return {"an archive without a model in it", kImport};
    case ArchiveKind::unreadable:
        break;
    }
    return {"a file that LibTorch cannot read (truncated, or of another format)", "Copy or import the model again."};
}

void require(const std::filesystem::path& file, ArchiveKind wanted)
{
    const ArchiveKind found = inspectArchive(file);
    if (found == wanted)
        return;
    const Description is = describe(found);
    throw Fault(APERTUNE_BAD_INPUT, file.string() + " is " + is.what + ", not " + describe(wanted).what + ".", is.hint);
}

} // namespace

ArchiveKind inspectArchive(const std::filesystem::path& file)
{
    try {
        caffe2::serialize::PyTorchStreamReader reader(file.string());
        return kindOf(reader.getAllRecords());
    } catch (const std::exception&) {
        return ArchiveKind::unreadable;
    }
}

void requireTorchScript(const std::filesystem::path& file)
{
    require(file, ArchiveKind::torchScript);
}

void requirePackage(const std::filesystem::path& file)
{
    require(file, ArchiveKind::aotiPackage);
}

} // namespace apertune::libtorch
