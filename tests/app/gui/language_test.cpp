// SPDX-License-Identifier: GPL-3.0-or-later
// Shows every page in the pseudo-language and fails for a text that was never offered for translation.
#include "app/gui/pages/trace/what_if_tab.h"
#include "app/gui/shell/pseudo_language.h"
#include "core/store/errors.h"
#include "core/trace/reasons.h"
#include "core/workload/stages/pipeline_summary.h"
#include "profilers/nvml/errors.h"
#include "tests/app/gui/bench.h"
#include "tests/app/gui/layout_lint.h"
#include "tests/app/gui/painted_texts.h"
#include "tests/core/trace/support/synthetic_trace.h"
#include "tests/widgets/synthetic_study.h"
#include "widgets/theme/theme.h"

#include <QDir>
#include <QRegularExpression>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace apertune::gui {
namespace {

using testing::Fixture;

/// What is named alike in every language. Each entry is a regular expression over a whole word.
const QStringList& names()
{
    static const QStringList kNames{
        // Units, symbols and keys.
        QStringLiteral(
            "[pnµm]?s\\.?|min|h|d|[KMGT]?i?B:?|[kKMGT]?FLOPS?|[KMGT]?Hz|W|[mk]?J|px|GB/s|n|p\\d\\d:?|Q\\d|[kKMGTP]:?"),
        QStringLiteral("[AB]:?|x|Ctrl\\+F|NaN"),
        // Levels, precisions, batches, rules, ids of trials, studies and traces.
        QStringLiteral("O[0-3]|[a-z]?fp?\\d\\d?\\.?|tf32|bf16|int8|uint8|float32|b\\d+\\.?|t\\d+|\\d*m|s\\d+|tr\\d+"),
        // Rules, by number and by name: "R4", "pageable-copies".
        QStringLiteral("R\\d+|[a-z]+(?:-[a-z]+)+"),
        // Models, layers, kernels, operators and calls.
        QStringLiteral(
            "[A-Za-z0-9.:/-]*_[A-Za-z0-9_./:-]*|[a-z]+\\d+[a-z]*|layer[0-9.]+conv\\d|[a-z]*tilesize\\d.*|lesize.*"),
        QStringLiteral("(?:zoo|torchvision|timm):[a-z0-9_]+|(?:at|aten|cudnn|prim)::.*|cuda[A-Z][A-Za-z]*"),
        QStringLiteral(
            "yolo|unet|detr|relu|linear|addmm|stack|mean|vecto|clam|maxpool|avgpool|fc|ProfilerStep|forward"),
        QStringLiteral("Conv2d|ReLU|MaxPool2d|Linear|BatchNorm2d|AdaptiveAvgPool2d|logits|Memcpy|HtoD|DtoH"),
        // Files, and what this machine and its programs are called.
        QStringLiteral(".*\\.(?:json|apertune):?|[a-z]+/[a-zA-Z0-9_./-]*|a{12}"),
        QStringLiteral("apertune|libtorch:?|openvino|onnxruntime|LibTorch|OpenVINO|cpu[:.]?|Example|CPU|GPU|Core|"
                       "NVIDIA|A100-SXM4-40GB|"
                       "Debian|GNU/Linux|bookworm"),
        QStringLiteral("governor:?|performance|python|loader|stream|aoti|freeze|avx.*|A[VM]X[0-9]*-FP16"),
    };
    return kNames;
}

/// Command lines, and foreign text: what plugins and the Python exporter say is shown as they say it, in every
/// language. Each entry is a regular expression over a part of a text.
const QStringList& foreignTexts()
{
    static const QStringList kTexts{
        QStringLiteral("apertune [a-z]+\\b[^\\n]*"),
        // Changes of a what-if, as the command line writes them.
        QStringLiteral(
            "\\b(?:kernel|operator|layer|switch):[^ ]+|\\b(?:copies|streams|host|threads)=[a-z0-9.|%]+|\\bgraph\\b"),
        // Names that studies were given.
        QStringLiteral("resnet50 · study \\d+"),
        // How a plugin read a switch back.
        QStringLiteral(
            "no prim::GetAttr of a parameter in the executed graph|strides of \\d+ of \\d+ convolution weights"),
        // Notes of the exporter.
        QStringLiteral("random, seed \\d|Traced and exported; batch is dynamic\\."),
    };
    return kTexts;
}

/// The words of a text that nothing has translated: those with a letter without an accent.
QStringList plainWords(const QString& text)
{
    static const QRegularExpression word(QStringLiteral("[A-Za-z][A-Za-z0-9_./:+-]*"));
    static const QRegularExpression name(QStringLiteral("^(?:%1)$").arg(names().join(QLatin1Char('|'))));
    static const QRegularExpression known(QStringLiteral("(?:%1)").arg(foreignTexts().join(QLatin1Char('|'))));
    QStringList plain;
    const QString rest = QString(text).remove(known);
    for (QRegularExpressionMatchIterator all = word.globalMatch(rest); all.hasNext();) {
        const QString found = all.next().captured();
        if (!name.match(found).hasMatch())
            plain << found;
    }
    return plain;
}

/// Installs the pseudo-language while it lives.
struct Language
{
    Language() { QCoreApplication::installTranslator(&translator); }
    ~Language() { QCoreApplication::removeTranslator(&translator); }
    PseudoLanguage translator;
};

void keep(Fixture& fixture, const QString& name)
{
    const QString folder = qEnvironmentVariable("APERTUNE_GRABS");
    if (!folder.isEmpty()) {
        QDir().mkpath(folder);
        fixture.window.grab().toImage().save(QStringLiteral("%1/pseudo-%2.png").arg(folder, name));
    }
}

void expectTranslated(Fixture& fixture)
{
    std::set<QString> reported;
    for (const QString& text : testing::paintedTexts(fixture.window) + testing::accessibleTexts(fixture.window)) {
        // A name that did not fit has an end that is in no list. The whole text is among the accessible ones.
        static const QRegularExpression kCutWord(QStringLiteral("\\S+…$"));
        const QStringList plain = plainWords(QString(text).remove(kCutWord));
        if (!plain.isEmpty() && reported.insert(text).second) {
            ADD_FAILURE() << "not translated: " << text.toStdString() << " ("
                          << plain.join(QLatin1Char(' ')).toStdString() << ")";
        }
    }
}

TEST(PseudoLanguage, MarksALongerTextAndKeepsWhatIsNoText)
{
    const QString text =
        PseudoLanguage::translated(QStringLiteral("%1 of %n configurations with <b>%L2</b> &amp; *.json"));
    EXPECT_TRUE(text.startsWith(QStringLiteral("⟦%1 őƒ %n çőñƒíğúŕàţíőñš ŵíţĥ <b>%L2</b> &amp; *.json")))
        << text.toStdString();
    EXPECT_TRUE(text.endsWith(QStringLiteral("⟧")));
    EXPECT_TRUE(PseudoLanguage::translated(QStringLiteral("of {memory}")).contains(QStringLiteral("{memory}")));
    for (const char* source : {"Start", "The page’s main action", "Find a page, action, study, model or trial"}) {
        const QString plain = QString::fromUtf8(source);
        const QString shown = PseudoLanguage::translated(plain);
        EXPECT_GE(shown.size() * 10, plain.size() * 14) << source;
        EXPECT_LE(shown.size() * 10, plain.size() * 14 + 30) << source;
        EXPECT_TRUE(plainWords(shown).isEmpty()) << source;
    }
}

TEST(PseudoLanguage, IsWhatTheTranslatorGives)
{
    const Language language;
    EXPECT_EQ(QCoreApplication::translate("any", "%n trials", nullptr, 3), QStringLiteral("⟦3 ţŕíàłšł⟧"));
    EXPECT_EQ(QCoreApplication::translate("any", ""), QString());
}

TEST(LanguageLintItself, FindsAPlainTextWhereverItIsShown)
{
    QWidget window;
    window.resize(300, 100);
    auto* button = new QPushButton(QStringLiteral("Painted"), &window);
    button->setToolTip(QStringLiteral("Hovered"));
    button->setAccessibleName(QStringLiteral("Spoken"));
    window.show();
    const QString all = (testing::paintedTexts(window) + testing::accessibleTexts(window)).join(QLatin1Char(' '));
    for (const char* text : {"Painted", "Hovered", "Spoken"})
        EXPECT_TRUE(plainWords(all).contains(QLatin1String(text))) << text << " in " << all.toStdString();
}

class Translated : public ::testing::TestWithParam<PageSpec>
{
protected:
    const Language m_language;
};
INSTANTIATE_TEST_SUITE_P(Pages, Translated, ::testing::ValuesIn(pageTable()),
                         [](const auto& of) { return testing::testName(of.param.id); });

TEST_P(Translated, NoPlainTextIsLeftOnAPage)
{
    Fixture fixture;
    ASSERT_TRUE(fixture.load(GetParam().id));
    keep(fixture, GetParam().id.text());
    expectTranslated(fixture);
}

TEST_P(Translated, NoPlainTextIsLeftInAnEmptyWorkspace)
{
    Fixture fixture;
    fixture.gateway->state = {};
    fixture.gateway->state.exists = false;
    ASSERT_TRUE(fixture.load(GetParam().id));
    expectTranslated(fixture);
}

TEST_P(Translated, NothingIsCut)
{
    for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)}) {
        Fixture fixture;
        ASSERT_TRUE(fixture.load(GetParam().id, size));
        testing::lint(fixture.window);
    }
}

/// A sentence as the pseudo-language accents it, without the brackets and the padding around it: views may draw those
/// apart.
QString accented(const QString& sentence)
{
    const QString translated = PseudoLanguage::translated(sentence);
    return translated.mid(translated.indexOf(QChar(0x27E6)) + 1).trimmed().left(sentence.size());
}

TEST(TranslatedError, IsShownInTheLanguageOfTheWindow)
{
    const Language language;
    Fixture fixture;
    fixture.gateway->readError = base::Error{base::ErrorCode::corrupt, base::message<store::errors::kForeignDatabase>(),
                                             "runs.apertune", base::message<store::errors::kNameWorkspaceOrNew>()};
    ASSERT_TRUE(fixture.load(PageId::start));
    const QString all = testing::paintedTexts(fixture.window).join(QLatin1Char(' '));
    EXPECT_TRUE(
        all.contains(accented(QStringLiteral("The file is a database of another program, not an Apertune workspace."))))
        << all.toStdString();
    expectTranslated(fixture);
}

/// A run from image to answer, as the workspace stores it. `bound` is its busiest stage.
std::string pipelineDocument(workload::Stage bound, bool starved, double rate)
{
    workload::PipelineSummary summary;
    summary.images = 100;
    summary.passes = 100;
    summary.span = base::fromSeconds(2);
    summary.perSecond = {50, 49, 51, 0.95};
    summary.latencyNs = {40e6, 39e6, 41e6, 0.95};
    for (workload::StageFigure& stage : summary.stages)
        stage = {{4e6, 3.6e6, 4.4e6, 0.95}, 4e6, 0.5};
    summary.bound = bound;
    summary.starved = starved;
    summary.busy[static_cast<std::size_t>(workload::serverOf(bound))] = 0.9;
    workload::PipelinePlan plan;
    plan.rate = rate;
    const base::Json document{{"plan", toJson(plan)},
                              {"summary", toJson(summary)},
                              {"batch", 1},
                              {"images", 8},
                              {"source", "/data/val"},
                              {"reading", "softmax"},
                              {"model_only_ms", {{"value", 9}, {"lo", 8.9}, {"hi", 9.1}, {"confidence", 0.95}}}};
    return document.dump();
}

TEST(TranslatedTrial, HasNoPlainTextInWhatWasMeasuredBesideIt)
{
    const Language language;
    auto study = std::make_shared<model::StudySnapshot>(*testing::makeSyntheticStudy());
    // The recommended trial was compiled, and its blocks fall into two groups.
    for (model::Trial& trial : study->trials)
        if (study->recommended && trial.id == study->recommended->trial) {
            trial.measurement.compile = base::fromSeconds(30);
            trial.measurement.flags = {model::TrialFlag::bimodal};
        } else {
            trial.measurement.compile.reset();
        }
    for (const bool isStarved : {false, true})
        for (const auto stage : {workload::Stage::decode, workload::Stage::infer, workload::Stage::postprocess}) {
            Fixture fixture;
            fixture.gateway->change([&study](WorkspaceState& state) { state.snapshot = study; });
            fixture.gateway->stages = {{1, "", pipelineDocument(stage, isStarved, isStarved ? 20 : 0)}};
            fixture.gateway->trialEvaluations = {
                {1, "accuracy", "2026-03-14T09:30:00Z",
                 R"({"pictures": "/data/val", "samples": 500, "skipped": 2, "metrics": [{"name": "map50",
                  "measured": {"value": 0.7}, "imported": {"value": 0.75, "lo": 0.71, "hi": 0.79},
                  "change": {"value": -0.05, "lo": -0.07, "hi": -0.03}}]})"}};
            ASSERT_TRUE(fixture.load(PageId::trial));
            EXPECT_TRUE((testing::paintedTexts(fixture.window) + testing::accessibleTexts(fixture.window))
                            .join(QLatin1Char(' '))
                            .contains(accented(QStringLiteral("no interval"))));
            expectTranslated(fixture);
        }
}

TEST(TranslatedComparison, HasNoPlainTextWhereTheMachineDrifted)
{
    const Language language;
    Fixture fixture;
    const auto a = testing::makeSyntheticStudy();
    auto b = std::make_shared<model::StudySnapshot>(*a);
    auto drifted = std::make_shared<model::StudySnapshot>(*a);
    drifted->study.id = model::StudyId{a->study.id.value + 40};
    drifted->study.environment.loadAverage = a->study.environment.loadAverage < 0.5 ? 3 : 0.1;
    drifted->study.environment.kernel = "6.9.0-1";
    drifted->study.budget = base::fromSeconds(30);
    drifted->study.goal.also = {model::Objective::memory};
    // The batch that A alone has, and one that B did not measure.
    bool isFirst = true;
    for (model::Trial& trial : drifted->trials) {
        trial.study = drifted->study.id;
        trial.measurement.conditions.driftReading = model::DriftReading{"o0", 1.5e6, 0.01, 1};
        if (isFirst && trial.state == model::TrialState::ok) {
            trial.config.batch = 3;
            isFirst = false;
        }
    }
    for (model::Trial& trial : b->trials)
        trial.measurement.conditions.driftReading = model::DriftReading{"o0", 1e6, 0.01, 1};
    const std::filesystem::path file = "/nowhere/synthetic.apertune";
    fixture.gateway->stored[{file, b->study.id.value}] = b;
    fixture.gateway->stored[{file, drifted->study.id.value}] = drifted;
    ASSERT_TRUE(fixture.load(PageId::compare));
    fixture.context.session.setComparison({file, b->study.id, {}}, {file, drifted->study.id, {}});
    ASSERT_TRUE(fixture.settle());
    const QString all =
        (testing::paintedTexts(fixture.window) + testing::accessibleTexts(fixture.window)).join(QLatin1Char(' '));
    EXPECT_TRUE(all.contains(accented(QStringLiteral("The machine itself was up to")))) << all.toStdString();
    EXPECT_TRUE(all.contains(accented(QStringLiteral("load average")))) << all.toStdString();
    expectTranslated(fixture);
}

class TranslatedTrace : public ::testing::TestWithParam<const char*>
{
protected:
    TranslatedTrace() { m_bench.gateway->traceResult = testing::makeLoopTrace({12, 60, 4}); }
    bool open(QSize size = {1280, 800})
    {
        if (!m_bench.load(PageId::trace, size))
            return false;
        m_bench.context.traces.wantTab(QString::fromLatin1(GetParam()));
        m_bench.context.openTrace(QStringLiteral("/nowhere/loop.json"));
        return m_bench.settle();
    }

    const Language m_language;
    Fixture m_bench;
};
INSTANTIATE_TEST_SUITE_P(Parts, TranslatedTrace,
                         ::testing::Values("bottleneck", "timeline", "kernels", "flame", "operators", "roofline",
                                           "memory", "transfers", "difference", "whatif", "events"),
                         [](const auto& of) { return std::string(of.param); });

TEST_P(TranslatedTrace, NoPlainTextIsLeft)
{
    ASSERT_TRUE(open());
    keep(m_bench, QStringLiteral("trace-%1").arg(QLatin1String(GetParam())));
    expectTranslated(m_bench);
}

TEST(TranslatedWhatIf, HasNoPlainTextInItsPredictions)
{
    const Language language;
    Fixture fixture;
    fixture.gateway->traceResult = testing::makeLoopTrace({12, 60, 4});
    ASSERT_TRUE(fixture.load(PageId::trace));
    fixture.context.traces.wantTab(QStringLiteral("whatif"));
    fixture.context.openTrace(QStringLiteral("/nowhere/loop.json"));
    ASSERT_TRUE(fixture.settle());
    for (const char* change : {"copies=remove", "graph", "threads=2"}) {
        fixture.window.findChild<WhatIfTab*>()->add(QString::fromLatin1(change));
        ASSERT_TRUE(fixture.settle());
        expectTranslated(fixture);
    }
    testing::lint(fixture.window);
    keep(fixture, QStringLiteral("what-if"));
}

TEST(TranslatedLoss, IsShownInTheLanguageOfTheWindow)
{
    const Language language;
    Fixture fixture;
    trace::Trace trace = *testing::makeLoopTrace({12, 60, 4});
    trace.losses.push_back(
        {{},
         trace::EventKind::kernel,
         7,
         trace::LossSeverity::warning,
         base::message<trace::reasons::kProfilerMissing>("nvml", base::message<profilers::nvml::errors::kNoDriver>())});
    fixture.gateway->traceResult = std::make_shared<const trace::Trace>(std::move(trace));
    ASSERT_TRUE(fixture.load(PageId::trace));
    fixture.context.openTrace(QStringLiteral("/nowhere/loop.json"));
    ASSERT_TRUE(fixture.settle());
    const QString all = testing::paintedTexts(fixture.window).join(QLatin1Char(' '));
    EXPECT_TRUE(
        all.contains(accented(QStringLiteral("There is no NVIDIA driver, so clocks and power cannot be read."))))
        << all.toStdString();
}

TEST_P(TranslatedTrace, NothingIsCut)
{
    ASSERT_TRUE(open());
    testing::lint(m_bench.window);
}

} // namespace
} // namespace apertune::gui
