// SPDX-License-Identifier: GPL-3.0-or-later
// One study in all forms: the tables and sheets of the terminal, the HTML report and the window are held against the
// JSON documents. Every number of the documents stands where it belongs, and no form has a number of its own.
#include "app/gui/presenters/tradeoffs_view.h"
#include "app/gui/presenters/trial_view.h"
#include "core/report/documents.h"
#include "core/report/html.h"
#include "core/report/study_csv.h"
#include "core/report/study_table.h"
#include "core/report/trial_sheet.h"
#include "core/text/format.h"
#include "tests/app/gui/forms_facts.h"
#include "tests/app/gui/forms_window.h"
#include "tests/app/gui/forms_workspace.h"
#include "widgets/plots/plot_source.h"
#include "widgets/tables/trial_columns.h"
#include "widgets/tables/trial_table_view.h"
#include "widgets/theme/format.h"

#include <QRegularExpression>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace apertune::testing {
namespace {

using base::Json;

/// A trial of the documents.
class TrialDocument
{
public:
    explicit TrialDocument(Json document) : json(std::move(document)) {}

    Json json;

    QString id() const { return qt(json["id"].get<std::string>()); }
    bool measured() const { return json["state"] == "ok"; }
    std::optional<double> at(const char* path) const { return numberAt(json, path); }
    QString member(const char* path) const { return id() + QLatin1Char(' ') + QLatin1String(path); }
    double confidence() const { return *at("latency_ms/confidence"); }
    double blocks() const { return *at("latency_ms/blocks"); }
    model::Interval latency() const { return sure(intervalAt(json["latency_ms"], "median")); }
    model::Interval throughput() const { return sure(intervalAt(json["throughput_per_s"], "value")); }
    bool hasEnergy() const { return at("energy_mj/value").has_value(); }
    model::Interval energy(const char* member = "energy_mj") const { return intervalAt(json[member], "value"); }
    /// The member of `memory_bytes` that counts for the trial's device.
    const char* peak() const
    {
        return json["device"] == "cpu" ? "memory_bytes/process_peak" : "memory_bytes/device_peak";
    }
    bool hasNaN() const { return at("quality/nan_count").value_or(0) > 0; }
    Fact similarity() const
    {
        if (!at("quality/cosine"))
            return {member("quality"), QString()};
        return hasNaN() ? makeFact(member("quality/nan_count"), {*at("quality/nan_count")},
                                   QStringLiteral("%1 NaN").arg(*at("quality/nan_count")))
                        : makeFact(member("quality/cosine"), {*at("quality/cosine")},
                                   QString::number(*at("quality/cosine"), 'f', 6));
    }
    /// "24 of 32"
    Fact agreement(const char* path) const
    {
        const double samples = at("quality/samples").value_or(-1);
        const double agreeing = *at(path) * samples;
        return makeFact(member(path), {agreeing, samples},
                        QStringLiteral("%1 of %2").arg(std::llround(agreeing)).arg(samples));
    }
    void expectName(const QString& name) const
    {
        for (const QString& part : {qt(json["config"]["level"]), qt(json["config"]["precision"])})
            EXPECT_TRUE(name.contains(part)) << id().toStdString() << ": " << name.toStdString();
        const QString batch = QString::number(json["config"]["batch"].get<int>());
        EXPECT_TRUE(name.contains(QLatin1Char('b') + batch) || name.contains(QStringLiteral("batch ") + batch))
            << id().toStdString() << ": " << name.toStdString();
    }

private:
    model::Interval sure(model::Interval interval) const
    {
        interval.confidence = interval.confidence > 0 ? confidence() : 0;
        return interval;
    }
};

class StudyForms : public ::testing::Test
{
protected:
    static void SetUpTestSuite()
    {
        s_workspace = new FormsWorkspace;
        s_study = new Json(s_workspace->document({"show", "s1"}));
    }
    static void TearDownTestSuite()
    {
        delete std::exchange(s_study, nullptr);
        delete std::exchange(s_workspace, nullptr);
    }

    static const FormsWorkspace& workspace() { return *s_workspace; }
    static const Json& study() { return *s_study; }
    static std::vector<TrialDocument> trials()
    {
        std::vector<TrialDocument> all;
        for (const Json& trial : study()["trials"])
            all.emplace_back(trial);
        return all;
    }
    static TrialDocument trial(const std::string& id)
    {
        for (TrialDocument& trial : trials())
            if (trial.json["id"] == id)
                return trial;
        ADD_FAILURE() << "no trial " << id;
        return TrialDocument({});
    }
    static const Json& recommended() { return study()["recommended"]; }
    static TrialDocument best() { return trial(recommended()["trial"]); }
    static model::Interval speedup() { return intervalAt(recommended()["speedup"], "value"); }
    static model::Interval lead() { return intervalAt(recommended()["runner_up"]["ratio"], "value"); }
    static std::size_t countOf(const char* state)
    {
        std::size_t count = 0;
        for (const TrialDocument& trial : trials())
            count += trial.json["state"] == state ? 1 : 0;
        return count;
    }

    /// The cells that the terminal and the HTML report share.
    static void expectCells(const ShownTable& table, std::size_t row, const TrialDocument& trial, const QString& form)
    {
        const QString where = form + QStringLiteral(", trial ") + trial.id() + QStringLiteral(", ");
        trial.expectName(table.cell(row, QStringLiteral("Configuration")));
        const auto cell = [&](const char* title, const Fact& fact) {
            const QString column = QLatin1String(title);
            EXPECT_EQ(table.cell(row, column).toStdString(), fact.text.isEmpty() ? "–" : fact.text.toStdString())
                << (where + column).toStdString() << " (" << fact.member.toStdString() << ")";
        };
        cell("Latency ms", printed::plusMinus(trial.member("latency_ms"), trial.latency()));
        cell("Throughput img/s", printed::plusMinus(trial.member("throughput_per_s"), trial.throughput()));
        cell("Energy mJ", trial.hasEnergy() ? printed::plusMinus(trial.member("energy_mj"), trial.energy())
                                            : Fact{trial.member("energy_mj"), QString()});
        cell("Memory", printed::bytes(trial.member(trial.peak()), *trial.at(trial.peak())));
        cell("Cosine", trial.similarity());
    }

    /// The sentence about the recommendation, which the terminal and the HTML report share.
    static void expectSentence(const QString& form, const QString& text)
    {
        const TrialDocument chosen = best();
        Place sentence(form + QStringLiteral(", recommendation"), text);
        sentence.names()
            .holds(printed::grouped(chosen.member("latency_ms/median"), chosen.latency().value))
            .holds(printed::certainty(chosen.member("latency_ms"), chosen.latency(), chosen.blocks()))
            .holds(printed::ratio(QStringLiteral("recommended.speedup"), speedup()))
            .holds(printed::ratio(QStringLiteral("recommended.runner_up.ratio"), lead()));
        const TrialDocument fastest = trial(study()["also_best"]["throughput"]["trial"]);
        sentence.holds(printed::grouped(fastest.member("throughput_per_s/value"), fastest.throughput().value))
            .holds(printed::certainty(fastest.member("throughput_per_s"), fastest.throughput(), fastest.blocks()));
        const TrialDocument smallest = trial(study()["also_best"]["memory"]["trial"]);
        sentence.holds(printed::bytes(smallest.member(smallest.peak()), *smallest.at(smallest.peak()))).nothingElse();
    }

    /// The tool tip of a measured trial, in the table and in the plots of the window.
    static std::vector<Fact> toolTipFacts(const TrialDocument& trial)
    {
        std::vector<Fact> facts{shown::number(trial.member("latency_ms"), trial.latency().value)};
        if (trial.confidence() > 0)
            facts.push_back(shown::bounds(trial.member("latency_ms"), trial.latency()));
        facts.push_back(shown::count(trial.member("latency_ms/blocks"), trial.blocks()));
        facts.push_back(shown::count(trial.member("latency_ms/iterations"), *trial.at("latency_ms/iterations")));
        facts.push_back(shown::number(trial.member("throughput_per_s"), trial.throughput().value));
        if (trial.confidence() > 0)
            facts.push_back(shown::bounds(trial.member("throughput_per_s"), trial.throughput()));
        if (trial.at("quality/cosine")) {
            facts.push_back(trial.similarity());
            facts.push_back(shown::count(trial.member("quality/samples"), trial.at("quality/samples").value_or(-1)));
        }
        return facts;
    }

    /// The four cards of a trial, but for the detail of the first one.
    static void expectFigures(const std::array<controls::Figure, 4>& figures, const TrialDocument& trial,
                              const QString& where)
    {
        const auto sample = [&](const controls::Figure& figure, const char* member, const model::Interval& interval) {
            std::vector<Fact> facts;
            if (trial.confidence() > 0)
                facts = {shown::number(trial.member("latency_ms/confidence"), trial.confidence() * 100, 2),
                         shown::bounds(trial.member(member), interval)};
            facts.push_back(shown::count(trial.member("latency_ms/blocks"), trial.blocks()));
            Place(where + QLatin1String(member) + QStringLiteral(", sample"), figure.sample).is(facts);
        };
        EXPECT_EQ(figures[0].value, shown::number(trial.member("throughput_per_s"), trial.throughput().value).text);
        EXPECT_EQ(figures[0].unit, QStringLiteral("img/s"));
        sample(figures[0], "throughput_per_s", trial.throughput());

        Place(where + QStringLiteral("caption of the latency"), figures[1].caption)
            .is({shown::count(trial.member("config/batch"), *trial.at("config/batch"))});
        EXPECT_EQ(figures[1].value, shown::number(trial.member("latency_ms"), trial.latency().value).text);
        std::vector<Fact> latency{shown::certainty(trial.member("latency_ms"), trial.latency(), QStringLiteral("ms"))};
        const char* highest = trial.at("latency_ms/p99") ? "latency_ms/p99" : "latency_ms/p90";
        latency.push_back(trial.at(highest) ? shown::number(trial.member(highest), *trial.at(highest))
                                            : shown::count(trial.member("latency_ms/passes"),
                                                           trial.at("latency_ms/passes").value_or(-1)));
        Place(where + QStringLiteral("detail of the latency"), figures[1].detail).is(latency);
        sample(figures[1], "latency_ms", trial.latency());

        if (!trial.at("quality/cosine")) {
            EXPECT_EQ(figures[2].value, theme::kAbsent);
            Place(where + QStringLiteral("detail of the agreement"), figures[2].detail).nothingElse();
        } else {
            EXPECT_EQ(figures[2].value, trial.similarity().text);
            Place(where + QStringLiteral("detail of the agreement"), figures[2].detail)
                .is({trial.hasNaN() ? shown::count(trial.member("quality/nan_count"), *trial.at("quality/nan_count"))
                                    : trial.agreement("quality/top1_agreement")});
            if (!trial.hasNaN())
                Place(where + QStringLiteral("sample of the agreement"), figures[2].sample)
                    .is({shown::number(trial.member("quality/max_abs"), *trial.at("quality/max_abs"), 3),
                         shown::number(trial.member("quality/max_rel"), *trial.at("quality/max_rel"), 3),
                         shown::count(trial.member("quality/samples"), trial.at("quality/samples").value_or(-1))});
        }

        const double peak = *trial.at(trial.peak());
        EXPECT_EQ(figures[3].value, shown::mebibytes(trial.member(trial.peak()), peak).text) << where.toStdString();
        const TrialDocument against = StudyForms::trial(recommended()["speedup"]["against"]);
        if (against.id() == trial.id()) {
            Place(where + QStringLiteral("detail of the memory"), figures[3].detail)
                .is({shown::bytes(trial.member("memory_bytes/allocator_peak"),
                                  *trial.at("memory_bytes/allocator_peak"))});
        } else if (against.json["device"] == trial.json["device"]) {
            const double change = peak / *against.at(against.peak()) - 1;
            if (std::abs(change) >= 0.0005)
                Place(where + QStringLiteral("detail of the memory"), figures[3].detail)
                    .is({shown::percent(trial.member("memory_bytes over that of the baseline"), change, 2)});
        }
    }

    /// The lines of a sheet about the machine.
    template <typename Line>
    static void expectConditions(const TrialDocument& trial, const Line& line)
    {
        const auto at = [&](const char* member) { return trial.at(member).value_or(0); };
        if (trial.json["conditions"].is_null())
            return;
        std::vector<Fact> machine;
        const double taken = trial.blocks() + at("conditions/discarded_blocks");
        for (const char* member : {"conditions/contended_blocks", "conditions/throttled_blocks"})
            if (at(member) > 0)
                machine.push_back(makeFact(trial.member(member), {at(member), taken},
                                           QStringLiteral("%1 of %2 blocks").arg(at(member)).arg(taken)));
        if (at("conditions/discarded_blocks") > 0)
            machine.push_back(
                printed::whole(trial.member("conditions/discarded_blocks"), at("conditions/discarded_blocks")));
        if (at("conditions/others") > 0.05)
            machine.push_back(printed::significant(trial.member("conditions/others"), at("conditions/others"), 2));
        if (at("conditions/stolen") > 0)
            machine.push_back(
                printed::significant(trial.member("conditions/stolen"), at("conditions/stolen") * 100, 2));
        if (trial.at("conditions/sentinel/change"))
            machine.push_back(
                printed::significant(trial.member("conditions/sentinel"), at("conditions/sentinel/change") * 100, 2));
        line("Machine", machine.empty() ? std::vector<Fact>(1) : machine); // "quiet"
        if (trial.json["conditions"]["gpu"].is_null())
            return;
        line("GPU", {printed::whole(trial.member("gpu/clock_low_mhz"), at("conditions/gpu/clock_low_mhz")),
                     printed::whole(trial.member("gpu/clock_high_mhz"), at("conditions/gpu/clock_high_mhz")),
                     printed::significant(trial.member("gpu/power_cap_w"), at("conditions/gpu/power_cap_w"), 3),
                     printed::significant(trial.member("gpu/capped_s"),
                                          at("conditions/gpu/capped_s") / at("conditions/wall_s") * 100, 2),
                     printed::whole(trial.member("gpu/other_processes"), at("conditions/gpu/other_processes")),
                     printed::bytes(trial.member("gpu/other_memory_bytes"), at("conditions/gpu/other_memory_bytes"))});
    }

    /// A line of the sheet of a trial.
    static QString sheetLine(const QString& sheet, const QString& label)
    {
        for (const QString& line : sheet.split(QLatin1Char('\n')))
            if (line.startsWith(QStringLiteral("  ") + label.leftJustified(14)))
                return line.mid(16);
        return {};
    }

private:
    static FormsWorkspace* s_workspace;
    static Json* s_study;
};

FormsWorkspace* StudyForms::s_workspace = nullptr;
Json* StudyForms::s_study = nullptr;

TEST_F(StudyForms, TheStudyHasATrialOfEveryKind)
{
    const auto any = [](auto holds) {
        const auto all = trials();
        return std::any_of(all.begin(), all.end(), holds);
    };
    EXPECT_EQ(countOf("ok"), 11u);
    EXPECT_EQ(countOf("failed"), 1u);
    EXPECT_EQ(countOf("pruned"), 2u);
    ASSERT_TRUE(recommended().is_object());
    EXPECT_EQ(recommended()["confirmed"], true);
    EXPECT_GT(speedup().confidence, 0);
    EXPECT_GT(lead().confidence, 0);
    EXPECT_TRUE(any([](const TrialDocument& t) { return t.measured() && t.confidence() <= 0; })) << "no interval";
    EXPECT_TRUE(any([](const TrialDocument& t) {
        return t.measured() && t.confidence() > 0 && t.latency().hi > 1.2 * t.latency().value &&
               t.latency().relativeHalfWidth() < 0.2;
    })) << "an interval that reaches further upwards";
    EXPECT_TRUE(any([](const TrialDocument& t) { return t.measured() && t.latency().relativeHalfWidth() > 0.2; }));
    EXPECT_TRUE(any([](const TrialDocument& t) { return t.at("latency_ms/p99").has_value(); }));
    EXPECT_TRUE(any([](const TrialDocument& t) { return t.measured() && !t.at("latency_ms/p90"); }));
    EXPECT_TRUE(any([](const TrialDocument& t) { return t.at("device_ms/median").has_value(); }));
    EXPECT_TRUE(any([](const TrialDocument& t) { return t.at("modes/low_ms").has_value(); }));
    EXPECT_TRUE(any([](const TrialDocument& t) { return t.hasEnergy() && t.energy().confidence > 0; }));
    EXPECT_TRUE(any([](const TrialDocument& t) { return t.hasNaN(); }));
}

TEST_F(StudyForms, TheTableOfTheTerminalHasTheNumbersOfTheDocument)
{
    const QStringList blocks = workspace().text({"show", "s1"}).split(QStringLiteral("\n\n"));
    ASSERT_EQ(blocks.size(), 4);
    Place title(QStringLiteral("terminal, title"), blocks[0]);
    title.words(QStringLiteral("2026-03-14T09:20:00Z"))
        .is({printed::significant(QStringLiteral("goal.min_quality"), *numberAt(study(), "goal/min_quality"))});

    const ShownTable table = terminalTable(blocks[1]);
    EXPECT_EQ(table.rows.size(), countOf("ok"));
    for (const TrialDocument& trial : trials()) {
        if (!trial.measured())
            continue;
        const std::size_t row = table.rowOf(trial.id());
        EXPECT_EQ(table.cell(row, QStringLiteral("Trial")).startsWith(QChar(0x2714)), trial.id() == best().id());
        expectCells(table, row, trial, QStringLiteral("terminal"));
        Place(QStringLiteral("terminal, state"), table.cell(row, QStringLiteral("State"))).nothingElse();
    }
    EXPECT_TRUE(table.unread().isEmpty()) << table.unread().join(QLatin1Char(' ')).toStdString();

    QString groups = blocks[2];
    for (const TrialDocument& trial : trials())
        EXPECT_EQ(groups.contains(trial.id() + QLatin1Char(' ')), !trial.measured()) << trial.id().toStdString();
    Place(QStringLiteral("terminal, not measured"), groups.remove(QChar(0x00D7)))
        .is({printed::whole(QStringLiteral("failed"), 1), printed::whole(QStringLiteral("impossible"), 1),
             printed::whole(QStringLiteral("budget"), 1)});
    expectSentence(QStringLiteral("terminal"), blocks[3]);
}

/// "13 000" for 12 345: rounded up to two digits.
Fact roundedUp(const QString& member, double passes)
{
    const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(std::max(1.0, passes))) - 1));
    return makeFact(member, {std::ceil(passes / unit) * unit},
                    qt(text::formatGrouped(std::ceil(passes / unit) * unit, 0)));
}

/// "1.55" and "[1.53, 1.57]" of "1.55× [1.53, 1.57]".
std::vector<Fact> halves(const Fact& ratio)
{
    const QStringList parts = ratio.text.split(QStringLiteral("× "));
    return {{ratio.member, parts.value(0)}, {ratio.member, parts.value(1)}};
}

/// What the terminal and the HTML report say of a compiled trial.
void expectBreakEven(Place& place, const TrialDocument& trial)
{
    const auto passes = trial.at("break_even/passes");
    const auto lo = trial.at("break_even/lo");
    const auto hi = trial.at("break_even/hi");
    if (passes && lo && hi)
        place.holds(roundedUp(trial.member("break_even/passes"), *passes))
            .holds(roundedUp(trial.member("break_even/lo"), *lo))
            .holds(roundedUp(trial.member("break_even/hi"), *hi));
    place.nothingElse();
}

TEST_F(StudyForms, TheSheetOfATrialHasTheNumbersOfItsDocument)
{
    for (const TrialDocument& listed : trials()) {
        const std::string id = listed.id().toStdString();
        const TrialDocument trial(workspace().document({"show", id}));
        for (const auto& [member, value] : listed.json.items())
            EXPECT_EQ(trial.json[member], value) << id << " differs in the document of its study: " << member;
        QString sheet = workspace().text({"show", id});
        sheet = sheet.left(sheet.indexOf(QStringLiteral("\n\n")));
        QStringList read;
        const auto line = [&](const char* label, const std::vector<Fact>& facts) {
            read << QLatin1String(label);
            const QString text = sheetLine(sheet, QLatin1String(label));
            EXPECT_EQ(text.isEmpty(), facts.empty()) << id << ", " << label;
            Place(QStringLiteral("terminal, sheet of %1, %2").arg(trial.id(), QLatin1String(label)), text).is(facts);
        };
        read << QStringLiteral("Device") << QStringLiteral("State");
        const auto threads = trial.at("config/threads").value_or(0);
        line("Threads",
             threads > 0 ? std::vector{printed::whole(trial.member("config/threads"), threads)} : std::vector<Fact>{});
        if (trial.measured()) {
            line("Latency", {printed::plusMinus(trial.member("latency_ms"), trial.latency()),
                             printed::certainty(trial.member("latency_ms"), trial.latency(), trial.blocks())});
            line("Throughput", {printed::plusMinus(trial.member("throughput_per_s"), trial.throughput())});
            std::vector<Fact> percentiles;
            for (const char* member : {"latency_ms/p50", "latency_ms/p90", "latency_ms/p95", "latency_ms/p99"})
                if (const auto value = trial.at(member))
                    percentiles.push_back(printed::significant(trial.member(member), *value));
            if (!trial.at("latency_ms/p99"))
                percentiles.push_back(
                    printed::whole(trial.member("latency_ms/passes"), trial.at("latency_ms/passes").value_or(-1)));
            line("Percentiles", percentiles);
            line("Device time",
                 trial.at("device_ms/median")
                     ? std::vector{printed::significant(trial.member("device_ms"), *trial.at("device_ms/median"))}
                     : std::vector<Fact>{});
            std::vector<Fact> energy;
            if (trial.hasEnergy()) {
                const double stretches = *trial.at("energy_mj/stretches");
                for (const char* member : {"energy_mj", "energy_above_idle_mj"}) {
                    energy.push_back(printed::plusMinus(trial.member(member), trial.energy(member)));
                    energy.push_back(printed::certainty(trial.member(member), trial.energy(member), stretches));
                }
                energy.push_back(
                    printed::whole(trial.member("energy/passes"), trial.at("conditions/energy/passes").value_or(-1)));
                energy.push_back(printed::duration(trial.member("energy/s"), *trial.at("conditions/energy/s") * 1e3));
            }
            line("Energy", energy);
            std::vector<Fact> start{
                printed::duration(trial.member("latency_ms/first"), *trial.at("latency_ms/first")),
                printed::duration(trial.member("load_ms"), *trial.at("load_ms")),
                printed::duration(trial.member("warmup_ms"), trial.at("warmup_ms").value_or(-1)),
                printed::whole(trial.member("warmup_passes"), trial.at("warmup_passes").value_or(-1))};
            if (trial.at("compile_ms"))
                start.push_back(printed::duration(trial.member("compile_ms"), *trial.at("compile_ms")));
            line("Start", start);
            std::vector<Fact> memory;
            for (const char* member :
                 {"memory_bytes/process_peak", "memory_bytes/allocator_peak", "memory_bytes/device_peak"})
                if (trial.at(member))
                    memory.push_back(printed::bytes(trial.member(member), *trial.at(member)));
            line("Memory", memory);
            std::vector<Fact> quality;
            if (trial.at("quality/cosine")) {
                quality = {trial.similarity(),
                           printed::significant(trial.member("quality/max_abs"), *trial.at("quality/max_abs"), 3),
                           printed::significant(trial.member("quality/max_rel"), *trial.at("quality/max_rel"), 3)};
                for (const char* member : {"quality/top1_agreement", "quality/top5_agreement"})
                    if (trial.at(member))
                        quality.push_back(trial.agreement(member));
                quality.push_back(
                    printed::whole(trial.member("quality/samples"), trial.at("quality/samples").value_or(-1)));
                line("Quality", quality);
            }
            read << QStringLiteral("Quality");
            expectConditions(trial, line);
            line("Flags", std::vector<Fact>(trial.json["flags"].empty() ? 0 : 1));
            line("Two modes",
                 trial.at("modes/low_ms")
                     ? std::vector{printed::significant(trial.member("modes/low_ms"), *trial.at("modes/low_ms")),
                                   printed::percent(trial.member("modes/low_share"), *trial.at("modes/low_share")),
                                   printed::significant(trial.member("modes/high_ms"), *trial.at("modes/high_ms"))}
                     : std::vector<Fact>{});
        }
        const QString compiling = sheetLine(sheet, QStringLiteral("Compiling"));
        EXPECT_EQ(compiling.isEmpty(), trial.json["break_even"].is_null()) << id;
        Place place(QStringLiteral("terminal, sheet of %1, compiling").arg(trial.id()), compiling);
        expectBreakEven(place, trial);
        read << QStringLiteral("Compiling");
        const QStringList lines = sheet.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        for (const QString& left : lines.mid(1))
            EXPECT_TRUE(read.contains(left.mid(2, 14).trimmed())) << "not looked at: " << left.toStdString();
    }
}

TEST_F(StudyForms, TheHtmlReportHasTheNumbersOfTheDocument)
{
    const QString html = workspace().text({"report", "s1", "--format", "html"});
    const std::vector<ShownTable> tables = htmlTables(html);
    const auto tableWith = [&](const char* title) {
        for (const ShownTable& table : tables)
            if (table.titles.contains(QLatin1String(title)))
                return table;
        ADD_FAILURE() << "no table with " << title;
        return ShownTable();
    };
    Place(QStringLiteral("HTML, subtitle"),
          htmlTexts(html, QStringLiteral("<p class=\"sub\">"), QStringLiteral("</p>")).value(0))
        .words(QStringLiteral("2026-03-14T09:20:00Z"))
        .is({printed::whole(QStringLiteral("ok"), static_cast<double>(countOf("ok"))),
             printed::whole(QStringLiteral("trials"), static_cast<double>(study()["trials"].size()))});
    expectSentence(QStringLiteral("HTML"),
                   htmlTexts(html, QStringLiteral("<p class=\"sentence\">"), QStringLiteral("</p>")).value(0));

    const TrialDocument chosen = best();
    const ShownTable table = tableWith("Latency ms");
    EXPECT_EQ(table.rows.size(), countOf("ok"));
    for (const TrialDocument& trial : trials()) {
        if (!trial.measured())
            continue;
        const std::size_t row = table.rowOf(trial.id());
        EXPECT_EQ(table.cell(row, QStringLiteral("Trial")).startsWith(QChar(0x2714)), trial.id() == chosen.id());
        expectCells(table, row, trial, QStringLiteral("HTML"));
        EXPECT_EQ(table.cell(row, QStringLiteral("n")).toDouble(), trial.blocks()) << trial.id().toStdString();
        Place(QStringLiteral("HTML, flags"), table.cell(row, QStringLiteral("Flags"))).nothingElse();
        // The ratio of two trials is a number of the document that compares them.
        const QString faster = table.cell(row, QStringLiteral("Faster than O0 fp32"));
        if (trial.json["config"]["level"] == "O0" && trial.json["config"]["precision"] == "fp32") {
            EXPECT_EQ(faster, QStringLiteral("baseline")) << trial.id().toStdString();
            continue;
        }
        const char* against = trial.at("config/batch") == 1 ? "t1" : "t2";
        const Json compared = workspace().document({"compare", against, trial.id().toStdString()})["cells"][0]["ratio"];
        model::Interval ratio;
        if (compared["value"].is_number())
            ratio = intervalAt(compared, "value");
        EXPECT_EQ(faster.toStdString(), printed::ratio(trial.member("compared with O0 fp32"), ratio).text.toStdString())
            << trial.id().toStdString();
        if (trial.id() == chosen.id()) {
            EXPECT_EQ(faster.toStdString(),
                      printed::ratio(QStringLiteral("recommended.speedup"), speedup()).text.toStdString());
        }
    }
    EXPECT_TRUE(table.unread().isEmpty()) << table.unread().join(QLatin1Char(' ')).toStdString();

    const QStringList cardTexts = htmlTexts(html, QStringLiteral("<div class=\"card\">"), QStringLiteral("</div>"));
    ASSERT_EQ(cardTexts.size(), 7);
    const auto card = [&](int index, const std::vector<Fact>& facts) {
        Place(QStringLiteral("HTML, card %1").arg(index), cardTexts[index]).is(facts);
    };
    card(0, {});
    card(1, {printed::grouped(chosen.member("throughput_per_s"), chosen.throughput().value),
             printed::certainty(chosen.member("throughput_per_s"), chosen.throughput(), chosen.blocks())});
    card(2, {printed::grouped(chosen.member("latency_ms"), chosen.latency().value),
             printed::certainty(chosen.member("latency_ms"), chosen.latency(), chosen.blocks())});
    card(3, halves(printed::ratio(QStringLiteral("recommended.speedup"), speedup())));
    card(4, halves(printed::ratio(QStringLiteral("recommended.runner_up.ratio"), lead())));
    card(5, {chosen.similarity()});
    card(6, {printed::bytes(chosen.member(chosen.peak()), *chosen.at(chosen.peak()))});

    const ShownTable compiled = tableWith("Took");
    for (std::size_t row = 0; row < compiled.rows.size(); ++row) {
        const std::string id = compiled.cell(row, QStringLiteral("Trial")).toStdString();
        const TrialDocument trial(workspace().document({"show", id}));
        trial.expectName(compiled.cell(row, QStringLiteral("Configuration")));
        EXPECT_EQ(compiled.cell(row, QStringLiteral("Took")),
                  printed::duration(trial.member("compile_ms"), trial.at("compile_ms").value_or(-1)).text);
        Place breakEven(QStringLiteral("HTML, break-even of ") + trial.id(),
                        compiled.cell(row, QStringLiteral("Break-even")));
        expectBreakEven(breakEven, trial);
    }
    EXPECT_EQ(compiled.rows.size(), 2u);
    EXPECT_TRUE(compiled.unread().isEmpty());

    // Cells of the matrix have the trial in their titles, points of the plot in theirs.
    std::map<QString, QString> cells;
    static const QRegularExpression kCell(QStringLiteral("title=\"(t\\d+): ([^\"]*)\">([^<]*)</td>"));
    for (auto matches = kCell.globalMatch(html); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        cells[match.captured(1)] = match.captured(2) + QStringLiteral(" | ") + match.captured(3);
    }
    std::map<QString, QString> points;
    for (const QString& text : htmlTexts(html, QStringLiteral("<g><title>"), QStringLiteral("</title>")))
        points[text.section(QLatin1Char(' '), 0, 0)] = text;
    EXPECT_EQ(cells.size(), countOf("ok"));
    EXPECT_EQ(points.size(), countOf("ok"));
    for (const TrialDocument& trial : trials()) {
        if (!trial.measured())
            continue;
        Place(QStringLiteral("HTML, matrix, ") + trial.id(), cells[trial.id()])
            .is({printed::plusMinus(trial.member("throughput_per_s"), trial.throughput()),
                 printed::grouped(trial.member("throughput_per_s"), trial.throughput().value)});
        Place(QStringLiteral("HTML, plot, ") + trial.id(), points[trial.id()])
            .names()
            .is({printed::plusMinus(trial.member("latency_ms"), trial.latency()),
                 printed::plusMinus(trial.member("throughput_per_s"), trial.throughput()),
                 printed::whole(trial.member("latency_ms/blocks"), trial.blocks())});
    }
    EXPECT_TRUE(html.contains(QStringLiteral("<th>Load at the start</th><td>%1</td>")
                                  .arg(printed::significant(QStringLiteral("environment.load_average"),
                                                            *numberAt(study(), "environment/load_average"), 2)
                                           .text)));
}

TEST_F(StudyForms, TheNoiseFloorOfTheMachineIsInTheGainOfEveryForm)
{
    const FormsWorkspace noisy(FormsWorkspace::Turns::noise);
    const Json document = noisy.document({"show", "s1"});
    ASSERT_FALSE(document["noise_floors"].empty());
    // No trial took turns with another one, so the study has a shortlist.
    ASSERT_TRUE(document["shortlist"].is_object());
    const Json& first = document["shortlist"]["candidates"][0];
    ASSERT_TRUE(first["speedup"].is_object());
    const QString id = qt(first["trial"]);
    const model::Interval gain = intervalAt(first["speedup"], "value");
    EXPECT_GT(gain.relativeHalfWidth(), 0.02) << "the floor is wider than the blocks";
    const Fact fact = printed::ratio(QStringLiteral("shortlist.candidates[0].speedup"), gain);
    EXPECT_TRUE(noisy.text({"show", "s1"}).contains(fact.text));
    const QString html = noisy.text({"report", "s1", "--format", "html"});
    EXPECT_TRUE(htmlTexts(html, QStringLiteral("<p class=\"sentence\">"), QStringLiteral("</p>"))
                    .join(QLatin1Char('\n'))
                    .contains(fact.text));
    for (const ShownTable& table : htmlTables(html))
        if (table.titles.contains(QStringLiteral("Faster than O0 fp32"))) {
            EXPECT_EQ(table.cell(table.rowOf(id), QStringLiteral("Faster than O0 fp32")).toStdString(),
                      fact.text.toStdString());
        }
    FormsWindow here(noisy.file());
    const auto cards = FormsWindow::shown<controls::KpiCard>(here.show(gui::PageId::tradeoffs));
    ASSERT_FALSE(cards.empty());
    Place(QStringLiteral("window, first of the shortlist"), cards[0]->figure().detail).is({fact});
}

TEST_F(StudyForms, RatesHaveTheUnitOfTheModelInEveryForm)
{
    FormsWindow here(workspace().file());
    here.show(gui::PageId::tradeoffs);
    model::StudySnapshot snapshot = *here.context.session.snapshot();
    const model::Trial chosen = *snapshot.find(snapshot.recommended->trial);
    const std::string csv = report::studyCsv(snapshot);
    const Json document = report::studyDocument(snapshot);
    for (const auto& [task, unit, other] : {std::tuple(model::TaskType::classification, "img/s", "samples/s"),
                                            std::tuple(model::TaskType::other, "samples/s", "img/s")}) {
        snapshot.study.model.taskType = task;
        for (model::Trial& trial : snapshot.trials)
            trial.reason.message = base::withRateUnit(trial.reason.message, snapshot.study.model.rateUnit());
        const gui::TrialView view = gui::makeTrialView(snapshot, chosen, workspace().file());
        QStringList window{
            tables::columnTitle(tables::trialColumns()[static_cast<std::size_t>(tables::columnOf("throughput"))],
                                theme::throughputUnit(snapshot.study.model))};
        for (const controls::FactList::Fact& fact : view.timing)
            window << fact.value;
        window << view.figures[0].unit;
        for (const auto& [form, text] : {std::pair("table", report::studyTable(snapshot)),
                                         std::pair("sheet", report::trialSheet(snapshot, chosen)),
                                         std::pair("sentence", report::recommendationSentence(snapshot)),
                                         std::pair("HTML", report::htmlReport(snapshot)),
                                         std::pair("window", window.join(QLatin1Char('\n')).toStdString())}) {
            EXPECT_NE(text.find(unit), std::string::npos) << form << " of " << toString(task) << "\n" << text;
            EXPECT_EQ(text.find(other), std::string::npos) << form << " of " << toString(task) << "\n" << text;
        }
        // Scripts read the same names for every model: an image is a sample.
        EXPECT_EQ(report::studyCsv(snapshot).substr(0, csv.find('\n')), csv.substr(0, csv.find('\n')));
        EXPECT_EQ(report::studyDocument(snapshot)["trials"][0]["throughput_per_s"],
                  document["trials"][0]["throughput_per_s"]);
    }
}

TEST_F(StudyForms, TheTableOfTheWindowHasTheNumbersOfTheDocument)
{
    FormsWindow here(workspace().file());
    Place(QStringLiteral("window, facts"),
          here.show(gui::PageId::tradeoffs).facts().section(QStringLiteral(" · finished"), 0, 0))
        .is({shown::count(QStringLiteral("trials"), static_cast<double>(study()["trials"].size())),
             shown::count(QStringLiteral("ok"), static_cast<double>(countOf("ok"))),
             shown::count(QStringLiteral("failed"), static_cast<double>(countOf("failed"))),
             shown::count(QStringLiteral("pruned"), static_cast<double>(countOf("pruned")))});
    const auto views = FormsWindow::shown<tables::TrialTableView>(*here.window.currentPage());
    ASSERT_EQ(views.size(), 1u);
    const QAbstractItemModel& model = *views[0]->model();
    ShownTable table = windowTable(model);
    ASSERT_EQ(table.rows.size(), study()["trials"].size());
    const int column = tables::columnOf(tables::TrialColumn::Kind::trial);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const TrialDocument trial = StudyForms::trial(table.rows[row][column].toStdString());
        const QString where = QStringLiteral("window, ") + trial.id() + QStringLiteral(", ");
        const auto cell = [&](const char* title, const Fact& fact) {
            EXPECT_EQ(table.cell(row, QString::fromUtf8(title)).toStdString(),
                      trial.measured() ? fact.text.toStdString() : std::string())
                << where.toStdString() << title << " (" << fact.member.toStdString() << ")";
        };
        const auto setting = [&](const char* title, const QString& value) {
            EXPECT_EQ(table.cell(row, QLatin1String(title)), value) << where.toStdString() << title;
        };
        setting("Trial", trial.id());
        setting("Device", qt(trial.json["device"]));
        setting("Engine", qt(trial.json["config"]["backend"]));
        setting("Level", qt(trial.json["config"]["level"]));
        setting("Precision", qt(trial.json["config"]["precision"]));
        setting("Batch", QString::number(trial.json["config"]["batch"].get<int>()));
        const int threads = trial.json["config"]["threads"].get<int>();
        setting("Threads", threads > 0 ? QString::number(threads) : QString());
        setting("Baseline", {}); // none is marked
        setting("", trial.id() == best().id() ? QStringLiteral("✔") : table.rows[row][0]);
        for (const char* title : {"Switches", "State"})
            Place(where + QLatin1String(title), table.cell(row, QLatin1String(title))).nothingElse();
        if (!trial.measured()) {
            for (const char* title :
                 {"Latency ms", "Interval", "Throughput img/s", "Energy mJ", "Memory MiB", "Cosine"})
                cell(title, {});
            continue;
        }
        cell("Latency ms", shown::number(trial.member("latency_ms"), trial.latency().value));
        cell("Interval", trial.confidence() > 0
                             ? shown::certainty(trial.member("latency_ms"), trial.latency(), QStringLiteral("ms"))
                             : Fact{trial.member("latency_ms"), theme::kAbsent});
        cell("Throughput img/s", shown::number(trial.member("throughput_per_s"), trial.throughput().value));
        cell("Energy mJ", trial.hasEnergy() ? shown::number(trial.member("energy_mj"), trial.energy().value)
                                            : Fact{trial.member("energy_mj"), QString()});
        cell("Memory MiB", shown::mebibytes(trial.member(trial.peak()), *trial.at(trial.peak())));
        cell("Cosine", trial.similarity());
        Place(where + QStringLiteral("tool tip"),
              model.index(static_cast<int>(row), column).data(Qt::ToolTipRole).toString())
            .is(toolTipFacts(trial));
    }
    EXPECT_TRUE(table.unread().isEmpty()) << table.unread().join(QLatin1Char(' ')).toStdString();
}

TEST_F(StudyForms, TheCardsAndPlotsOfTheWindowHaveTheNumbersOfTheDocument)
{
    FormsWindow here(workspace().file());
    const QWidget& page = here.show(gui::PageId::tradeoffs);
    const auto cards = FormsWindow::shown<controls::KpiCard>(page);
    ASSERT_EQ(cards.size(), 4u);
    std::array<controls::Figure, 4> figures;
    for (std::size_t i = 0; i < 4; ++i)
        figures[i] = cards[i]->figure();
    const TrialDocument chosen = best();
    expectFigures(figures, chosen, QStringLiteral("window, recommended, "));
    Place(QStringLiteral("window, recommended, detail"), figures[0].detail)
        .is({printed::ratio(QStringLiteral("recommended.speedup"), speedup())});
    Place(QStringLiteral("window, recommended, definition"), figures[0].definition)
        .names()
        .is({printed::ratio(QStringLiteral("recommended.runner_up.ratio"), lead())});

    // Cells of the heat map: the presenter's texts, and what a file of it has.
    const gui::TradeoffsView view = gui::makeTradeoffsView(here.context.session.snapshot(), workspace().file());
    std::size_t measured = 0;
    for (const plots::HeatCell& cell : view.heat.cells) {
        if (cell.state != plots::HeatCell::State::value)
            continue;
        const TrialDocument trial = StudyForms::trial("t" + std::to_string(cell.trial.value));
        const double rate = trial.throughput().value;
        EXPECT_EQ(cell.text, shown::number(trial.member("throughput_per_s"), rate, rate >= 1000 ? 4 : 3).text);
        Place(QStringLiteral("window, heat map, ") + trial.id(), cell.toolTip).is(toolTipFacts(trial));
        ++measured;
    }
    EXPECT_EQ(measured, 10u) << "those of one device";

    std::map<double, TrialDocument> byRate; // no two trials have the same
    for (const TrialDocument& trial : trials())
        if (trial.measured())
            byRate.emplace(trial.throughput().value, trial);
    std::size_t points = 0;
    for (QWidget* widget : page.findChildren<QWidget*>()) {
        const auto* plot = dynamic_cast<plots::PlotSource*>(widget);
        const QStringList lines = plot ? plot->toCsv().trimmed().split(QLatin1Char('\n')) : QStringList();
        const QStringList titles = lines.value(0).split(QLatin1Char(','));
        if (!plot || !lines.value(0).contains(QStringLiteral("low")))
            continue;
        for (const QString& line : lines.mid(1)) {
            const QStringList fields = line.split(QLatin1Char(','));
            if (fields.size() < 6 || fields.last().isEmpty() || fields[fields.size() - 3].isEmpty())
                continue;
            const auto found = byRate.find(fields[fields.size() - 3].toDouble());
            if (found == byRate.end())
                continue;
            const TrialDocument& trial = found->second;
            const auto same = [&](qsizetype back, double value) {
                EXPECT_NEAR(fields[fields.size() - back].toDouble(), value, std::abs(value) * 1e-9)
                    << trial.id().toStdString() << ": " << line.toStdString();
            };
            same(6, trial.latency().value);
            if (trial.confidence() > 0) {
                same(5, trial.latency().lo);
                same(4, trial.latency().hi);
                same(2, trial.throughput().lo);
                same(1, trial.throughput().hi);
            }
            ++points;
        }
    }
    EXPECT_GE(points, countOf("ok") - 1) << "a point without an interval has no ends";
}

TEST_F(StudyForms, ThePageOfATrialHasTheNumbersOfItsDocument)
{
    FormsWindow here(workspace().file());
    here.show(gui::PageId::trial);
    for (const TrialDocument& listed : trials()) {
        if (!listed.measured())
            continue;
        const TrialDocument trial(workspace().document({"show", listed.id().toStdString()}));
        here.context.session.selectTrial({listed.id().mid(1).toLongLong()});
        ASSERT_TRUE(here.settle());
        const gui::Page& page = *here.window.currentPage();
        trial.expectName(page.title());
        const QString where = QStringLiteral("window, page of %1, ").arg(trial.id());
        const auto cards = FormsWindow::shown<controls::KpiCard>(page);
        ASSERT_EQ(cards.size(), 4u);
        std::array<controls::Figure, 4> figures;
        for (std::size_t i = 0; i < 4; ++i)
            figures[i] = cards[i]->figure();
        expectFigures(figures, trial, where);
        if (trial.id() != best().id()) {
            Place(where + QStringLiteral("detail of the throughput"), figures[0].detail)
                .is({shown::certainty(trial.member("throughput_per_s"), trial.throughput(), QStringLiteral("img/s"))});
            Place(where + QStringLiteral("definition of the throughput"), figures[0].definition).nothingElse();
        }
        QStringList read;
        const std::vector<controls::FactList::Fact> facts = FormsWindow::facts(page);
        const auto fact = [&](const char* name, const std::vector<Fact>& values,
                              const std::vector<Fact>& toolTip = {}) {
            read << QLatin1String(name);
            const auto at =
                std::find_if(facts.begin(), facts.end(), [&](const auto& f) { return f.name == QLatin1String(name); });
            ASSERT_NE(at, facts.end()) << where.toStdString() << name;
            Place(where + at->name, at->value).is(values);
            // The definition stands above the samples.
            if (!toolTip.empty())
                Place(where + at->name + QStringLiteral(", tool tip"), at->toolTip.section(QLatin1Char('\n'), -1))
                    .is(toolTip);
        };
        std::vector<Fact> median{shown::number(trial.member("latency_ms"), trial.latency().value),
                                 shown::certainty(trial.member("latency_ms"), trial.latency(), QStringLiteral("ms"))};
        std::vector<Fact> basis{shown::count(trial.member("latency_ms/blocks"), trial.blocks())};
        if (trial.confidence() > 0)
            basis.push_back(shown::bounds(trial.member("latency_ms"), trial.latency()));
        fact("latency", median, basis);
        fact("throughput",
             {shown::number(trial.member("throughput_per_s"), trial.throughput().value),
              shown::certainty(trial.member("throughput_per_s"), trial.throughput(), QStringLiteral("img/s"))});
        for (const auto& [name, member, needed] : {std::tuple("p90", "latency_ms/p90", 29.0),
                                                   {"p95", "latency_ms/p95", 59.0},
                                                   {"p99", "latency_ms/p99", 299.0}})
            fact(name,
                 {trial.at(member) ? shown::number(trial.member(member), *trial.at(member))
                                   : shown::count(QStringLiteral("least passes (schema.md)"), needed)},
                 {shown::count(trial.member("latency_ms/passes"), trial.at("latency_ms/passes").value_or(-1))});
        if (trial.at("device_ms/median"))
            fact("on the device", {shown::number(trial.member("device_ms"), *trial.at("device_ms/median"))},
                 {shown::count(trial.member("device_ms/blocks"), trial.at("device_ms/blocks").value_or(-1)),
                  shown::bounds(trial.member("device_ms"), intervalAt(trial.json["device_ms"], "median"))});
        fact("load", {shown::duration(trial.member("load_ms"), *trial.at("load_ms"))});
        fact("first pass", {shown::duration(trial.member("latency_ms/first"), *trial.at("latency_ms/first"))});
        fact("warm-up", {shown::duration(trial.member("warmup_ms"), trial.at("warmup_ms").value_or(-1))},
             {shown::count(trial.member("warmup_passes"), trial.at("warmup_passes").value_or(-1))});
        if (trial.at("compile_ms")) {
            fact("compile", {shown::duration(trial.member("compile_ms"), *trial.at("compile_ms"))});
            const bool sure = trial.at("break_even/passes") && trial.at("break_even/lo") && trial.at("break_even/hi");
            fact("break-even",
                 sure ? std::vector{roundedUp(trial.member("break_even/passes"), *trial.at("break_even/passes"))}
                      : std::vector<Fact>{});
        }
        for (const auto& [name, member] : {std::pair("process peak", "memory_bytes/process_peak"),
                                           {"tensors peak", "memory_bytes/allocator_peak"},
                                           {"device peak", "memory_bytes/device_peak"}})
            if (trial.at(member))
                fact(name, {shown::bytes(trial.member(member), *trial.at(member))});
        if (trial.hasEnergy())
            for (const auto& [name, member] :
                 {std::pair("energy of a sample", "energy_mj"), {"above idle", "energy_above_idle_mj"}})
                fact(name, {shown::number(trial.member(member), trial.energy(member).value),
                            shown::certainty(trial.member(member), trial.energy(member), QStringLiteral("mJ"))});
        if (trial.at("quality/cosine")) {
            fact("cosine", {trial.similarity()});
            fact("largest difference",
                 {shown::number(trial.member("quality/max_abs"), *trial.at("quality/max_abs"), 3)});
            fact("relative difference",
                 {shown::number(trial.member("quality/max_rel"), *trial.at("quality/max_rel"), 3)});
            for (const auto& [name, member] : {std::pair("top-1 agreement", "quality/top1_agreement"),
                                               {"top-5 agreement", "quality/top5_agreement"}})
                if (trial.at(member))
                    fact(name, {trial.agreement(member)});
            fact("NaN or Inf", {shown::count(trial.member("quality/nan_count"), *trial.at("quality/nan_count"))});
            fact("compared samples",
                 {shown::count(trial.member("quality/samples"), trial.at("quality/samples").value_or(-1))});
        }
        // Facts about the machine are settings of the environment, texts in all forms.
        for (const auto& left : facts) {
            if (QStringList{QStringLiteral("quality"), QStringLiteral("energy measured by"), QStringLiteral("device"),
                            QStringLiteral("driver"), QStringLiteral("threads"), QStringLiteral("libtorch"),
                            QStringLiteral("system"), QStringLiteral("governor")}
                    .contains(left.name))
                continue;
            EXPECT_TRUE(read.contains(left.name))
                << where.toStdString() << "not looked at: " << left.name.toStdString();
        }
        for (const QLabel* label : FormsWindow::shown<QLabel>(page))
            if (label->text().startsWith(QStringLiteral("Note: ")))
                Place(where + QStringLiteral("note"), label->text())
                    .is(trial.at("modes/low_ms")
                            ? std::vector{printed::significant(trial.member("modes/low_ms"), *trial.at("modes/low_ms")),
                                          printed::percent(trial.member("modes/low_share"),
                                                           *trial.at("modes/low_share")),
                                          printed::significant(trial.member("modes/high_ms"),
                                                               *trial.at("modes/high_ms"))}
                            : std::vector<Fact>{});
    }
}

} // namespace
} // namespace apertune::testing
