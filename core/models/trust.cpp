// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/trust.h"

#include "core/base/clock.h"
#include "core/base/contained_path.h"
#include "core/base/errors.h"
#include "core/base/escape.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/mutex.h"
#include "core/base/text.h"
#include "core/model/base_model.h"
#include "core/model/model_manifest.h"
#include "core/model/variant.h"
#include "core/models/archive_check.h"
#include "core/models/errors.h"
#include "core/models/file_hash.h"
#include "core/models/model_sources.h"
#include "core/sentences/sentences.h"

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

namespace apertune::models {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Json;

namespace {

fs::path recordFile()
{
    return base::userDataDir() / "trusted";
}

/// The hashes that this process has permitted, and the question for more.
struct TrustState
{
    base::Mutex mutex; ///< not held while a question is open
    std::set<std::string> hashes APERTUNE_GUARDED_BY(mutex);
    TrustQuestion question APERTUNE_GUARDED_BY(mutex);
};

TrustState& trustState()
{
    static TrustState s_state;
    return s_state;
}

bool isTrusted(const std::vector<std::string>& hashes)
{
    std::set<std::string> known;
    {
        TrustState& state = trustState();
        const base::Lock lock(state.mutex);
        known = state.hashes;
    }
    // The record is read each time, because the user may have permitted the code in another process meanwhile.
    const auto text = base::readFile(recordFile());
    std::istringstream lines(text ? *text : std::string());
    for (std::string line; std::getline(lines, line);)
        known.insert(line.substr(0, line.find(' ')));
    return std::all_of(hashes.begin(), hashes.end(), [&](const std::string& hash) { return known.contains(hash); });
}

/// Appends lines in one write() in append mode, so that the lines of two processes do not mix.
void appendToRecord(const std::string& lines)
{
    std::error_code ignored;
    fs::create_directories(recordFile().parent_path(), ignored);
    const int file = ::open(recordFile().c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    [[maybe_unused]] const ssize_t written = ::write(file, lines.data(), lines.size());
    ::close(file);
}

base::Status requireTrust(const Untrusted& something)
{
    if (isTrusted(something.hashes))
        return {};
    TrustQuestion question;
    {
        TrustState& state = trustState();
        const base::Lock lock(state.mutex);
        question = state.question;
    }
    if (question && question(something)) {
        trust(something);
        return {};
    }
    return Error{ErrorCode::unsupported, base::message<errors::kUntrusted>(something.what, something.hash()),
                 something.place.string(), base::message<errors::kSayTrust>()};
}

/// Whether a file is ONNX or OpenVINO IR, which hold no code. The ending must agree with the format, because some
/// loaders choose the format by the ending.
bool isData(const std::string& format, const fs::path& file)
{
    return (format == "onnx" && file.extension() == ".onnx") || (format == "openvino_ir" && file.extension() == ".xml");
}

/// All files that the workspace or the manifest names for the model, by format. Neither is trusted, so both are used.
base::Result<std::vector<std::pair<std::string, fs::path>>> namedFiles(const model::ModelRef& model)
{
    std::vector<std::pair<std::string, fs::path>> named;
    for (const auto& [format, path] : model.files)
        named.emplace_back(format, model.artifact / path);
    const auto manifest = model::readManifestDocument(model.artifact);
    if (!manifest)
        return manifest.error();
    const auto files = manifest->is_object() ? manifest->value("files", Json()) : Json();
    for (const auto& [format, described] : files.items())
        if (described.is_object() && described.contains("path") && described["path"].is_string())
            named.emplace_back(format, model.artifact / described["path"].get<std::string>());
    for (const auto& [format, file] : named)
        if (auto within = base::requireWithin(model.artifact, file); !within && file != model.artifact / "")
            return within.error();
    return named;
}

/// The files of a model that can run code, with those of its base model (model::baseArtifact()).
base::Result<Untrusted> codeOfModel(const model::ModelRef& model)
{
    Untrusted code{base::message<errors::kModelCode>(model.name), model.artifact, {}};
    std::error_code none;
    if (!fs::exists(model.artifact / "manifest.json", none))
        return code; // Without a manifest nothing can be opened.
    const auto named = namedFiles(model);
    if (!named)
        return named.error();
    for (const auto& [format, file] : *named) {
        if (isData(format, file) || !fs::is_regular_file(file, none))
            continue; // The code that opens the missing file reports it.
        const auto hash = fileHash(file);
        if (!hash)
            return hash.error();
        code.hashes.push_back(*hash);
    }
    if (const fs::path other = model::baseArtifact(model); !other.empty() && other != model.artifact) {
        model::ModelRef base = model;
        base.artifact = other;
        base.files.clear();
        const auto more = codeOfModel(base);
        if (!more)
            return more;
        code.hashes.insert(code.hashes.end(), more->hashes.begin(), more->hashes.end());
    }
    return code;
}

/// Returns whether an import wrote the artifact, because only imports write to modelsDir().
bool isOfThisMachine(const fs::path& artifact)
{
    return base::requireWithin(base::userDataDir() / "models", artifact).ok();
}

/// The code that importing a source would run; nullopt for models of packages and for formats without code.
base::Result<std::optional<Untrusted>> codeOfSource(const std::string& text)
{
    const auto source = identifySource(text);
    if (!source || source->file.empty())
        return std::optional<Untrusted>();
    if (const auto ending = source->file.extension(); ending == ".onnx" || ending == ".xml")
        return std::optional<Untrusted>();
    const auto hash = fileHash(source->file);
    if (!hash)
        return hash.error();
    // A variant runs the code of its base.
    const auto variant = model::variantSource(source->text);
    const std::string& own = variant ? variant->base : source->text;
    // A Python file can import its neighbours, so the hash includes its place.
    const bool isPython = own.starts_with("python:");
    return std::optional(Untrusted{
        base::message<errors::kSourceCode>(own), source->file, {isPython ? base::sha256(own + '\n' + *hash) : *hash}});
}

/// The files of an exported folder, without those that building and running it leave there.
base::Result<Untrusted> codeOfFolder(const fs::path& exported)
{
    std::map<std::string, std::string> content;
    std::error_code code;
    for (fs::recursive_directory_iterator it(exported, code), end; !code && it != end; it.increment(code)) {
        const std::string name = it->path().lexically_relative(exported).string();
        const std::string last = it->path().filename().string();
        std::error_code unknown;
        if (it->is_symlink(unknown)) {
            content[name] = "link " + fs::read_symlink(it->path(), unknown).string();
        } else if (it->is_directory(unknown)) {
            if (name == "build" || last == "__pycache__")
                it.disable_recursion_pending();
            continue;
        }
        if (!it->is_regular_file(unknown))
            continue;
        if (auto safe = requireSafeArchive(it->path()); !safe)
            return safe.error();
        const auto hash = fileHash(it->path());
        if (!hash)
            return hash.error();
        content[name] += *hash;
    }
    if (code)
        return Error{ErrorCode::io, base::message<errors::kFolderUnreadable>(code.message()), exported.string(),
                     base::message<base::errors::kCheckPermissions>()};
    const Json all = content;
    return Untrusted{base::message<errors::kExportedCode>(exported.string()),
                     exported,
                     {base::sha256("folder" + all.dump(-1, ' ', true, Json::error_handler_t::replace))}};
}

} // namespace

std::string Untrusted::hash() const
{
    return hashes.size() == 1 ? hashes.front() : base::sha256(base::join(hashes, "\n"));
}

void setTrustQuestion(TrustQuestion question)
{
    TrustState& state = trustState();
    const base::Lock lock(state.mutex);
    state.question = std::move(question);
}

void trust(const Untrusted& something)
{
    std::string lines;
    for (const std::string& hash : something.hashes)
        if (!isTrusted({hash}))
            lines += hash + ' ' + base::utcNow() + ' ' + base::printableLine(sentences::sentence(something.what)) +
                     " (" + base::printableLine(something.place.string()) + ")\n";
    if (!lines.empty())
        appendToRecord(lines);
    TrustState& state = trustState();
    const base::Lock lock(state.mutex);
    state.hashes.insert(something.hashes.begin(), something.hashes.end());
}

void trustModel(const model::ModelRef& model)
{
    if (const auto code = codeOfModel(model))
        trust(*code);
}

void trustSource(const std::string& source)
{
    if (const auto code = codeOfSource(source); code && *code)
        trust(**code);
}

void trustFolder(const fs::path& exported)
{
    if (const auto code = codeOfFolder(exported))
        trust(*code);
}

base::Status requireTrustedModel(const model::ModelRef& model)
{
    const auto code = codeOfModel(model);
    if (!code)
        return code.error();
    return isOfThisMachine(model.artifact) ? base::Status() : requireTrust(*code);
}

base::Status requireTrustedSource(const std::string& source)
{
    const auto code = codeOfSource(source);
    if (!code)
        return code.error();
    return *code ? requireTrust(**code) : base::Status();
}

base::Status requireTrustedFolder(const fs::path& exported)
{
    const auto code = codeOfFolder(exported);
    return code ? requireTrust(*code) : base::Status(code.error());
}

} // namespace apertune::models
