// SPDX-License-Identifier: GPL-3.0-or-later
// One recording in all forms that show recordings: the terminal, JSON and the window. (The HTML report is of a study.)
// Every number of the tables, the verdict and the findings is held against the JSON documents.
#include "app/gui/pages/trace/what_if_tab.h"
#include "app/gui/presenters/name_table.h"
#include "tests/app/gui/forms_facts.h"
#include "tests/app/gui/forms_window.h"
#include "tests/app/gui/forms_workspace.h"
#include "widgets/controls/panel.h"
#include "widgets/tables/lean_table.h"
#include "widgets/theme/format.h"
#include "widgets/trace_views/share_bar.h"
#include "widgets/trace_views/trace_labels.h"

#include <QRegularExpression>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace apertune::testing {
namespace {

using base::Json;

double microseconds(double milliseconds)
{
    return static_cast<double>(std::llround(milliseconds * 1e6)) * 1e-3;
}

/// A cell with a name, whose digits are no numbers of the document.
Fact name()
{
    return {};
}

Fact absent(const QString& text = QStringLiteral("–"))
{
    return {QStringLiteral("null"), text};
}

/// A fact of a member, or what stands for null.
template <typename Make>
Fact ofMember(const Json& object, const char* path, Make make)
{
    const auto value = numberAt(object, path);
    return value ? make(QLatin1String(path), *value) : absent();
}

void expectRow(const QString& where, const QStringList& cells, const std::vector<Fact>& expected)
{
    ASSERT_EQ(static_cast<std::size_t>(cells.size()), expected.size()) << where.toStdString();
    for (qsizetype i = 0; i < cells.size(); ++i) {
        const Fact& fact = expected[static_cast<std::size_t>(i)];
        if (!fact.member.isEmpty()) {
            EXPECT_EQ(cells[i].toStdString(), fact.text.toStdString())
                << where.toStdString() << ", column " << i + 1 << " (" << fact.member.toStdString() << ")";
        }
    }
}

class TraceForms : public ::testing::Test
{
protected:
    static void SetUpTestSuite()
    {
        s_workspace = new FormsWorkspace;
        s_report = new Json(s_workspace->document({"trace", "report", "tr1"}));
        s_text = new QString(s_workspace->text({"trace", "report", "tr1", "--rows", "1000"}));
    }
    static void TearDownTestSuite()
    {
        delete std::exchange(s_text, nullptr);
        delete std::exchange(s_report, nullptr);
        delete std::exchange(s_workspace, nullptr);
    }

    static const FormsWorkspace& workspace() { return *s_workspace; }
    static const Json& report() { return *s_report; }
    static const QString& text() { return *s_text; }
    static double events() { return *numberAt(report(), "events"); }
    static double at(const char* path)
    {
        const auto value = numberAt(report(), path);
        EXPECT_TRUE(value) << path;
        return value.value_or(-1);
    }
    static const Json& idle() { return report()["idle"][0]; }
    static double length(const Json& range) { return range["end_ms"].get<double>() - range["start_ms"].get<double>(); }

    /// The rows of a table of the terminal, whose titles stand `skip` lines below the title of its section.
    static std::vector<QStringList> rowsOf(const char* title, std::size_t count, int skip = 0)
    {
        const QStringList lines = section(text(), QLatin1String(title)).split(QLatin1Char('\n'));
        const ShownTable table =
            terminalTable(lines.mid(skip, static_cast<qsizetype>(count) + 1).join(QLatin1Char('\n')));
        EXPECT_EQ(table.rows.size(), count) << title;
        return table.rows;
    }

    /// Opens the recording and one part of its page.
    static gui::Page& open(FormsWindow& here, const char* part)
    {
        gui::TraceSession& traces = here.context.traces;
        traces.wantTab(QLatin1String(part));
        traces.openStored(workspace().file(), workspace().trace(), QStringLiteral("loop"));
        return here.show(gui::PageId::trace);
    }
    static ShownTable tableOf(const QWidget& page, const char* accessible)
    {
        for (const auto* table : page.findChildren<tables::LeanTable*>()) // one may be folded away
            if (table->accessibleName() == QLatin1String(accessible) && table->model())
                return windowTable(*table->model());
        ADD_FAILURE() << "no table " << accessible;
        return {};
    }
    static std::vector<QString> labels(const QWidget& in)
    {
        std::vector<QString> texts;
        for (const QLabel* label : FormsWindow::shown<QLabel>(in))
            if (!label->text().isEmpty())
                texts.push_back(label->text());
        return texts;
    }

private:
    static FormsWorkspace* s_workspace;
    static Json* s_report;
    static QString* s_text;
};

FormsWorkspace* TraceForms::s_workspace = nullptr;
Json* TraceForms::s_report = nullptr;
QString* TraceForms::s_text = nullptr;

TEST_F(TraceForms, TheRecordingHasSomethingForEveryTable)
{
    EXPECT_EQ(report()["iterations"]["count"], 6);
    EXPECT_EQ(report()["verdict"]["parts"].empty(), false);
    EXPECT_GE(report()["findings"].size(), 2u);
    for (const char* list : {"idle", "kernels", "launches", "counters"})
        EXPECT_FALSE(report()[list].empty()) << list;
    EXPECT_FALSE(report()["transfers"]["copies"].empty());
    EXPECT_FALSE(report()["memory"]["places"].empty());
    EXPECT_FALSE(report()["operators"]["tree"].empty());
    EXPECT_FALSE(report()["roofline"]["operators"].empty());
    EXPECT_TRUE(report()["roofline"]["ceilings"].is_object());
    EXPECT_TRUE(numberAt(report(), "kernels/0/occupancy"));
    for (const Json& iteration : report()["iterations"]["strip"])
        EXPECT_EQ(iteration["steady"], true);
}

TEST_F(TraceForms, EveryFormHasTheSameNumberOfEvents)
{
    const Json shown = workspace().document({"trace", "show", "tr1"});
    const Json listed = workspace().document({"trace", "list"})["traces"][0];
    EXPECT_EQ(shown["events"], report()["events"]);
    EXPECT_EQ(listed["events"], report()["events"]);
    EXPECT_EQ(shown["duration_ms"], report()["duration_ms"]);
    EXPECT_EQ(listed["duration_ms"], report()["duration_ms"]);
    double kinds = 0;
    double counters = 0;
    double memory = 0;
    std::vector<Fact> rows;
    for (const Json& kind : shown["kinds"]) {
        const double count = kind["events"].get<double>();
        kinds += count;
        counters += kind["kind"] == "counter" ? count : 0;
        memory += kind["kind"] == "tensor_memory" || kind["kind"] == "device_memory" ? count : 0;
        rows.push_back(printed::whole(qt(kind["kind"]), count));
    }
    EXPECT_EQ(kinds, events());

    const Fact all = printed::whole(QStringLiteral("events"), events());
    const Fact duration = printed::duration(QStringLiteral("duration_ms"), at("duration_ms"));
    const QString sheet = workspace().text({"trace", "show", "tr1"});
    Place(QStringLiteral("terminal, trace show"), sheet.section(QLatin1Char('\n'), 0, 0)).is({all, duration});
    const ShownTable table = terminalTable(sheet.section(QStringLiteral("\n\n"), 1, 1));
    ASSERT_EQ(table.rows.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        expectRow(QStringLiteral("terminal, kinds"), table.rows[i], {name(), rows[i]});
    Place(QStringLiteral("terminal, trace report"), text().section(QLatin1Char('\n'), 0, 0)).is({all, duration});

    FormsWindow here(workspace().file());
    const gui::Page& page = open(here, "timeline");
    Place(QStringLiteral("window, facts of the trace"), page.facts().section(QStringLiteral(" · NVIDIA"), 0, 0))
        .is({shown::count(QStringLiteral("iterations.count"), at("iterations/count")),
             shown::count(QStringLiteral("events"), events()),
             shown::time(QStringLiteral("duration_ms"), at("duration_ms"))});
    // What is drawn as a curve is no event of a list: the range and the list say so.
    const Fact drawn = shown::count(QStringLiteral("events without counters and memory"), events() - counters - memory);
    bool found = false;
    for (const controls::FactList::Fact& fact : FormsWindow::facts(page))
        if (fact.name == QStringLiteral("Events")) {
            found = true;
            EXPECT_EQ(fact.value.toStdString(), drawn.text.toStdString()) << fact.toolTip.toStdString();
            EXPECT_TRUE(fact.toolTip.contains(QStringLiteral("curves"))) << fact.toolTip.toStdString();
        }
    EXPECT_TRUE(found);
    const gui::Page& list = open(here, "events");
    const QString summary = labels(list).empty() ? QString() : labels(list).back();
    bool said = false;
    for (const QString& label : labels(list))
        if (label.contains(QStringLiteral("shows one in the timeline"))) {
            said = true;
            Place(QStringLiteral("window, list of events"), label).is({drawn});
        }
    EXPECT_TRUE(said) << summary.toStdString();
    EXPECT_EQ(tableOf(list, "Events of the timeline").rows.size(),
              static_cast<std::size_t>(events() - counters - memory));
}

TEST_F(TraceForms, TheTablesOfTheTerminalHaveTheNumbersOfTheDocument)
{
    using namespace printed;
    const auto ms = [](const QString& member, double value) { return significant(member, value); };
    const auto us = [](const QString& member, double value) { return significant(member, microseconds(value)); };

    const Json& strip = report()["iterations"]["strip"];
    std::vector<QStringList> rows = rowsOf("Iterations", strip.size(), 1);
    Place(QStringLiteral("terminal, iterations"),
          section(text(), QStringLiteral("Iterations")).section(QLatin1Char('\n'), 0, 0))
        .is({whole(QStringLiteral("iterations.count"), at("iterations/count")), whole(QStringLiteral("warm-up"), 0)});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double time = strip[i]["time_ms"];
        expectRow(QStringLiteral("terminal, iteration %1").arg(i + 1), rows[i],
                  {whole(QStringLiteral("number"), static_cast<double>(i) + 1),
                   ms(QStringLiteral("start_ms"), strip[i]["start_ms"]), ms(QStringLiteral("time_ms"), time),
                   percent(QStringLiteral("busy_ms"), strip[i]["busy_ms"].get<double>() / time),
                   percent(QStringLiteral("copies_alone_ms"), strip[i]["copies_alone_ms"].get<double>() / time),
                   whole(QStringLiteral("events"), strip[i]["events"])});
    }

    rows = rowsOf("Busy and idle", 2);
    for (const auto& [row, part] : {std::pair(0, "recording"), {1, "steady"}}) {
        const Json& use = idle()[part];
        std::vector<Fact> expected{name(), ms(QStringLiteral("range"), length(use["range"])),
                                   percent(QStringLiteral("busy_share"), use["busy_share"])};
        for (const char* cause : {"host_wait_ms", "launch_gap_ms", "synchronization_ms", "copy_wait_ms",
                                  "allocation_ms", "device_queue_ms", "first_call_ms", "unknown_ms"}) {
            const double time = use["idle_by_cause"][cause];
            expected.push_back(time > 0 ? percent(QLatin1String(cause), time / length(use["range"])) : absent({}));
        }
        expectRow(QStringLiteral("terminal, ") + QLatin1String(part), rows[static_cast<std::size_t>(row)], expected);
    }
    const QString hidden = section(text(), QStringLiteral("Busy and idle")).section(QLatin1Char('\n'), 3);
    Place(QStringLiteral("terminal, overlap"), hidden)
        .is({whole(QStringLiteral("device"), idle()["device"]),
             percent(QStringLiteral("overlap"), idle()["recording"]["overlap"])});

    const Json& kernels = report()["kernels"];
    rows = rowsOf("Kernels", kernels.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Json& kernel = kernels[i];
        expectRow(QStringLiteral("terminal, kernel %1").arg(i + 1), rows[i],
                  {name(),
                   {QStringLiteral("class"), qt(kernel["class"])},
                   whole(QStringLiteral("count"), kernel["count"]),
                   ms(QStringLiteral("total_ms"), kernel["total_ms"]),
                   percent(QStringLiteral("share"), kernel["share"]),
                   significant(QStringLiteral("mean_ms"), kernel["mean_ms"].get<double>() * 1e3),
                   ofMember(kernel, "p50_ms", us),
                   ofMember(kernel, "p99_ms", us),
                   ofMember(kernel, "waves", [](const QString& m, double v) { return significant(m, v, 2); }),
                   ofMember(kernel, "occupancy", [](const QString& m, double v) { return percent(m, v); }),
                   name()});
    }

    const Json& tree = report()["operators"]["tree"];
    rows = rowsOf("Operators", tree.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Json& node = tree[i];
        const bool leaf = node["kind"] != "operator_call";
        expectRow(QStringLiteral("terminal, operator %1").arg(i + 1), rows[i],
                  {name(), whole(QStringLiteral("calls"), node["calls"]),
                   leaf ? absent({}) : ms(QStringLiteral("host_ms"), node["host_ms"]),
                   leaf ? absent({}) : ms(QStringLiteral("host_self_ms"), node["host_self_ms"]),
                   ms(QStringLiteral("device_ms"), node["device_ms"]),
                   leaf ? absent({}) : whole(QStringLiteral("device_events"), node["device_events"])});
    }

    const auto rate = [](const QString& member, double value) { return significant(member, value * 1e-9, 3); };
    const Json& copies = report()["transfers"]["copies"];
    rows = rowsOf("Transfers", copies.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Json& copy = copies[i];
        expectRow(QStringLiteral("terminal, copies %1").arg(i + 1), rows[i],
                  {name(), name(), name(), whole(QStringLiteral("count"), copy["count"]),
                   ofMember(copy, "bytes", [](const QString& m, double v) { return bytes(m, v); }),
                   ms(QStringLiteral("time_ms"), copy["time_ms"]), ms(QStringLiteral("alone_ms"), copy["alone_ms"]),
                   ofMember(copy, "bytes_per_s", rate),
                   ofMember(copy, "link_share", [](const QString& m, double v) { return percent(m, v); })});
    }

    const Json& launches = report()["launches"];
    rows = rowsOf("Launches", launches.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Json& launch = launches[i];
        expectRow(QStringLiteral("terminal, launches"), rows[i],
                  {name(), whole(QStringLiteral("kernels"), launch["kernels"]), ofMember(launch, "call/p50_ms", us),
                   ofMember(launch, "call/p99_ms", us), ofMember(launch, "delay/p50_ms", us),
                   ofMember(launch, "delay/p99_ms", us),
                   whole(QStringLiteral("shorter_than_call"), launch["shorter_than_call"]),
                   whole(QStringLiteral("tiny"), launch["tiny"]),
                   whole(QStringLiteral("deepest_queue"), launch["deepest_queue"])});
    }

    // A block for each place; those of its peak stand in a table below.
    const qsizetype begin = text().indexOf(QStringLiteral("\nMemory\n")) + 8;
    const QStringList blocks =
        text().mid(begin, text().indexOf(QStringLiteral("\nCounters\n")) - begin).split(QStringLiteral("\n\n"));
    const Json& places = report()["memory"]["places"];
    ASSERT_EQ(static_cast<std::size_t>(blocks.size()), places.size() + 1);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Json& place = places[i];
        const QString block = blocks[static_cast<qsizetype>(i)];
        Place(QStringLiteral("terminal, memory"), block.section(QLatin1Char('\n'), 0, 0))
            .words(QStringLiteral("device 0 (NVIDIA A100-SXM4-40GB)"))
            .is({bytes(QStringLiteral("peak_bytes"), place["peak_bytes"]),
                 ms(QStringLiteral("peak_ms"), place["peak_ms"]),
                 whole(QStringLiteral("allocations"), place["allocations"]),
                 bytes(QStringLiteral("allocated_bytes"), place["allocated_bytes"]),
                 bytes(QStringLiteral("left_bytes"), place["left_bytes"])});
        const ShownTable owners = terminalTable(block.section(QLatin1Char('\n'), 1));
        ASSERT_EQ(owners.rows.size(), place["owners"].size());
        for (std::size_t k = 0; k < owners.rows.size(); ++k)
            expectRow(QStringLiteral("terminal, owner"), owners.rows[k],
                      {name(), bytes(QStringLiteral("bytes"), place["owners"][k]["bytes"]),
                       whole(QStringLiteral("blocks"), place["owners"][k]["blocks"])});
    }
    Place(QStringLiteral("terminal, fragmentation"), blocks.back())
        .words(QStringLiteral("device 0 (NVIDIA A100-SXM4-40GB)"))
        .is({significant(QStringLiteral("reserved_over_used"), at("memory/fragmentation/0/reserved_over_used"), 3)});

    const Json& counters = report()["counters"];
    rows = rowsOf("Counters", counters.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Json& counter = counters[i];
        ASSERT_EQ(counter["unit"], "B");
        Fact growth = bytes(QStringLiteral("growth"), counter["growth"]);
        if (counter["growth"] > 0)
            growth.text.prepend(QLatin1Char('+'));
        expectRow(QStringLiteral("terminal, counter"), rows[i],
                  {{QStringLiteral("name"), qt(counter["name"])},
                   name(),
                   whole(QStringLiteral("samples"), counter["samples"]),
                   bytes(QStringLiteral("min"), counter["min"]),
                   bytes(QStringLiteral("mean"), counter["mean"]),
                   bytes(QStringLiteral("max"), counter["max"]),
                   bytes(QStringLiteral("last"), counter["last"]),
                   growth});
    }

    const Json& roofline = report()["roofline"]["operators"];
    rows = rowsOf("Roofline", roofline.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Json& row = roofline[i];
        Fact efficiency = ofMember(row, "efficiency", [](const QString& m, double v) { return percent(m, v); });
        if (row["above_roof"] == true)
            efficiency.text += QStringLiteral(" !");
        expectRow(QStringLiteral("terminal, roofline %1").arg(i + 1), rows[i],
                  {name(),
                   name(),
                   whole(QStringLiteral("calls"), row["calls"]),
                   ms(QStringLiteral("time_ms"), row["time_ms"]),
                   significant(QStringLiteral("flops"), row["flops"].get<double>() * 1e-9, 3),
                   significant(QStringLiteral("flops_per_byte"), row["flops_per_byte"], 3),
                   significant(QStringLiteral("flops_per_s"), row["flops_per_s"].get<double>() * 1e-9, 4),
                   ofMember(row, "bytes_per_s", rate),
                   efficiency,
                   {QStringLiteral("bound"), row["bound"].is_null() ? QStringLiteral("–") : qt(row["bound"])}});
    }
    const Json& roof = report()["roofline"]["ceilings"];
    const QString ceilings = section(text(), QStringLiteral("Roofline"))
                                 .section(QLatin1Char('\n'), static_cast<qsizetype>(roofline.size()) + 1);
    Place(QStringLiteral("terminal, ceilings"), ceilings)
        .words(qt(roof["source"]))
        .is({significant(QStringLiteral("flops_per_s"), roof["flops_per_s"].get<double>() * 1e-12, 3),
             significant(QStringLiteral("bytes_per_s"), roof["bytes_per_s"].get<double>() * 1e-9, 4)});
}

/// The gain that a finding promises, as the terminal says it.
std::vector<Fact> gainFacts(const Json& finding)
{
    const Json& gain = finding["gain"];
    if (finding["of"] == "time")
        return {printed::percent(QStringLiteral("gain.lo"), gain["lo"]),
                printed::percent(QStringLiteral("gain.hi"), gain["hi"])};
    if (finding["of"] == "memory")
        return {gain["hi"] > 0 ? printed::percent(QStringLiteral("gain.hi"), gain["hi"])
                               : printed::percent(QStringLiteral("share"), finding["share"])};
    return {};
}

TEST_F(TraceForms, TheVerdictOfTheTerminalHasTheNumbersOfTheDocument)
{
    const Json& verdict = report()["verdict"];
    const QString all = text().left(text().indexOf(QStringLiteral("\nIterations\n")));
    EXPECT_TRUE(all.contains(qt(verdict["sentence"]))) << all.toStdString();
    EXPECT_TRUE(
        all.contains(QStringLiteral("the whole recording, the verdict and its findings the steady iterations.")))
        << "what the tables of the next test are of";
    const std::size_t parts = verdict["parts"].size();
    const QStringList lines = all.mid(all.indexOf(QStringLiteral("Cause "))).split(QLatin1Char('\n'));
    const ShownTable bar = terminalTable(lines.mid(0, static_cast<qsizetype>(parts) + 1).join(QLatin1Char('\n')));
    ASSERT_EQ(bar.rows.size(), parts);
    for (std::size_t i = 0; i < parts; ++i) {
        EXPECT_EQ(bar.rows[i][0], qt(verdict["parts"][i]["cause"]).replace(QLatin1Char('_'), QLatin1Char(' ')));
        EXPECT_EQ(bar.rows[i][1], printed::percent(QStringLiteral("share"), verdict["parts"][i]["share"]).text);
    }
    for (const Json& finding : report()["findings"]) {
        const QString rule = qt(finding["rule"]);
        EXPECT_TRUE(all.contains(qt(finding["title"]) + QStringLiteral(": ") + qt(finding["text"])))
            << rule.toStdString();
        if (!finding["part_of"].is_null())
            continue;
        const qsizetype at = all.indexOf(QLatin1Char('\n') + rule + QStringLiteral("  "));
        ASSERT_GE(at, 0) << rule.toStdString();
        const QString gain = all.mid(at + 1).section(QLatin1Char('\n'), 1, 1);
        std::vector<Fact> facts = gainFacts(finding);
        if (const Json& range = finding["evidence"]["range"]; range.is_object()) {
            facts.push_back(printed::significant(QStringLiteral("range.start_ms"), range["start_ms"], 6));
            facts.push_back(printed::significant(QStringLiteral("range"), length(range)));
        }
        Place(QStringLiteral("terminal, gain of ") + rule, gain).is(facts);
    }
}

TEST_F(TraceForms, TheBottleneckOfTheWindowHasTheNumbersOfTheDocument)
{
    FormsWindow here(workspace().file());
    const gui::Page& page = open(here, "bottleneck");
    const Json& verdict = report()["verdict"];
    const double window = length(idle()["steady"]["range"]);

    const auto bars = FormsWindow::shown<trace_views::ShareBar>(page);
    ASSERT_EQ(bars.size(), 1u);
    ASSERT_EQ(static_cast<std::size_t>(bars[0]->partCount()), verdict["parts"].size());
    for (int i = 0; i < bars[0]->partCount(); ++i) {
        const Json& part = verdict["parts"][static_cast<std::size_t>(i)];
        const auto shownPart = bars[0]->part(i);
        const double share = part["share"];
        const QString where = QStringLiteral("window, ") + qt(part["cause"]);
        // A part that is too small to see needs no digits.
        Place(where, shownPart.name)
            .is({share > 0 && share < 0.001 ? makeFact(QStringLiteral("share"), {0.1}, QStringLiteral("0.1"))
                                            : shown::shareBar(QStringLiteral("share"), share)});
        Place(where, shownPart.detail)
            .is({shown::time(QStringLiteral("time_ms"), part["time_ms"]),
                 shown::time(QStringLiteral("steady.range"), window)});
    }

    const auto cards = FormsWindow::shown<controls::KpiCard>(page);
    ASSERT_EQ(cards.size(), 4u);
    std::vector<double> times;
    for (const Json& iteration : report()["iterations"]["strip"])
        if (iteration["steady"] == true)
            times.push_back(iteration["time_ms"]);
    std::sort(times.begin(), times.end());
    const auto figure = [&](std::size_t i) { return cards[i]->figure(); };
    const auto value = [&](std::size_t i) { return figure(i).value + QLatin1Char(' ') + figure(i).unit; };
    EXPECT_EQ(value(0), shown::time(QStringLiteral("median_ms"), report()["iterations"]["median_ms"]["value"]).text);
    const auto steady = static_cast<double>(times.size());
    // With six values the interval of a median goes from the least to the most.
    Place(QStringLiteral("window, iteration"), figure(0).detail)
        .is({shown::count(QStringLiteral("steady iterations"), steady),
             shown::bounds(QStringLiteral("time_ms in µs"), {0, times.front() * 1e3, times.back() * 1e3, 0.95}, 3)});
    const Json& use = idle()["steady"];
    EXPECT_EQ(figure(1).value,
              shown::number(QStringLiteral("busy_share"), use["busy_share"].get<double>() * 100, 3).text);
    Place(QStringLiteral("window, idle"), figure(1).detail)
        .is({shown::time(QStringLiteral("idle_ms"), use["idle_ms"].get<double>() / steady)});
    EXPECT_EQ(
        figure(2).value,
        shown::number(QStringLiteral("copies_alone_ms"), use["copies_alone_ms"].get<double>() / window * 100, 3).text);
    Place(QStringLiteral("window, overlap"), figure(2).detail)
        .is(use["overlap"] > 0 ? std::vector{shown::percent(QStringLiteral("overlap"), use["overlap"], 3)}
                               : std::vector<Fact>{});
    double kernels = 0;
    double kernelTime = 0;
    for (const Json& kernel : report()["kernels"]) {
        kernels += kernel["count"].get<double>();
        kernelTime += kernel["total_ms"].get<double>();
    }
    EXPECT_EQ(figure(3).value, shown::count(QStringLiteral("kernels"), kernels / steady).text);
    Place(QStringLiteral("window, kernel"), figure(3).detail)
        .is({shown::time(QStringLiteral("mean of kernels"), std::floor(kernelTime * 1e6 / kernels) * 1e-6)});

    std::vector<QString> texts = labels(page);
    const auto has = [&](const QString& text) {
        return std::any_of(texts.begin(), texts.end(), [&](const QString& label) { return label.contains(text); });
    };
    const QString sentence = qt(verdict["sentence"]);
    EXPECT_TRUE(has(sentence) || has(sentence.section(QStringLiteral(": "), 1).mid(1))) << sentence.toStdString();
    std::size_t whole = 0;
    for (const Json& finding : report()["findings"]) {
        const QString rule = qt(finding["rule"]);
        EXPECT_TRUE(has(qt(finding["text"]))) << rule.toStdString();
        if (!finding["part_of"].is_null())
            continue;
        ++whole;
        const QWidget* card = nullptr;
        for (const controls::Panel* panel : FormsWindow::shown<controls::Panel>(page))
            for (const QString& label : labels(*panel))
                if (label.startsWith(rule + QStringLiteral(" · ")))
                    card = panel;
        ASSERT_TRUE(card) << rule.toStdString();
        const double lo = finding["gain"]["lo"];
        const double hi = finding["gain"]["hi"];
        const auto points = [](const char* member, double share) {
            return shown::number(QLatin1String(member), share * 100, share < 0.095 ? 2 : 3);
        };
        for (const QString& label : labels(*card)) {
            Place place(QStringLiteral("window, finding ") + rule, label);
            if (label.startsWith(QStringLiteral("concerns ")) || label.endsWith(QStringLiteral(" from steady")))
                place.is({shown::percent(QStringLiteral("share"), finding["share"], 2)});
            else if (label.startsWith(rule))
                place.is({shown::count(QStringLiteral("evidence.events"), finding["evidence"]["events"])});
            else if (label.startsWith(QStringLiteral("Try: "))) {
                place.words(qt(finding["knob"]["text"]));
                if (hi > 0 && lo > 0 && hi - lo >= 0.002)
                    place.holds(points("gain.lo", lo));
                place.is(hi > 0 ? std::vector{points("gain.hi", hi)} : std::vector<Fact>{});
            }
        }
    }
    EXPECT_TRUE(
        has(shown::count(QStringLiteral("findings"), static_cast<double>(whole)).text + QStringLiteral(" finding")));
}

TEST_F(TraceForms, TheNamesOfTheWindowHaveTheNumbersOfTheDocument)
{
    using namespace shown;
    FormsWindow here(workspace().file());
    const gui::Page& page = open(here, "kernels");
    const Json& kernels = report()["kernels"];
    const Json& copies = report()["transfers"]["copies"];
    double work = 0;
    for (const Json& kernel : kernels)
        work += kernel["total_ms"].get<double>();
    for (const Json& copy : copies)
        work += copy["time_ms"].get<double>();

    const tables::LeanTable* view = nullptr;
    for (const auto* table : FormsWindow::shown<tables::LeanTable>(page))
        if (table->accessibleName() == QStringLiteral("Kernels, operators and calls"))
            view = table;
    ASSERT_TRUE(view);
    const ShownTable table = windowTable(*view->model());
    EXPECT_EQ(table.rows.size(), kernels.size() + copies.size());
    const auto extent = [](const Json& size) {
        std::vector<double> sizes;
        QStringList words;
        for (std::size_t i = 0; i < 3; ++i)
            if (i == 0 || size[i] > 1 || (i == 1 && size[2] > 1)) {
                sizes.push_back(size[i]);
                words << QString::number(size[i].get<int>());
            }
        return makeFact(QStringLiteral("extent"), sizes, words.join(QStringLiteral(" × ")));
    };
    const auto atIndex = [](const Json& object, const char* path) {
        return ofMember(object, path, [](const QString& m, double v) { return time(m, v); });
    };
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const QString full = view->model()
                                 ->index(static_cast<int>(i), 0)
                                 .data(Qt::ToolTipRole)
                                 .toString()
                                 .section(QLatin1Char('\n'), 0, 0);
        const auto kernel =
            std::find_if(kernels.begin(), kernels.end(), [&](const Json& k) { return qt(k["name"]) == full; });
        const QString where = QStringLiteral("window, ") + full;
        if (kernel == kernels.end()) {
            const bool out = full.contains(QStringLiteral("HtoD"));
            const auto copy = std::find_if(copies.begin(), copies.end(), [&](const Json& c) {
                return (c["direction"].get<std::string>().find("host") == 0) == out;
            });
            ASSERT_NE(copy, copies.end()) << full.toStdString();
            EXPECT_EQ(table.cell(i, QStringLiteral("Calls")), count(QStringLiteral("count"), (*copy)["count"]).text);
            EXPECT_EQ(table.cell(i, QStringLiteral("Total")), time(QStringLiteral("time_ms"), (*copy)["time_ms"]).text);
            EXPECT_EQ(table.cell(i, QStringLiteral("Share")),
                      shareBar(QStringLiteral("time_ms"), (*copy)["time_ms"].get<double>() / work).text);
            continue;
        }
        expectRow(where, table.rows[i],
                  {name(), name(), name(), count(QStringLiteral("count"), (*kernel)["count"]),
                   time(QStringLiteral("total_ms"), (*kernel)["total_ms"]),
                   shareBar(QStringLiteral("total_ms of all device work"), (*kernel)["total_ms"].get<double>() / work),
                   time(QStringLiteral("mean_ms"), std::floor((*kernel)["mean_ms"].get<double>() * 1e6 + 1e-6) * 1e-6),
                   atIndex(*kernel, "p50_ms"), atIndex(*kernel, "p99_ms"),
                   ofMember(*kernel, "occupancy", [](const QString& m, double v) { return shareBar(m, v); }),
                   ofMember(*kernel, "sm_fill", [](const QString& m, double v) { return shareBar(m, v); }), name(),
                   extent((*kernel)["grid"]), extent((*kernel)["block"]), atIndex(*kernel, "max_ms")});
    }
}

TEST_F(TraceForms, TheRangeOfTheWindowHasTheNumbersOfTheDocument)
{
    using namespace shown;
    FormsWindow here(workspace().file());
    const gui::Page& page = open(here, "timeline");
    const Json& use = idle()["recording"];
    double work = 0;
    double time = 0;
    for (const Json& kernel : report()["kernels"]) {
        work += kernel["count"].get<double>();
        time += kernel["total_ms"].get<double>();
    }
    QStringList read;
    const auto facts = FormsWindow::facts(page);
    const auto fact = [&](const char* name, const std::vector<Fact>& values) {
        read << QLatin1String(name);
        const auto at =
            std::find_if(facts.begin(), facts.end(), [&](const auto& f) { return f.name == QLatin1String(name); });
        ASSERT_NE(at, facts.end()) << name;
        Place(QStringLiteral("window, range, ") + at->name, at->value).is(values);
    };
    for (const auto& [title, direction] : {std::pair("Copied to GPU", "host"), {"Copied from GPU", "device"}}) {
        for (const Json& copy : report()["transfers"]["copies"]) {
            if (copy["direction"].get<std::string>().find(direction) != 0)
                continue;
            work += copy["count"].get<double>();
            time += copy["time_ms"].get<double>();
            const double rate = copy["bytes_per_s"];
            fact(title, {bytes(QStringLiteral("bytes"), copy["bytes"]), number(QStringLiteral("bytes_per_s"),
                                                                               rate / (rate >= 1e9   ? 1e9
                                                                                       : rate >= 1e6 ? 1e6
                                                                                                     : 1e3),
                                                                               3)});
        }
    }
    fact("Whole trace", {shown::time(QStringLiteral("duration_ms"), at("duration_ms"))});
    fact("GPU busy",
         {shown::time(QStringLiteral("busy_ms"), use["busy_ms"]),
          percent(QStringLiteral("busy_ms of duration_ms"), use["busy_ms"].get<double>() / at("duration_ms"), 3)});
    fact("Work in sum", {shown::time(QStringLiteral("sum of total_ms and time_ms"), time)});
    fact("Device work", {count(QStringLiteral("sum of count"), work)});
    for (const auto& left : facts)
        if (left.name != QStringLiteral("Events") && left.name != QStringLiteral("Largest gap")) {
            EXPECT_TRUE(read.contains(left.name)) << "not looked at: " << left.name.toStdString();
        }

    const Json& counters = report()["counters"];
    // The table of counters is shown when somebody chooses their tracks.
    ASSERT_TRUE(here.context.traces.timeline() && here.context.traces.statistics());
    tables::TextTableModel model(gui::counterColumns());
    model.setRows(gui::counterRows(*here.context.traces.timeline(), *here.context.traces.statistics()));
    const ShownTable table = windowTable(model);
    std::size_t found = 0;
    for (const Json& counter : counters)
        for (const QStringList& row : table.rows) {
            if (!row[0].contains(qt(counter["name"])))
                continue;
            ++found;
            Fact growth = bytes(QStringLiteral("growth"), counter["growth"]);
            if (counter["growth"] > 0)
                growth.text.prepend(QLatin1Char('+'));
            expectRow(QStringLiteral("window, counter"), row,
                      {name(), bytes(QStringLiteral("min"), counter["min"]),
                       bytes(QStringLiteral("mean"), counter["mean"]), bytes(QStringLiteral("max"), counter["max"]),
                       bytes(QStringLiteral("last"), counter["last"]), growth});
        }
    EXPECT_EQ(found, counters.size());
}

TEST_F(TraceForms, TheTablesOfTheWindowHaveTheNumbersOfTheDocument)
{
    using namespace shown;
    FormsWindow here(workspace().file());
    const double window = length(idle()["steady"]["range"]);

    const Json& tree = report()["operators"]["tree"];
    ShownTable table = tableOf(open(here, "operators"), "Call tree");
    ASSERT_EQ(table.rows.size(), tree.size());
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const Json& node = tree[i];
        const bool leaf = node["kind"] != "operator_call";
        expectRow(QStringLiteral("window, operator %1").arg(i + 1), table.rows[i],
                  {name(), count(QStringLiteral("calls"), node["calls"]),
                   leaf ? absent({}) : time(QStringLiteral("host_ms"), node["host_ms"]),
                   leaf ? absent({}) : shareBar(QStringLiteral("host_ms"), node["host_ms"].get<double>() / window),
                   leaf ? absent({}) : time(QStringLiteral("host_self_ms"), node["host_self_ms"]),
                   time(QStringLiteral("device_ms"), node["device_ms"]),
                   leaf ? absent({}) : count(QStringLiteral("device_events"), node["device_events"])});
    }

    const auto rateOf = [](const QString& member, double value) {
        const double unit = value >= 1e9 ? 1e9 : value >= 1e6 ? 1e6 : 1e3;
        Fact fact = number(member, value / unit, 3);
        fact.text += unit == 1e9   ? QStringLiteral(" GB/s")
                     : unit == 1e6 ? QStringLiteral(" MB/s")
                                   : QStringLiteral(" kB/s");
        return fact;
    };
    const Json& copies = report()["transfers"]["copies"];
    const gui::Page& transfers = open(here, "transfers");
    table = tableOf(transfers, "Transfers");
    ASSERT_EQ(table.rows.size(), copies.size());
    double copied = 0;
    double alone = 0;
    for (std::size_t i = 0; i < copies.size(); ++i) {
        const Json& copy = copies[i];
        copied += copy["bytes"].get<double>();
        alone += copy["alone_ms"].get<double>();
        expectRow(QStringLiteral("window, copies %1").arg(i + 1), table.rows[i],
                  {name(), name(), name(), count(QStringLiteral("count"), copy["count"]),
                   bytes(QStringLiteral("bytes"), copy["bytes"]), time(QStringLiteral("time_ms"), copy["time_ms"]),
                   time(QStringLiteral("alone_ms"), copy["alone_ms"]),
                   shareBar(QStringLiteral("alone_ms"), copy["alone_ms"].get<double>() / window),
                   rateOf(QStringLiteral("bytes_per_s"), copy["bytes_per_s"]),
                   time(QStringLiteral("call_ms"), copy["call_ms"])});
    }
    for (const QString& label : labels(transfers))
        if (label.contains(QStringLiteral("copied in"))) {
            std::vector<Fact> facts{bytes(QStringLiteral("sum of bytes"), copied),
                                    percent(QStringLiteral("sum of alone_ms"), alone / window, 2)};
            if (const std::size_t trips = report()["transfers"]["round_trips"].size(); trips > 0)
                facts.push_back(count(QStringLiteral("round_trips"), static_cast<double>(trips)));
            Place(QStringLiteral("window, copies"), label).is(facts);
        }

    const Json& places = report()["memory"]["places"];
    const gui::Page& memory = open(here, "memory");
    table = tableOf(memory, "Memory");
    std::size_t next = 0;
    std::vector<Fact> said;
    for (const Json& place : places) {
        said.insert(said.end(), {bytes(QStringLiteral("peak_bytes"), place["peak_bytes"]),
                                 time(QStringLiteral("peak_ms"), place["peak_ms"]),
                                 count(QStringLiteral("allocations"), place["allocations"]),
                                 bytes(QStringLiteral("allocated_bytes"), place["allocated_bytes"])});
        for (const Json& owner : place["owners"]) {
            ASSERT_LT(next, table.rows.size());
            expectRow(QStringLiteral("window, owner"), table.rows[next++],
                      {name(), name(), count(QStringLiteral("blocks"), owner["blocks"]),
                       bytes(QStringLiteral("bytes"), owner["bytes"]),
                       shareBar(QStringLiteral("bytes of the peak"),
                                owner["bytes"].get<double>() / place["peak_bytes"].get<double>())});
        }
    }
    EXPECT_EQ(table.rows.size(), next);
    said.push_back(
        percent(QStringLiteral("reserved_over_used"), 1 - 1 / at("memory/fragmentation/0/reserved_over_used"), 2));
    for (QString label : labels(memory))
        if (label.contains(QStringLiteral(": peak")))
            Place(QStringLiteral("window, memory"), label.remove(QStringLiteral("GPU 0"))).is(said);

    const Json& rows = report()["roofline"]["operators"];
    const gui::Page& roofline = open(here, "roofline");
    table = tableOf(roofline, "Roofline");
    ASSERT_EQ(table.rows.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Json& row = rows[i];
        const auto figure = [&](const char* member, double unit) {
            return ofMember(row, member, [unit](const QString& m, double v) { return number(m, v / unit, 3); });
        };
        expectRow(QStringLiteral("window, roofline %1").arg(i + 1), table.rows[i],
                  {name(), time(QStringLiteral("time_ms"), row["time_ms"]), figure("flops_per_s", 1e9),
                   figure("flops_per_byte", 1), figure("bytes_per_s", 1e9),
                   ofMember(row, "efficiency", [](const QString& m, double v) { return shareBar(m, v); }), name()});
    }
    const Json& roof = report()["roofline"]["ceilings"];
    const double flops = roof["flops_per_s"];
    const double bandwidth = roof["bytes_per_s"];
    bool found = false;
    for (const QString& label : labels(roofline))
        if (label.startsWith(QStringLiteral("Ceilings")) && label.size() > 10) {
            found = true;
            Place(QStringLiteral("window, ceilings"), label.section(QStringLiteral(" lies above"), 0, 0))
                .words(qt(roof["source"]))
                .holds(number(QStringLiteral("flops_per_s"), flops / 1e12, 3))
                .holds(number(QStringLiteral("bytes_per_s"), bandwidth / 1e9, 3))
                .holds(number(QStringLiteral("flops_per_s over bytes_per_s"), flops / bandwidth, 3));
        }
    EXPECT_TRUE(found);
}

/// Expects a text to be the times, each with its unit: "1.2 ms [1.1 ms, 1.3 ms]".
void expectTimes(const QString& where, const QString& text, const std::vector<double>& milliseconds)
{
    static const QRegularExpression time(QStringLiteral("([\\d.]+) (ns|µs|ms|s)\\b"));
    std::size_t found = 0;
    for (QRegularExpressionMatchIterator all = time.globalMatch(text); all.hasNext(); ++found) {
        const QRegularExpressionMatch match = all.next();
        ASSERT_LT(found, milliseconds.size()) << where.toStdString() << ": " << text.toStdString();
        const QString unit = match.captured(2);
        const double size = unit == QStringLiteral("s")    ? 1e3
                            : unit == QStringLiteral("ms") ? 1
                            : unit == QStringLiteral("µs") ? 1e-3
                                                           : 1e-6;
        makeFact(where, {milliseconds[found] / size}, match.captured(1));
    }
    EXPECT_EQ(found, milliseconds.size()) << where.toStdString() << ": " << text.toStdString();
}

TEST_F(TraceForms, AWhatIfHasTheSameNumbersInEveryForm)
{
    const std::vector<std::string> changes{"kernel:" + report()["kernels"][0]["name"].get<std::string>() + "=50%",
                                           "copies=remove"};
    const Json document = workspace().document({"trace", "whatif", "tr1", changes[0], changes[1]});
    const ShownTable printed = terminalTable(
        workspace().text({"trace", "whatif", "tr1", changes[0], changes[1]}).section(QStringLiteral("\n\n"), 0, 0));
    FormsWindow here(workspace().file());
    const gui::Page& page = open(here, "whatif");
    for (const std::string& change : changes) {
        page.findChild<gui::WhatIfTab*>()->add(qt(change));
        ASSERT_TRUE(here.settle());
    }
    const ShownTable shown = tableOf(page, "Predictions");
    ASSERT_EQ(shown.rows.size(), 4U);
    ASSERT_EQ(printed.rows.size(), 4U);
    const auto timesOf = [](const Json& interval) {
        std::vector<double> times;
        for (const char* member : {"value", "lo", "hi"})
            if (!interval[member].is_null())
                times.push_back(interval[member]);
        return times;
    };
    for (const ShownTable* table : {&shown, &printed})
        expectTimes(QStringLiteral("before_ms"), table->cell(0, QStringLiteral("An iteration")),
                    timesOf(document["before_ms"]));
    for (std::size_t row = 1; row < 4; ++row) {
        const Json& effect = row == 3 ? document["together"] : document["changes"][row - 1];
        ASSERT_FALSE(effect["saved"]["lo"].is_null()) << document;
        for (const ShownTable* table : {&shown, &printed}) {
            expectTimes(QStringLiteral("after_ms"), table->cell(row, QStringLiteral("An iteration")),
                        timesOf(effect["after_ms"]));
            makeFact(QStringLiteral("saved"),
                     {effect["saved"]["value"].get<double>() * 100, effect["saved"]["lo"].get<double>() * 100,
                      effect["saved"]["hi"].get<double>() * 100},
                     table->cell(row, QStringLiteral("Saved")));
            if (row < 3)
                makeFact(QStringLiteral("events"), {effect["events"]}, table->cell(row, QStringLiteral("Events")));
        }
    }
}

} // namespace
} // namespace apertune::testing
