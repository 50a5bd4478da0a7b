// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace apertune::libtorch {

/// The format of a model file, known from the names of its records. Several formats share the suffixes .pt and .pt2,
/// and LibTorch's own messages do not say which of them a file is.
enum class ArchiveKind {
    torchScript,
    aotiPackage,     ///< compiled: data/aotinductor/<model>/*.so
    aotiSources,     ///< AOTInductor sources that nobody compiled
    exportedProgram, ///< torch.export.save
    pickle,          ///< torch.save: weights or a pickled module, no program
    noModel,         ///< an archive of something else
    unreadable       ///< truncated, or no archive of PyTorch's
};

/// Reads the directory of the archive, not its records. Returns unreadable for a file that cannot be read.
ArchiveKind inspectArchive(const std::filesystem::path& file);

/// Returns if the file is TorchScript. Otherwise throws Fault BAD_INPUT, which names the format that was found.
void requireTorchScript(const std::filesystem::path& file);

/// Returns if the file is a compiled package. Otherwise throws Fault BAD_INPUT, which names the format that was found.
void requirePackage(const std::filesystem::path& file);

} // namespace apertune::libtorch
