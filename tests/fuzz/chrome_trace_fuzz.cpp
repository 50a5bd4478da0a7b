// SPDX-License-Identifier: GPL-3.0-or-later
// Chrome's and Kineto's JSON, plain and gzip: the whole importer, in blocks of different sizes, and the exporter.
#include "core/interchange/chrome/chrome_export.h"
#include "core/interchange/chrome/kineto_import.h"
#include "core/interchange/chrome/reasons.h"
#include "tests/core/interchange/trace_text.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/trace_checks.h"

namespace apertune::fuzz {

using interchange::test::packed;
using interchange::test::traceText;

namespace {

/// Returns the text of a trace without the number of replaced bytes. In invalid JSON, the position where a block begins
/// decides which bytes lie within a string, so that number depends on the size of blocks.
std::string comparable(trace::Trace trace)
{
    for (trace::Loss& loss : trace.losses)
        if (loss.reason.id == interchange::chrome::reasons::kReplacedText.id)
            loss.count = 0;
    return traceText(trace);
}

std::string exported(const trace::Trace& trace)
{
    const std::filesystem::path file = scratchFolder() / "trace.json";
    require(interchange::writeChromeTrace(trace, file).ok(), "a trace can be exported");
    return contentOf(file);
}

} // namespace

void examine(std::string_view input)
{
    const MemoryFile file(input);
    const auto imported =
        interchange::importKineto(file.path(), {.threads = 1, .blockSize = std::size_t{16} << input.size() % 8});
    const trace::Trace* const trace = valueOf(imported);
    if (!trace)
        return;
    requireSound(*trace);
    const std::string text = comparable(*trace);
    const auto atOnce = interchange::importKineto(file.path(), {.threads = 1});
    require(atOnce.ok() && comparable(*atOnce) == text, "the size of blocks changes nothing");
    exported(*trace);
    const auto again = interchange::importKineto(scratchFolder() / "trace.json", {.threads = 1});
    require(again.ok(), "what was exported can be imported");
    require(comparable(*again) == text, "what was exported comes back");
}

std::vector<std::string> seeds()
{
    const std::string own = exported(sampleTrace());
    return {own, packed(own), packed(own.substr(0, 100)) + packed(own.substr(100)),
            R"([{"ph":"B","name":"a","ts":1,"pid":"p","tid":"t"},{"ph":"E","ts":3.5,"pid":"p","tid":"t"},)"
            R"({"ph":"b","cat":"x","id":"0x1","name":"c","ts":2,"pid":1,"tid":1},{"ph":"C","name":"n","ts":4,"pid":1,)"
            R"("tid":1,"args":{"v":1.5,"w":"2"}},{"ph":"e","cat":"x","id":"0x1","ts":9,"pid":1,"tid":1}])"};
}

} // namespace apertune::fuzz
