// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/models/model_library.h"
#include "core/models/zoo.h"

#include <QAbstractButton>

namespace apertune::gui {

/// A model of the zoo as a button. A click imports and tunes it.
class ZooCard final : public QAbstractButton
{
    Q_OBJECT
public:
    ZooCard(const models::ZooEntry& entry, QWidget* parent);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_facts;
};

} // namespace apertune::gui
