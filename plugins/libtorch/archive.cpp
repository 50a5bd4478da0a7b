// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/archive.h"

#include "plugins/libtorch/fault.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace apertune::libtorch {

namespace {

constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::uint32_t kCentralEntry = 0x02014b50;
constexpr std::uint32_t kEndOfDirectory = 0x06054b50;
constexpr std::uint32_t kZip64Locator = 0x07064b50;
constexpr std::uint32_t kZip64End = 0x06064b50;

constexpr std::size_t kCentralEntryBytes = 46;
constexpr std::size_t kEndOfDirectoryBytes = 22;
constexpr std::size_t kZip64LocatorBytes = 20;
constexpr std::size_t kZip64EndBytes = 56;
constexpr std::uint64_t kMaxCommentBytes = 65535;
constexpr std::uint64_t kMaxDirectoryBytes = 64U << 20;

/// A little-endian number at a place of `bytes`; 0 beyond their end.
std::uint64_t number(const std::string& bytes, std::size_t at, std::size_t width)
{
    std::uint64_t value = 0;
    if (at + width > bytes.size())
        return 0;
    for (std::size_t i = width; i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

std::string readAt(std::ifstream& stream, std::uint64_t offset, std::uint64_t count)
{
    std::string bytes(count, '\0');
    stream.clear();
    stream.seekg(static_cast<std::streamoff>(offset));
    stream.read(bytes.data(), static_cast<std::streamsize>(count));
    bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
    return bytes;
}

struct Directory
{
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
};

std::optional<Directory> findDirectory(std::ifstream& stream, std::uint64_t size)
{
    const std::uint64_t tailBytes = std::min(size, kMaxCommentBytes + kEndOfDirectoryBytes + kZip64LocatorBytes);
    const std::uint64_t tailOffset = size - tailBytes;
    const std::string tail = readAt(stream, tailOffset, tailBytes);
    if (tail.size() < kEndOfDirectoryBytes)
        return std::nullopt;
    for (std::size_t at = tail.size() - kEndOfDirectoryBytes + 1; at-- > 0;) {
        if (number(tail, at, 4) != kEndOfDirectory)
            continue;
        Directory directory{number(tail, at + 16, 4), number(tail, at + 12, 4)};
        if (at >= kZip64LocatorBytes && number(tail, at - kZip64LocatorBytes, 4) == kZip64Locator) {
            const std::string end = readAt(stream, number(tail, at - kZip64LocatorBytes + 8, 8), kZip64EndBytes);
            if (number(end, 0, 4) == kZip64End)
                directory = {number(end, 48, 8), number(end, 40, 8)};
        }
        if (directory.offset > size || directory.bytes > size - directory.offset ||
            directory.bytes > kMaxDirectoryBytes)
            return std::nullopt;
        return directory;
    }
    return std::nullopt;
}

/// Names of the entries without their first folder, which is the archive's own name.
std::vector<std::string> entryNames(const std::string& directory)
{
    std::vector<std::string> names;
    for (std::size_t at = 0; number(directory, at, 4) == kCentralEntry;) {
        const std::size_t length = number(directory, at + 28, 2);
        if (at + kCentralEntryBytes + length > directory.size())
            break;
        const std::string name = directory.substr(at + kCentralEntryBytes, length);
        const std::size_t slash = name.find('/');
        names.push_back(slash == std::string::npos ? name : name.substr(slash + 1));
        at += kCentralEntryBytes + length + number(directory, at + 30, 2) + number(directory, at + 32, 2);
    }
    return names;
}

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
        program |= name.starts_with("models/") || name == "serialized_exported_program.json";
        code |= name.starts_with("code/");
        constants |= name == "constants.pkl";
        pickled |= name == "data.pkl";
    }
    if (inductor)
        return library ? ArchiveKind::aotiPackage : ArchiveKind::aotiSources;
    if (program)
        return ArchiveKind::exportedProgram;
    if (code && constants)
        return ArchiveKind::torchScript;
    return pickled ? ArchiveKind::pickle : ArchiveKind::unknownZip;
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
    case ArchiveKind::truncatedZip:
        return {"a truncated archive: its end is missing", "Copy or import the model again."};
    case ArchiveKind::unknownZip:
        return {"an archive without a model in it", kImport};
    case ArchiveKind::notZip:
        break;
    }
    return {"not a model file", kImport};
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
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(file, error);
    std::ifstream stream(file, std::ios::binary);
    if (error || !stream || number(readAt(stream, 0, 4), 0, 4) != kLocalHeader)
        return ArchiveKind::notZip;
    const auto directory = findDirectory(stream, size);
    if (!directory)
        return ArchiveKind::truncatedZip;
    return kindOf(entryNames(readAt(stream, directory->offset, directory->bytes)));
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
