// SPDX-License-Identifier: GPL-3.0-or-later
// The difference of two recordings in all forms: the terminal, JSON, CSV, the HTML file and the window.
#include "tests/app/gui/forms.h"
#include "tests/app/gui/forms_window.h"
#include "tests/app/gui/forms_workspace.h"
#include "widgets/plots/waterfall_plot.h"
#include "widgets/tables/lean_table.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <sstream>

namespace apertune::testing {
namespace {

using base::Json;

std::string contentOf(const std::filesystem::path& file)
{
    std::ifstream stream(file);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

/// A workspace with the recording of FormsWorkspace and a second one, in which a kernel takes longer and another one is
/// of another library.
class DifferenceForms : public ::testing::Test
{
protected:
    DifferenceForms()
    {
        const std::filesystem::path folder = m_workspace.file().parent_path();
        Json recording = Json::parse(contentOf(folder / "loop.json"));
        std::vector<std::string> kernels;
        for (Json& event : recording["traceEvents"])
            if (event.value("cat", "") == "kernel") {
                const std::string name = event["name"];
                if (std::find(kernels.begin(), kernels.end(), name) == kernels.end())
                    kernels.push_back(name);
                if (name == kernels.front())
                    event["dur"] = event["dur"].get<double>() * 0.7;
                else if (name == kernels.back())
                    event["name"] = "another_library_kernel";
            }
        cli::test::Program::write(folder / "other.json", recording.dump());
        m_workspace.document({"trace", "import", (folder / "other.json").string()});
    }

    /// The table below a title row of the terminal that begins with `title`.
    static ShownTable tableAt(const QString& text, const QString& title)
    {
        const qsizetype at = text.indexOf(title);
        EXPECT_GE(at, 0) << title.toStdString() << " is not in\n" << text.toStdString();
        const qsizetype begin = text.lastIndexOf(QLatin1Char('\n'), at) + 1;
        const qsizetype end = text.indexOf(QStringLiteral("\n\n"), begin);
        return terminalTable(text.mid(begin, end < 0 ? -1 : end - begin));
    }

    /// Whether a text begins with that number, to the digits that it has.
    static bool shows(const QString& text, double value)
    {
        QString digits = text.section(QLatin1Char(' '), 0, 0);
        digits.replace(QChar(0x2212), QLatin1Char('-')).remove(QLatin1Char('+'));
        digits.remove(QChar(0xa0)).remove(QChar(0x202f));
        bool isNumber = false;
        const double shown = digits.toDouble(&isNumber);
        const qsizetype point = digits.indexOf(QLatin1Char('.'));
        const double step = std::pow(10.0, point < 0 ? 0 : -static_cast<double>(digits.size() - point - 1));
        return isNumber && std::abs(shown - value) <= 0.5001 * step;
    }

    static ShownTable windowTableOf(const QWidget& page, const char* accessible)
    {
        for (const auto* table : page.findChildren<tables::LeanTable*>())
            if (table->accessibleName() == QLatin1String(accessible) && table->model())
                return windowTable(*table->model());
        ADD_FAILURE() << "no table " << accessible;
        return {};
    }

    FormsWorkspace m_workspace;
};

TEST_F(DifferenceForms, EveryFormHasTheSameNumbers)
{
    const Json document = m_workspace.document({"compare", "tr1", "tr2"});
    const QString text = m_workspace.text({"compare", "tr1", "tr2", "--rows", "1000"});
    const Json& parts = document["parts"];
    ASSERT_GE(parts.size(), 3U) << document;
    const bool milliseconds = std::max(document["a"]["time_ms"]["value"].get<double>(),
                                       document["b"]["time_ms"]["value"].get<double>()) >= 10;
    const double scale = milliseconds ? 1 : 1e3;
    const auto value = [scale](const Json& of, const char* member) {
        return of[member]["value"].get<double>() * scale;
    };

    FormsWindow here(m_workspace.file());
    here.context.traces.wantTab(QStringLiteral("difference"));
    here.context.traces.wantOther(m_workspace.trace());
    here.context.traces.openStored(m_workspace.file(), store::TraceId{m_workspace.trace().value + 1},
                                   QStringLiteral("other"));
    const gui::Page& page = here.show(gui::PageId::trace);
    const ShownTable shown = windowTableOf(page, "Parts of the difference, the largest first");
    const ShownTable printed = tableAt(text, milliseconds ? QStringLiteral("Change ms") : QStringLiteral("Change µs"));
    ASSERT_EQ(shown.rows.size(), parts.size());
    ASSERT_EQ(printed.rows.size(), parts.size()) << text.toStdString();
    for (std::size_t i = 0; i < parts.size(); ++i)
        for (const auto& [column, member] : {std::pair(0, "change_ms"), std::pair(1, "a_ms"), std::pair(2, "b_ms")}) {
            EXPECT_TRUE(shows(shown.rows[i][column], value(parts[i], member)))
                << shown.rows[i][column].toStdString() << " in the window, " << parts[i][member];
            EXPECT_EQ(printed.rows[i][column].toStdString(), shown.rows[i][column].toStdString());
        }

    const auto waterfalls = FormsWindow::shown<plots::WaterfallPlot>(page);
    ASSERT_EQ(waterfalls.size(), 1U);
    const plots::Waterfall& waterfall = waterfalls.front()->waterfall();
    ASSERT_EQ(waterfall.steps.size(), document["steps"].size());
    EXPECT_NEAR(waterfall.start, value(document["a"], "time_ms"), 1e-9);
    for (std::size_t i = 0; i < waterfall.steps.size(); ++i) {
        EXPECT_NEAR(waterfall.steps[i].change, value(document["steps"][i], "change_ms"), 1e-9);
        EXPECT_TRUE(text.contains(waterfall.steps[i].value)) << waterfall.steps[i].value.toStdString();
    }

    const std::filesystem::path folder = m_workspace.file().parent_path();
    for (const char* name : {"difference.html", "difference.csv"})
        m_workspace.text({"compare", "tr1", "tr2", "--out", (folder / name).string()});
    const std::string html = contentOf(folder / "difference.html");
    for (const QStringList& row : shown.rows)
        EXPECT_NE(html.find(">" + row[0].toStdString() + "<"), std::string::npos) << row[0].toStdString();
    const std::string csv = contentOf(folder / "difference.csv");
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), static_cast<std::ptrdiff_t>(parts.size()) + 1);
}

TEST_F(DifferenceForms, TheQueryOfEachRowHasEvents)
{
    for (const Json& part : m_workspace.document({"compare", "tr1", "tr2"})["parts"])
        for (const char* side : {"query_a", "query_b"})
            if (!part[side].is_null() && part["kind"] != "idle") {
                EXPECT_FALSE(m_workspace.document({"workspace", "query", part[side]})["rows"].empty()) << part;
            }
}

} // namespace
} // namespace apertune::testing
