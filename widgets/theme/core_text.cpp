// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/core_text.h"

#include "core/sentences/sentences.h"
#include "widgets/theme/format.h"

#include <QCoreApplication>

namespace apertune::theme {

namespace {

std::string translatedTemplate(const char* english)
{
    return QCoreApplication::translate("core", english).toStdString();
}

} // namespace

QString fromCore(const base::Message& message)
{
    return toQt(sentences::sentence(message, translatedTemplate));
}

QString fromCore(const base::Error& error)
{
    return toQt(sentences::describe(error, translatedTemplate));
}

} // namespace apertune::theme
