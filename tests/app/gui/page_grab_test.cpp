// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/gui/bench.h"
#include "tests/widgets/synthetic_study.h"

#include <QDir>
#include <QImage>
#include <QPixmap>

#include <gtest/gtest.h>

namespace apertune::gui {
namespace {

using testing::Fixture;

bool isUniform(const QImage& image)
{
    for (int y = 0; y < image.height(); y += 3) {
        for (int x = 0; x < image.width(); x += 3)
            if (image.pixel(x, y) != image.pixel(0, 0))
                return false;
    }
    return true;
}

/// Also writes the picture into the folder $APERTUNE_GRABS, for people to look at.
void keep(const QImage& image, const QString& name)
{
    const QString folder = qEnvironmentVariable("APERTUNE_GRABS");
    if (!folder.isEmpty()) {
        QDir().mkpath(folder);
        image.save(QStringLiteral("%1/%2.png").arg(folder, name));
    }
}

class PageGrab : public ::testing::TestWithParam<theme::Preference>
{
protected:
    PageGrab() { theme::Theme::instance().setPreference(GetParam()); }
    ~PageGrab() override { theme::Theme::instance().setPreference(theme::Preference::dark); }
    QString suffix(QSize size) const
    {
        return QStringLiteral("%1-%2")
            .arg(GetParam() == theme::Preference::dark ? QStringLiteral("dark") : QStringLiteral("light"))
            .arg(size.width());
    }
};
INSTANTIATE_TEST_SUITE_P(Themes, PageGrab, ::testing::Values(theme::Preference::dark, theme::Preference::light));

TEST_P(PageGrab, EveryPageShowsSomethingAtEverySize)
{
    for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)}) {
        for (const PageSpec& page : pageTable()) {
            Fixture fixture;
            ASSERT_TRUE(fixture.load(page.id, size)) << page.id.name();
            const QImage image = fixture.window.grab().toImage();
            EXPECT_FALSE(isUniform(image)) << page.id.name();
            keep(image, page.id.text() + QLatin1Char('-') + suffix(size));
        }
    }
}

TEST_P(PageGrab, ARunningStudyAFailedTrialAndAnEmptyWorkspaceShow)
{
    const QSize size(1280, 800);
    {
        Fixture fixture;
        fixture.gateway->state.snapshot = testing::makeSyntheticStudy({5, true, false, true});
        ASSERT_TRUE(fixture.load(PageId::live, size));
        const QImage image = fixture.window.grab().toImage();
        EXPECT_FALSE(isUniform(image));
        keep(image, QStringLiteral("running-") + suffix(size));
    }
    {
        Fixture fixture;
        ASSERT_TRUE(fixture.load(PageId::trial, size));
        for (const model::Trial& trial : fixture.context.session.snapshot()->trials)
            if (trial.state == model::TrialState::failed)
                fixture.context.session.selectTrial(trial.id);
        QCoreApplication::processEvents();
        keep(fixture.window.grab().toImage(), QStringLiteral("failed-") + suffix(size));
    }
    for (const PageSpec& page : pageTable()) {
        Fixture fixture;
        fixture.gateway->state = {};
        fixture.gateway->state.exists = false;
        ASSERT_TRUE(fixture.load(page.id, size)) << page.id.name();
        const QImage image = fixture.window.grab().toImage();
        EXPECT_FALSE(isUniform(image));
        keep(image, QStringLiteral("empty-%1-").arg(page.id.text()) + suffix(size));
    }
}

} // namespace
} // namespace apertune::gui
