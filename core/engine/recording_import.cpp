// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/recording_import.h"

#include "core/store/nsys_import.h"
#include "core/trace/kineto_import.h"
#include "core/trace/trace_file.h"

#include <array>
#include <fstream>
#include <string_view>

namespace apertune::engine {

namespace {

bool looksLikeTraceFile(const std::filesystem::path& file)
{
    constexpr std::string_view kBegin = "APTNTRC"; // then the version
    std::array<char, kBegin.size()> head{};
    std::ifstream in(file, std::ios::binary);
    in.read(head.data(), head.size());
    return in && std::string_view(head.data(), head.size()) == kBegin;
}

} // namespace

base::Result<trace::Trace> importRecording(const std::filesystem::path& file, const trace::ImportOptions& options)
{
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file, ignored)) {
        if (store::looksLikeSqlite(file))
            return store::importNsys(file, options);
        if (looksLikeTraceFile(file))
            return trace::readTraceFile(file);
    }
    return trace::importKineto(file, options);
}

} // namespace apertune::engine
