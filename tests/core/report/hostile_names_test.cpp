// SPDX-License-Identifier: GPL-3.0-or-later
// Names from strangers in every document: each output has the structure that it has for a harmless name.
#include "core/base/escape.h"
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/comparison/compare.h"
#include "core/exports/exporter.h"
#include "core/report/documents.h"
#include "core/report/html.h"
#include "core/report/study_csv.h"
#include "core/report/study_table.h"
#include "core/report/trial_sheet.h"
#include "core/sentences/sentences.h"
#include "tests/support/csv_fields.h"
#include "tests/support/hostile_names.h"
#include "tests/support/sample_study.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <regex>

namespace apertune::report {
namespace {

using apertune::test::csvFieldsOf;
using apertune::test::HostileName;
using apertune::test::hostileNames;
using base::Json;

/// A study whose every text that comes from elsewhere is that one.
model::StudySnapshot studyOf(const std::string& text)
{
    model::StudySnapshot study = test::sampleStudy();
    study.study.model.name = text;
    study.study.model.source = text;
    study.study.model.weights = text;
    study.study.model.contentHash = text;
    study.study.environment.host = text;
    for (model::Device& device : study.study.environment.devices) {
        device.name = text;
        device.driver = text;
    }
    for (model::Trial& trial : study.trials)
        if (trial.state != model::TrialState::ok) {
            trial.reason.message = base::foreignText(text);
            trial.reason.detail = text;
        }
    return study;
}

/// The first byte that would steer a terminal, or that a terminal cannot show; npos without one.
std::size_t firstActive(const std::string& text, bool withTabs)
{
    const std::string inert = base::printable(text); // escape_test.cpp checks this function by itself
    const auto at = std::mismatch(text.begin(), text.end(), inert.begin(), inert.end()).first;
    if (at != text.end())
        return static_cast<std::size_t>(at - text.begin());
    return withTabs ? std::string::npos : text.find('\t');
}

std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines(1);
    for (const char c : text)
        c == '\n' ? lines.emplace_back() : lines.back() += c;
    return lines;
}

/// The tags of a page with the names of their attributes.
std::vector<std::string> tagsOf(const std::string& html)
{
    static const std::regex s_values("\"[^\"]*\"");
    std::vector<std::string> tags;
    const auto style = html.find("</style>"); // style sheets have no tags
    for (std::size_t at = style; (at = html.find('<', at)) != std::string::npos;) {
        const std::size_t end = html.find('>', at);
        tags.push_back(std::regex_replace(html.substr(at, end - at), s_values, ""));
        at = end == std::string::npos ? end : end + 1;
    }
    return tags;
}

/// The characters of a Markdown text that are markup: those without a backslash in front.
std::string markupOf(const std::string& markdown)
{
    std::string markup;
    for (std::size_t i = 0; i < markdown.size(); ++i)
        if (markdown[i] == '\\')
            ++i;
        else if (std::string("`[]<>*|!\n").find(markdown[i]) != std::string::npos)
            markup += markdown[i];
    return markup;
}

class HostileNames : public testing::TestWithParam<HostileName>
{
protected:
    const model::StudySnapshot harmless = studyOf("net");
    const model::StudySnapshot hostile = studyOf(GetParam().text);
};

TEST_P(HostileNames, SteerNoTerminalAndAddNoLines)
{
    const bool isShort = GetParam().text.size() < 100; // a long name is wrapped
    const auto same = [&](const std::string& text, const std::string& wanted) {
        EXPECT_EQ(firstActive(text, false), std::string::npos) << text.substr(0, 2000);
        if (isShort) {
            EXPECT_EQ(linesOf(text).size(), linesOf(wanted).size()) << text;
        }
    };
    same(studyTable(hostile), studyTable(harmless));
    const comparison::Comparison ours = comparison::compareStudies(hostile, hostile);
    const comparison::Comparison plain = comparison::compareStudies(harmless, harmless);
    same(comparison::comparisonTable(ours), comparison::comparisonTable(plain));
    // A sheet shows the words of a failed trial on lines of their own.
    for (const model::Trial& trial : hostile.trials)
        EXPECT_EQ(firstActive(base::printable(trialSheet(hostile, trial)), true), std::string::npos);
}

TEST_P(HostileNames, AreNoFormulasAndAddNoCells)
{
    const std::string csv = studyCsv(hostile);
    EXPECT_EQ(firstActive(csv, true), std::string::npos);
    const auto rows = csvFieldsOf(csv);
    const auto wanted = csvFieldsOf(studyCsv(harmless));
    ASSERT_EQ(rows.size(), wanted.size()) << csv;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        ASSERT_EQ(rows[i].size(), wanted[i].size()) << csv;
        for (std::size_t j = 0; j < rows[i].size(); ++j)
            if (rows[i][j] != wanted[i][j]) {
                EXPECT_FALSE(apertune::test::isFormula(rows[i][j])) << rows[i][j];
            }
    }
}

TEST_P(HostileNames, AreTextInAPageThatRunsAndLoadsNothing)
{
    const std::string html = htmlReport(hostile);
    if (!GetParam().text.empty()) { // An empty fact has no row.
        EXPECT_EQ(tagsOf(html), tagsOf(htmlReport(harmless)));
    }
    EXPECT_EQ(firstActive(html, true), std::string::npos) << html.substr(firstActive(html, true), 100);
    EXPECT_NE(html.find("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"), std::string::npos);
}

TEST_P(HostileNames, AreTextInMarkdownAndInExportedCode)
{
    const auto folder = base::TemporaryDir::create("names").value();
    const Json manifest = {{"torch", "2.11.0"},
                           {"files", {{"torchscript", {{"path", "model.ts.pt"}}}, {"exported", nullptr}}},
                           {"inputs",
                            {{{"name", "x"},
                              {"dtype", "float32"},
                              {"shape", {1, 3, 4, 4}},
                              {"batch_dim", 0},
                              {"file", "inputs/0.bin"},
                              {"samples", 8}}}}};
    for (const auto& [name, bytes] : std::vector<std::pair<std::string, std::string>>{
             {"manifest.json", manifest.dump()}, {"model.ts.pt", "the model"}, {"inputs/0.bin", "the input"}})
        ASSERT_TRUE(base::writeFileAtomically(folder.path() / name, bytes));
    for (const exports::ExportTarget target : {exports::ExportTarget::json, exports::ExportTarget::python,
                                               exports::ExportTarget::cpp, exports::ExportTarget::server}) {
        const auto planned = [&](model::StudySnapshot study) {
            study.study.model.artifact = folder.path();
            auto files = exports::planExport(study, study.trials[3], target, {});
            EXPECT_TRUE(files) << sentences::sentence(files.error().message);
            return files ? *files : std::vector<exports::ExportFile>();
        };
        const auto files = planned(hostile);
        const auto wanted = planned(harmless);
        ASSERT_EQ(files.size(), wanted.size());
        for (std::size_t i = 0; i < files.size(); ++i) {
            SCOPED_TRACE(files[i].path);
            EXPECT_EQ(files[i].path, wanted[i].path);
            if (files[i].path.extension() != ".json") { // JSON leaves C1 and directions to its reader.
                EXPECT_EQ(firstActive(files[i].content, true), std::string::npos) << files[i].content;
            }
            EXPECT_EQ(linesOf(files[i].content).size(), linesOf(wanted[i].content).size()) << files[i].content;
            if (files[i].path.extension() == ".md") {
                EXPECT_EQ(markupOf(files[i].content), markupOf(wanted[i].content)) << files[i].content;
            }
        }
    }
}

TEST_P(HostileNames, AreTextInJson)
{
    for (const Json& document :
         {studyDocument(hostile), comparison::comparisonDocument(comparison::compareStudies(hostile, hostile))}) {
        const std::string text = document.dump(2, ' ', false, Json::error_handler_t::replace);
        const Json read = Json::parse(text, nullptr, false);
        EXPECT_FALSE(read.is_discarded());
        EXPECT_EQ(read.size(), document.size());
    }
}

INSTANTIATE_TEST_SUITE_P(All, HostileNames, testing::ValuesIn(hostileNames()), [](const auto& tested) {
    std::string name;
    for (const char c : std::string(tested.param.attack))
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            name += c;
    return name;
});

} // namespace
} // namespace apertune::report
