// SPDX-License-Identifier: GPL-3.0-or-later
// A workspace in which every text that comes from elsewhere attacks whoever reads it, through every verb that shows it.
#include "core/base/escape.h"
#include "core/base/files.h"
#include "tests/app/cli/program_fixture.h"
#include "tests/support/csv_fields.h"
#include "tests/support/hostile_names.h"

#include <sqlite3.h>

namespace apertune::cli {
namespace {

using apertune::test::csvFieldsOf;
using apertune::test::hostileNames;
using apertune::test::isFormula;
using base::Json;
using test::Program;
using test::Ran;

/// Sets the texts of a workspace, as whoever made it could.
void setTexts(const std::string& workspace, const std::string& text)
{
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(workspace.c_str(), &handle), SQLITE_OK);
    for (const char* sql :
         {"UPDATE model SET name = ?1, document = json_set(document, '$.name', ?1, '$.source', ?1, '$.weights', ?1)",
          "UPDATE study SET name = ?1", "UPDATE device SET name = ?1, driver = ?1", "UPDATE environment SET host = ?1",
          "UPDATE trial SET reason_text = ?1, reason_detail = ?1 WHERE reason_kind != ''", "UPDATE trace SET name = ?1",
          "UPDATE string SET value = ?1 || id WHERE id > 0", "UPDATE track SET label = ?1"}) {
        sqlite3_stmt* statement = nullptr;
        ASSERT_EQ(sqlite3_prepare_v2(handle, sql, -1, &statement, nullptr), SQLITE_OK) << sqlite3_errmsg(handle);
        sqlite3_bind_text(statement, 1, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
        EXPECT_EQ(sqlite3_step(statement), SQLITE_DONE) << sql << sqlite3_errmsg(handle);
        sqlite3_finalize(statement);
    }
    sqlite3_close(handle);
}

/// A trace of two kernels, as PyTorch's profiler writes it.
std::string recording()
{
    Json events = Json::array();
    for (int i = 0; i < 4; ++i)
        events.push_back({{"ph", "X"},
                          {"cat", "kernel"},
                          {"name", i % 2 ? "gemm" : "conv"},
                          {"ts", 10 * i},
                          {"dur", 5},
                          {"pid", 0},
                          {"tid", 7},
                          {"args", {{"device", 0}, {"stream", 7}, {"correlation", i}}}});
    return Json{{"traceEvents", events}}.dump();
}

TEST(HostileNames, SteerNeitherTerminalNorSheetNorShellThroughAnyVerb)
{
    const Program program;
    Json script = test::fastScript();
    script["levels"]["O1"] = 0.5;
    const Ran tuned =
        program.run(program.tune(program.model("m", script), {"--levels", "O0,O1", "--precisions", "fp32,int8"}));
    ASSERT_TRUE(tuned.swept()) << tuned.err;
    Program::write(program.dir() / "r.json", recording());
    ASSERT_EQ(program.run({"trace", "import", (program.dir() / "r.json").string()}).code, 0);
    const std::vector<std::vector<std::string>> verbs{
        {"show", "last"},
        {"show", "t1"},
        {"study", "list"},
        {"model", "list"},
        {"compare", "t1", "t2"},
        {"trace", "list"},
        {"trace", "report", "last"},
        {"workspace", "query", "SELECT name, host FROM study JOIN environment", "--csv"},
        {"show", "last", "--json"},
        {"trace", "report", "last", "--json"},
    };
    // What each verb does for a harmless name.
    setTexts(program.store(), "net");
    std::vector<Ran> plain;
    for (const auto& words : verbs) {
        plain.push_back(program.run(words));
        EXPECT_EQ(plain.back().code, 0) << words[0] << " " << words[1] << plain.back().err;
    }
    for (const auto& [attack, text] : hostileNames()) {
        SCOPED_TRACE(attack);
        setTexts(program.store(), text);
        for (std::vector<std::string> words :
             std::vector<std::vector<std::string>>{{"trace", "export", "last"}, {"report", "last"}}) {
            const std::string file = (program.dir() / "sheet.csv").string();
            std::filesystem::remove(file);
            words.insert(words.end(), {"--out", file});
            // A document with bytes that are no UTF-8 cannot be read.
            const Ran ran = program.run(words);
            if (ran.code != 0) {
                EXPECT_EQ(ran.code, 2) << ran.err;
                EXPECT_EQ(base::printable(ran.err), ran.err);
                continue;
            }
            const std::string sheet = base::readFile(file).value();
            EXPECT_EQ(base::printable(sheet), sheet) << words[0];
            for (const auto& row : csvFieldsOf(sheet))
                for (const std::string& field : row)
                    EXPECT_FALSE(isFormula(field)) << field;
        }
        for (std::size_t i = 0; i < verbs.size(); ++i) {
            SCOPED_TRACE(verbs[i][0] + " " + verbs[i][1]);
            const Ran ran = program.run(verbs[i]);
            EXPECT_TRUE(ran.code == plain[i].code || ran.code == 2) << ran.code << ran.err;
            EXPECT_EQ(base::printable(ran.err), ran.err);
            EXPECT_FALSE(std::filesystem::exists(program.dir() / "PWN"));
            if (verbs[i].back() != "--json") {
                EXPECT_EQ(base::printable(ran.out), ran.out);
            } else if (ran.code == 0) { // JSON escapes controls, and leaves other characters to its reader.
                EXPECT_EQ(std::string_view(ran.out).find_first_of("\x1b\x07\r\b"), std::string_view::npos);
                EXPECT_FALSE(Json::parse(ran.out, nullptr, false).is_discarded()) << ran.out;
            }
        }
    }
}

TEST(HostileNames, OfFilesAreOneWordOfAShellInEveryHint)
{
    const Program program;
    const Ran tuned = program.run(program.tune(program.model("m", test::fastScript()), {"--levels", "O0"}));
    ASSERT_TRUE(tuned.swept()) << tuned.err;
    std::string lines = "cd '" + program.dir().string() + "'\n";
    for (const auto& [attack, text] : hostileNames())
        lines += "printf '%s\\0' " + base::shellQuoted(text) + "\n";
    Program::write(program.dir() / "words.sh", lines);
    const Ran read = program.shell("/bin/sh '" + (program.dir() / "words.sh").string() + "'");
    EXPECT_EQ(read.err, "");
    std::string wanted;
    for (const auto& [attack, text] : hostileNames())
        wanted += text + '\0';
    EXPECT_EQ(read.out, wanted);
    EXPECT_FALSE(std::filesystem::exists(program.dir() / "PWN"));
    // Workspaces of such names: what is said about them steers no terminal.
    for (const auto& [attack, text] : hostileNames()) {
        if (text.empty() || text.size() > 200)
            continue;
        SCOPED_TRACE(attack);
        std::string name = text;
        std::replace(name.begin(), name.end(), '/', '_');
        const std::filesystem::path file = program.dir() / name;
        std::filesystem::copy(program.store(), file);
        for (const std::vector<std::string>& words : {std::vector<std::string>{"study", "list"},
                                                      {"workspace", "info"},
                                                      {"show", "t9"},
                                                      {"workspace", "check"}}) {
            std::vector<std::string> all = words;
            all.push_back("--store=" + file.string());
            const Ran ran = program.run(all, false);
            EXPECT_NE(ran.code, -1);
            EXPECT_EQ(base::printable(ran.out), ran.out) << words[0];
            EXPECT_EQ(base::printable(ran.err), ran.err) << words[0];
        }
        std::filesystem::remove(file);
    }
    EXPECT_FALSE(std::filesystem::exists(program.dir() / "PWN"));
}

} // namespace
} // namespace apertune::cli
