// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/core_text.h"

#include "core/sentences/sentences.h"

#include <QCoreApplication>

namespace apertune::theme {

namespace {

std::string translatedTemplate(const char* english)
{
    return QCoreApplication::translate("core", english).toStdString();
}

} // namespace

QString fromCore(const base::Message& message, const std::string& english)
{
    const std::string text = sentences::sentence(message, translatedTemplate);
    return QString::fromStdString(text.empty() ? english : text);
}

QString fromCore(const base::Error& error)
{
    return QString::fromStdString(sentences::describe(error, translatedTemplate));
}

QString fromCore(const model::Reason& reason)
{
    return QString::fromStdString(sentences::sentence(reason, translatedTemplate));
}

} // namespace apertune::theme
