// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/trace/verification_parts.h"

#include "app/gui/presenters/translate.h"
#include "widgets/controls/label.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace apertune::gui {

using controls::Label;
using controls::Tone;

namespace {

QString verificationText(const VerificationRun& run)
{
    if (run.running)
        return run.step.isEmpty() ? tr("Trying it …") : tr("Trying it: %1 …").arg(run.step);
    if (!run.verification)
        return theme::fromCore(base::sentencesOf({run.error.message, run.error.hint}));
    return tr("%1 Kept as study %2.")
        .arg(theme::fromCore(run.verification->message), QString::number(run.verification->study.value));
}

/// The consequence of an outcome for the user.
QString verificationMeaning(model::VerificationOutcome outcome)
{
    switch (outcome) {
    case model::VerificationOutcome::proved:
        return tr("The change pays on this machine: use it.");
    case model::VerificationOutcome::refuted:
        return tr("The change does not pay on this machine: leave it.");
    case model::VerificationOutcome::cannotTell:
        return tr("Neither is shown. Verify again when the machine is quiet.");
    case model::VerificationOutcome::notInEffect:
        return tr("Nothing was tested, because the engine did not apply the change. The trial's "
                  "switches say how this is known.");
    case model::VerificationOutcome::notRun:
        break;
    }
    return tr("Nothing was compared. The study says why a trial has no measurement.");
}

Tone verificationTone(const VerificationRun& run)
{
    if (run.running || !run.verification)
        return run.running ? Tone::secondary : Tone::warn;
    return run.verification->outcome == model::VerificationOutcome::proved       ? Tone::good
           : run.verification->outcome == model::VerificationOutcome::cannotTell ? Tone::secondary
                                                                                 : Tone::warn;
}

} // namespace

QPushButton* makeVerifyButton(AppContext& context, const VerifiableChange& change, QWidget* parent)
{
    const VerificationRun* run = context.traces.run(change.key);
    const bool running = run && run->running;
    auto* button = new QPushButton(running ? tr("Cancel") : run ? tr("Verify again") : tr("Verify"), parent);
    button->setObjectName(QStringLiteral("verify ") + theme::toQt(change.key));
    button->setAccessibleName(running ? tr("Cancel the verification: %1").arg(change.title)
                                      : tr("Verify: %1").arg(change.title));
    // Two verifications at once would disturb each other.
    const bool other = !running && context.traces.isVerifying();
    button->setEnabled(!other);
    button->setToolTip(
        other
            ? tr("Another verification is running")
            : tr("Runs the trial with and without the change, in turns, for half a minute, and keeps both as a study"));
    QObject::connect(button, &QPushButton::clicked, &context.traces, [&context, change, running] {
        if (running)
            context.traces.cancelVerification();
        else
            context.traces.verifyFinding(change.finding, change.key, change.commandLine);
    });
    return button;
}

QWidget* makeVerdict(AppContext& context, const VerificationRun& run, QWidget* parent)
{
    auto* verdict = new QWidget(parent);
    auto* layout = new QVBoxLayout(verdict);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    const auto addText = [&](const QString& text, Tone tone) {
        auto* label = new Label(text, theme::Type::body, tone, verdict);
        label->setWordWrap(true);
        label->setAccessibleName(text);
        layout->addWidget(label);
    };
    addText(verificationText(run), verificationTone(run));
    if (run.running || !run.verification)
        return verdict;
    const runs::Verification& verification = *run.verification;
    addText(verificationMeaning(verification.outcome), Tone::text);
    // The study can only be shown where its workspace is open.
    if (!verification.study || context.traces.workspace() != context.session.file())
        return verdict;
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    const auto add = [&](const QString& text, const QString& toolTip, PageId page) {
        auto* button = new QPushButton(text, verdict);
        button->setToolTip(toolTip);
        row->addWidget(button);
        QObject::connect(button, &QPushButton::clicked, &context, [&context, study = verification.study, page] {
            context.session.selectStudy(study);
            context.navigate(page);
        });
    };
    if (verification.outcome == model::VerificationOutcome::proved)
        add(tr("Export with the change"), tr("Write the trial with the change as a folder that runs"),
            PageId::exportTrial);
    add(tr("Show study %1").arg(verification.study.value), tr("Both trials, with every sample"), PageId::tradeoffs);
    row->addStretch(1);
    layout->addLayout(row);
    return verdict;
}

} // namespace apertune::gui
