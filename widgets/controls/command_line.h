// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLineEdit;
class QPushButton;

namespace apertune::controls {

/// A command line to read, select and copy, in the fixed-width face.
class CommandLine : public QWidget
{
    Q_OBJECT
public:
    explicit CommandLine(const QString& accessibleName, QWidget* parent = nullptr);
    void setCommand(const QString& command);
    QString command() const;

private:
    QLineEdit* m_text = nullptr;
    QPushButton* m_copy = nullptr;
};

} // namespace apertune::controls
