// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/question.h"

#include <QPushButton>

namespace apertune::controls {

QMessageBox* ask(QWidget* parent, const Question& question, const std::function<void()>& onYes)
{
    auto* box = new QMessageBox(parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setWindowTitle(QObject::tr("Apertune"));
    box->setText(question.text);
    box->setInformativeText(question.consequence);
    QPushButton* yes = box->addButton(question.yes, question.role);
    QPushButton* no = box->addButton(question.no, QMessageBox::RejectRole);
    box->setDefaultButton(question.enterSaysNo ? no : yes);
    box->setEscapeButton(no);
    QObject::connect(yes, &QPushButton::clicked, parent, onYes);
    box->open();
    return box;
}

} // namespace apertune::controls
