// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/main_window.h"
#include "app/gui/page.h"
#include "app/gui/store_poller.h"
#include "tests/app/gui/fake_gateway.h"

#include <QDir>
#include <QImage>
#include <QPixmap>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

namespace apertune::gui {
namespace {

/// A window over a fake gateway, loaded.
struct Bench
{
    QTemporaryDir dir;
    Settings settings{dir.filePath(QStringLiteral("s.ini")), nullptr};
    std::shared_ptr<testing::FakeGateway> gateway = testing::makeFakeGateway();
    AppContext context{settings, gateway};
    StorePoller poller{context.session, context.tasks, gateway};
    MainWindow window{context};

    bool load(PageId page, QSize size)
    {
        window.resize(size);
        window.showPage(page);
        window.show();
        context.session.setFile("/nowhere/synthetic.apertune");
        context.session.setMachine(gateway->machine);
        return QTest::qWaitFor(
            [&] { return context.session.isLoaded() && context.tasks.isIdle() && window.currentPage()->isReady(); },
            5000);
    }
};

bool isUniform(const QImage& image)
{
    for (int y = 0; y < image.height(); y += 3) {
        for (int x = 0; x < image.width(); x += 3) {
            if (image.pixel(x, y) != image.pixel(0, 0)) {
                return false;
            }
        }
    }
    return true;
}

/// Also writes the picture into the folder $APERTUNE_GRABS, for people to look at.
TEST(PageGrab, EveryPageShowsSomethingInBothThemesAndSizes)
{
    const QString folder = qEnvironmentVariable("APERTUNE_GRABS");
    for (const auto preference : {theme::Preference::dark, theme::Preference::light}) {
        theme::Theme::instance().setPreference(preference);
        for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)}) {
            for (int i = 0; i < kPageCount; ++i) {
                const auto page = static_cast<PageId>(i);
                Bench bench;
                ASSERT_TRUE(bench.load(page, size)) << pageName(page).toStdString();
                QCoreApplication::processEvents(); // pending layouts
                const QImage image = bench.window.grab().toImage();
                EXPECT_FALSE(isUniform(image));
                if (!folder.isEmpty()) {
                    QDir().mkpath(folder);
                    image.save(QStringLiteral("%1/%2-%3-%4.png")
                                   .arg(folder, pageName(page),
                                        preference == theme::Preference::dark ? QStringLiteral("dark")
                                                                              : QStringLiteral("light"))
                                   .arg(size.width()));
                }
            }
        }
    }
    theme::Theme::instance().setPreference(theme::Preference::dark);
}

} // namespace
} // namespace apertune::gui
