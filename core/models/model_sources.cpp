// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/model_sources.h"

#include "core/base/errors.h"
#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/model/variant.h"
#include "core/models/artifact_check.h"
#include "core/models/errors.h"
#include "core/models/model_name.h"
#include "core/models/zoo.h"
#include "core/probe/system_files.h"

#include <algorithm>

namespace apertune::models {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;

namespace {

const std::vector<std::string>& kinds()
{
    static const std::vector<std::string> kKinds = [] {
        std::vector<std::string> all{"torchvision", "timm", "zoo", "hf", "diffusers", "python"};
        for (const model::VariantKind& kind : model::variantKinds())
            all.emplace_back(kind.prefix);
        return all;
    }();
    return kKinds;
}

const ZooEntry* findZoo(const std::string& name, const std::string& source)
{
    for (const ZooEntry& entry : zoo())
        if (entry.name == name || entry.source == source)
            return &entry;
    return nullptr;
}

/// The hint for a folder that was given as a file: its source, if it looks like a saved model.
base::Message writeFolder(const std::string& path)
{
    std::error_code ignored;
    if (fs::exists(fs::path(path) / "model_index.json", ignored))
        return base::message<errors::kWriteFolder>("diffusers:" + path + "#unet");
    if (fs::exists(fs::path(path) / "config.json", ignored))
        return base::message<errors::kWriteFolder>("hf:" + path);
    return base::message<errors::kWriteSource>();
}

base::Result<fs::path> existingFile(const std::string& path)
{
    std::error_code code;
    const fs::path absolute = fs::absolute(path, code).lexically_normal();
    if (!fs::exists(absolute, code))
        return Error{ErrorCode::notFound,
                     base::message<base::errors::kNoFile>(path),
                     {},
                     base::message<base::errors::kCheckPath>()};
    if (fs::is_directory(absolute, code))
        return Error{ErrorCode::invalidArgument, base::message<errors::kIsAFolder>(path), {}, writeFolder(path)};
    return absolute;
}

base::Result<ModelSource> pythonSource(const std::string& rest)
{
    const auto colon = rest.rfind(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == rest.size())
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kNoCallable>(rest),
                     {},
                     base::message<errors::kWriteCallable>()};
    auto file = existingFile(rest.substr(0, colon));
    if (!file)
        return file.error();
    const std::string callable = rest.substr(colon + 1);
    return ModelSource{"python:" + file->string() + ":" + callable, sanitizedName(callable), *file};
}

/// hf:FOLDER, diffusers:FOLDER#PART, or the name of an architecture in place of a folder.
base::Result<ModelSource> folderSource(const std::string& kind, const std::string& rest)
{
    const auto mark = kind == "diffusers" ? rest.rfind('#') : std::string::npos;
    const std::string named = rest.substr(0, mark);
    const std::string part = mark == std::string::npos ? std::string() : rest.substr(mark + 1);
    std::error_code code;
    fs::path path = fs::absolute(named, code).lexically_normal();
    if (!path.has_filename())
        path = path.parent_path();
    const bool isConfig = kind == "hf" && path.filename() == "config.json" && fs::is_regular_file(path, code);
    const fs::path folder = isConfig ? path.parent_path() : path;
    const std::string suffix = part.empty() ? std::string() : "-" + part;
    if (fs::is_directory(folder, code)) {
        const std::string marked = part.empty() ? std::string() : "#" + part;
        return ModelSource{
            kind + ":" + path.string() + marked, sanitizedName(folder.filename().string() + suffix), {}, folder};
    }
    // Only diffusers: knows architectures by name, and no such name has a slash.
    if (kind == "hf" || named.find('/') != std::string::npos)
        return Error{ErrorCode::notFound,
                     base::message<errors::kNoFolder>(named),
                     {},
                     base::message<errors::kFetchFolder>(base::shellQuoted(named))};
    return ModelSource{kind + ":" + rest, sanitizedName(named + suffix)};
}

/// Whether the text begins with a word and a colon, as in the mistyped "tochvision:resnet50", and not with a path.
bool looksLikeKind(const std::string& text)
{
    const auto colon = text.find(':');
    return colon != std::string::npos && colon > 0 &&
           std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon),
                       [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; });
}

/// A variant of a source.
base::Result<ModelSource> wrappedSource(const model::VariantKind& kind, const std::string& text)
{
    const auto split = model::variantSource(text);
    if (!split) {
        const std::string value(kind.example.substr(0, kind.example.find(',')));
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kNoVariant>(text),
                     {},
                     base::message<errors::kWriteVariant>(std::string(kind.prefix), value)};
    }
    if (model::variantKindOf(split->base))
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kVariantOfVariant>(text),
                     {},
                     base::message<errors::kOneVariant>()};
    auto source = identifySource(split->base);
    if (!source)
        return source;
    source->text = model::toString(model::VariantSource{split->variant, source->text});
    source->name = sanitizedName(source->name + "-" + split->variant.kind + "-" + split->variant.value);
    return source;
}

/// A named model at another image size.
base::Result<ModelSource> sizedSource(const std::string& text, const std::string& size)
{
    const auto pixels = probe::parseInteger(size);
    if (!pixels || *pixels <= 0)
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kNoImageSize>(size),
                     {},
                     base::message<errors::kWritePixels>()};
    auto source = identifySource(text);
    if (!source)
        return source;
    if (!source->file.empty())
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kOwnInputs>(text, size),
                     {},
                     base::message<errors::kLeaveSizeOut>(size)};
    const std::string digits = std::to_string(*pixels);
    return ModelSource{source->text + "@" + digits, source->name + "-" + digits + "px", {}, source->folder};
}

} // namespace

base::Result<ModelSource> identifySource(const std::string& text)
{
    std::error_code ignored;
    if (const auto sized = splitSize(text); sized && !fs::exists(text, ignored))
        return sizedSource(sized->first, sized->second);
    if (const ZooEntry* entry = findZoo(text, text))
        return ModelSource{entry->source, entry->name};
    if (const model::VariantKind* kind = model::variantKindOf(text))
        return wrappedSource(*kind, text);
    const auto colon = text.find(':');
    const std::string kind = colon == std::string::npos ? std::string() : text.substr(0, colon);
    const std::string rest = colon == std::string::npos ? std::string() : text.substr(colon + 1);
    if (kind == "python")
        return pythonSource(rest);
    if (std::find(kinds().begin(), kinds().end(), kind) != kinds().end()) {
        if (rest.empty())
            return Error{ErrorCode::invalidArgument,
                         base::message<errors::kNamesNoModel>(text),
                         {},
                         base::message<errors::kWriteSource>()};
        if (kind == "hf" || kind == "diffusers")
            return folderSource(kind, rest);
        if (const ZooEntry* entry = kind == "zoo" ? findZoo(rest, {}) : nullptr)
            return ModelSource{entry->source, entry->name};
        return ModelSource{text, defaultName(text)};
    }
    if (fs::exists(text, ignored) || text.find('/') != std::string::npos) {
        auto file = existingFile(text);
        if (!file)
            return file.error();
        return ModelSource{file->string(), defaultName(text), *file};
    }
    if (looksLikeKind(text)) {
        const std::string nearest = base::closestMatch(kind, kinds());
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kNoSourceKind>(kind),
                     {},
                     base::sentencesOf({nearest.empty() ? base::Message() : base::didYouMean(nearest + ":" + rest),
                                        base::message<errors::kWriteSource>()})};
    }
    return Error{ErrorCode::notFound, base::message<errors::kNoModel>(text)};
}

std::optional<std::pair<std::string, std::string>> splitSize(const std::string& text)
{
    const auto mark = text.rfind('@');
    if (mark == std::string::npos || text.find_first_of("/:", mark) != std::string::npos)
        return std::nullopt;
    return std::pair(text.substr(0, mark), text.substr(mark + 1));
}

std::vector<fs::path> filesOf(const ModelSource& source)
{
    if (source.folder.empty())
        return source.file.empty() ? std::vector<fs::path>() : std::vector{source.file};
    // The parts of a pipeline have a folder each.
    constexpr int kDeepest = 1;
    std::vector<fs::path> files;
    std::error_code code;
    for (fs::recursive_directory_iterator it(source.folder, code), end; !code && it != end; it.increment(code)) {
        if (it.depth() >= kDeepest)
            it.disable_recursion_pending();
        std::error_code unknown;
        if (it->is_regular_file(unknown))
            files.push_back(it->path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

fs::path folderNamedBy(const std::string& argument)
{
    const auto colon = argument.find(':');
    const std::string kind = argument.substr(0, colon);
    if (colon == std::string::npos || (kind != "hf" && kind != "diffusers"))
        return {};
    const auto sized = splitSize(argument);
    const auto source = folderSource(kind, (sized ? sized->first : argument).substr(colon + 1));
    return source ? source->folder : fs::path();
}

bool isFresh(const model::ModelRef& model, const ModelSource& source)
{
    std::error_code code;
    const auto imported = fs::last_write_time(model.artifact / "manifest.json", code);
    if (code || !checkArtifact(model.artifact))
        return false;
    const std::vector<fs::path> files = filesOf(source);
    return std::none_of(files.begin(), files.end(), [&](const fs::path& file) {
        std::error_code unknown;
        const auto changed = fs::last_write_time(file, unknown);
        return !unknown && changed > imported;
    });
}

} // namespace apertune::models
