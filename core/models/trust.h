// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/model_ref.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace apertune::models {

/// Code of models and exported programs runs only with the permission of this machine's user (trust.md):
///  - It was imported or exported here, the user named it, or the user was asked once and agreed.
///  - The SHA-256 of permitted code is kept in userDataDir()/trusted, outside every workspace.
///  - Formats that hold no code (ONNX, IR) always pass.
/// Threads: any, for all functions.

/// Something with code that the user has not permitted yet.
struct Untrusted
{
    base::Message what; ///< begins a sentence: "The model net", "The exported program in DIR"
    std::filesystem::path place;
    std::vector<std::string> hashes; ///< hashes of the code, which trust() keeps; at least one

    /// The hash that identifies all of the code: the only one, else the SHA-256 of them all, one a line.
    std::string hash() const;
};

/// Asks the user, and returns true when the code may run. It is called on the thread that wants to run the code, and
/// may block.
using TrustQuestion = std::function<bool(const Untrusted&)>;

/// Sets the process's question, which is asked before untrusted code is refused. With an empty one, untrusted code is
/// refused at once. The program's main() sets it.
void setTrustQuestion(TrustQuestion question);

/// Remembers that this code may run. When the record cannot be written, the permission ends with this process.
void trust(const Untrusted& something);

/// Each permits code that the user has named on the command line, imported or exported, without a question.
void trustModel(const model::ModelRef& model);
void trustSource(const std::string& source);
void trustFolder(const std::filesystem::path& exported);

/// Passes when the code is trusted, or when the user agrees, which is remembered.
/// Failures: unsupported (refused; the message names it, its place, and --trust), io and notFound (the code cannot be
/// read).
base::Status requireTrustedModel(const model::ModelRef& model);
/// The same check for a stored source, before it is imported again without having been named.
base::Status requireTrustedSource(const std::string& source);
base::Status requireTrustedFolder(const std::filesystem::path& exported);

} // namespace apertune::models
