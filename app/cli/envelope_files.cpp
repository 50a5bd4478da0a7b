// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/envelope_files.h"

#include "core/base/files.h"

namespace apertune::cli {

std::filesystem::path ownEnvelopesFile()
{
    return base::userDataDir() / "envelopes.json";
}

base::Result<std::vector<comparison::Envelope>> readEnvelopes(const std::filesystem::path& file)
{
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        return std::vector<comparison::Envelope>();
    const auto text = base::readFile(file);
    if (!text)
        return text.error();
    auto envelopes = comparison::envelopesFromText(*text);
    if (!envelopes)
        return base::plainError(base::ErrorCode::corrupt, "The file has no envelopes that can be read.", file.string(),
                                "Move it away, and make them again with `apertune envelope add`.");
    return std::move(*envelopes);
}

base::Result<std::vector<comparison::Envelope>> knownEnvelopes()
{
    auto known = readEnvelopes(ownEnvelopesFile());
    if (known)
        known->insert(known->end(), comparison::shippedEnvelopes().begin(), comparison::shippedEnvelopes().end());
    return known;
}

} // namespace apertune::cli
