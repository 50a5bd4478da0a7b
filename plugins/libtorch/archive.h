// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace apertune::libtorch {

/// What a model file is, told by the names in its zip directory. Half a dozen formats share the suffixes
/// .pt and .pt2, and LibTorch's own messages about the wrong one do not say so.
enum class ArchiveKind {
    torchScript,
    aotiPackage,     ///< compiled: data/aotinductor/<model>/*.so
    aotiSources,     ///< AOTInductor sources that nobody compiled
    exportedProgram, ///< torch.export.save
    pickle,          ///< torch.save: weights or a pickled module, no program
    truncatedZip,    ///< begins as a zip and has no directory
    unknownZip,
    notZip
};

/// Reads the zip directory only. notZip for a file that cannot be read.
ArchiveKind inspectArchive(const std::filesystem::path& file);

/// Throws Fault BAD_INPUT that says what the file is instead, unless it is TorchScript.
void requireTorchScript(const std::filesystem::path& file);

/// Throws Fault BAD_INPUT that says what the file is instead, unless it is a compiled package.
void requirePackage(const std::filesystem::path& file);

} // namespace apertune::libtorch
