// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/model_ref.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace apertune::models {

/// Code of models and exported programs runs only when the user of this machine let it: it was imported or exported
/// here, the user named it, or the user was asked once and said yes. What was let is kept by its SHA-256 in
/// userDataDir()/trusted, outside every workspace (trust.md). Formats that hold no code (ONNX, IR) always pass.
/// All functions may be called from any thread.

/// Something whose code nobody here has let run yet.
struct Untrusted
{
    std::string what; ///< begins a sentence: "The model net", "The exported program in DIR"
    std::filesystem::path place;
    std::vector<std::string> hashes; ///< of what runs; trust() keeps them
};

/// Asks the user; true: let it run. It may block; it is called on the thread that wants to run the code.
using TrustQuestion = std::function<bool(const Untrusted&)>;

/// From now on asks with `question` before untrusted code is refused; an empty one refuses at once. One for the
/// process, set by its main().
void setTrustQuestion(TrustQuestion question);

/// Remembers that this may run. A record that cannot be written holds for this process alone.
void trust(const Untrusted& something);

/// What the user names on the command line, imports or exports is let without a question.
void trustModel(const model::ModelRef& model);
void trustSource(const std::string& source);
void trustFolder(const std::filesystem::path& exported);

/// Pass when it is trusted, or the question is answered with yes, which is remembered. Failures: unsupported (refused:
/// what it is, where it is, and --trust), io and notFound (what runs cannot be read).
base::Status requireTrustedModel(const model::ModelRef& model);
/// A source as the workspace keeps it, before it is imported again without having been named.
base::Status requireTrustedSource(const std::string& source);
base::Status requireTrustedFolder(const std::filesystem::path& exported);

} // namespace apertune::models
