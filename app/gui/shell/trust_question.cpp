// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/shell/trust_question.h"

#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"

#include <QApplication>
#include <QMessageBox>
#include <QPointer>
#include <QThread>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>

namespace apertune::gui {
namespace {

void ask(QWidget& window, const models::Untrusted& something, const std::shared_ptr<std::promise<bool>>& answer)
{
    auto* box = new QMessageBox(
        QMessageBox::Warning, QObject::tr("Let it run?"),
        QObject::tr("%1 was not imported, exported or allowed on this machine.").arg(theme::fromCore(something.what)),
        QMessageBox::Yes | QMessageBox::No, &window);
    box->setObjectName(QStringLiteral("trustQuestion"));
    box->setTextFormat(Qt::PlainText); // plain, because the name comes from elsewhere
    box->setInformativeText(
        QObject::tr("It can run code of its own. Let it run, now and later, as long as it does not change?\n\n%1\n"
                    "SHA-256 %2")
            .arg(theme::toQt(something.place.string()), theme::toQt(something.hash())));
    box->setDefaultButton(QMessageBox::No);
    box->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(box, &QMessageBox::finished, &window,
                     [answer](int result) { answer->set_value(result == QMessageBox::Yes); });
    box->open();
}

} // namespace

models::TrustQuestion trustQuestion(QWidget& window)
{
    const auto closing = std::make_shared<std::atomic<bool>>(false);
    QObject::connect(qApp, &QCoreApplication::aboutToQuit, &window, [closing] { *closing = true; });
    return [closing, over = QPointer<QWidget>(&window)](const models::Untrusted& something) {
        if (*closing || QThread::currentThread() == qApp->thread())
            return false;
        const auto answer = std::make_shared<std::promise<bool>>();
        std::future<bool> answered = answer->get_future();
        QMetaObject::invokeMethod(
            qApp,
            [over, something, answer] {
                if (over)
                    ask(*over, something, answer);
                else
                    answer->set_value(false);
            },
            Qt::QueuedConnection);
        while (answered.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready)
            if (*closing)
                return false;
        return answered.get();
    };
}

} // namespace apertune::gui
