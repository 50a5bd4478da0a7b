// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/style.h"

#include "widgets/theme/icons.h"
#include "widgets/theme/theme.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QStyleOptionButton>
#include <QStyleOptionComboBox>
#include <QStyleOptionProgressBar>
#include <QStyleOptionSlider>
#include <QVariant>
#include <QWidget>

#include <algorithm>

namespace apertune::theme {
namespace {

ButtonKind kindOf(const QWidget* widget)
{
    return widget ? static_cast<ButtonKind>(widget->property(kButtonKind).toInt()) : ButtonKind::normal;
}

void drawButtonPanel(const QStyleOption& option, QPainter& painter, const QWidget* widget)
{
    const Tokens& t = current();
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool pressed = option.state & (QStyle::State_Sunken | QStyle::State_On);
    const bool hovered = enabled && (option.state & QStyle::State_MouseOver);
    const ButtonKind kind = kindOf(widget);
    QColor fill = t.raised;
    QColor outline = t.line;
    if (kind == ButtonKind::primary && enabled) {
        // Mixing with the colour of the text darkens in the light scheme and lightens in the dark one.
        fill = pressed ? mixed(t.accent, t.text, 0.12) : hovered ? mixed(t.accent, t.text, 0.06) : t.accent;
        outline = QColor();
    } else if (kind == ButtonKind::quiet) {
        fill = pressed ? t.accentSoft : hovered ? t.raised : QColor();
        outline = QColor();
    } else if (enabled) {
        fill = pressed ? t.accentSoft : hovered ? mixed(t.raised, t.text, 0.06) : t.raised;
        outline = hovered ? t.border : mixed(t.line, t.border, 0.35);
    }
    drawBox(painter, option.rect, fill, outline);
    // A ring after a mouse click would only distract; with the keyboard it shows where the user is.
    if (option.state & QStyle::State_HasFocus && option.state & QStyle::State_KeyboardFocusChange)
        drawFocusRing(painter, option.rect, 5);
}

void drawCheck(const QStyleOption& option, QPainter& painter, bool round)
{
    const Tokens& t = current();
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool on = option.state & QStyle::State_On;
    const QRectF box = QRectF(option.rect).adjusted(1, 1, -1, -1);
    const double radius = round ? box.width() / 2 : 3;
    // Disabled controls do not react to the mouse.
    const QColor outline = !enabled ? t.line : option.state & QStyle::State_MouseOver ? t.text2 : t.border;
    drawBox(painter, box, on && enabled ? t.accent : t.panel, on && enabled ? t.accent : outline, radius);
    if (on && round)
        drawBox(painter, box.adjusted(4, 4, -4, -4), enabled ? t.onAccent : t.text3, QColor(), 10);
    else if (on)
        drawIcon(painter, QStringLiteral("check"), box, enabled ? t.onAccent : t.text3);
}

} // namespace

void setButtonKind(QWidget* button, ButtonKind kind)
{
    button->setProperty(kButtonKind, static_cast<int>(kind));
    button->update();
}

Style::Style() : QProxyStyle(QStringLiteral("Fusion"))
{
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                          const QWidget* widget) const
{
    const Tokens& t = current();
    switch (element) {
    case PE_PanelButtonCommand:
    case PE_PanelButtonTool:
        drawButtonPanel(*option, *painter, widget);
        return;
    case PE_FrameFocusRect:
        // Buttons draw their ring with the panel; all other controls that ask for one get it here.
        if (option->state & State_KeyboardFocusChange && !qobject_cast<const QAbstractButton*>(widget))
            drawFocusRing(*painter, option->rect, 4);
        else if (widget && (widget->inherits("QCheckBox") || widget->inherits("QRadioButton")))
            drawFocusRing(*painter, option->rect, 4);
        return;
    case PE_PanelScrollAreaCorner:
        painter->fillRect(option->rect, t.panel);
        return;
    case PE_PanelLineEdit:
    case PE_FrameLineEdit: {
        if (widget && (qobject_cast<const QAbstractSpinBox*>(widget->parentWidget()) ||
                       qobject_cast<const QComboBox*>(widget->parentWidget())))
            return; // the box around it draws the frame
        const bool focus = option->state & State_HasFocus;
        const bool enabled = option->state & State_Enabled;
        drawBox(*painter, option->rect, t.panel, focus ? t.accent : enabled ? t.border : t.line, 5, focus ? 2 : 1);
        return;
    }
    case PE_Frame:
        drawBox(*painter, option->rect, QColor(), option->state & State_HasFocus ? t.accent : t.line, 5,
                option->state & State_HasFocus ? 2 : 1);
        return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorRadioButton:
        drawCheck(*option, *painter, element == PE_IndicatorRadioButton);
        return;
    case PE_PanelTipLabel:
        painter->fillRect(option->rect, t.raised);
        drawBox(*painter, option->rect, t.raised, t.border, 0);
        return;
    case PE_FrameMenu:
        drawBox(*painter, option->rect, QColor(), t.border, 0);
        return;
    case PE_PanelMenu:
        painter->fillRect(option->rect, t.panel);
        return;
    case PE_FrameWindow:
    case PE_FrameStatusBarItem:
    case PE_PanelStatusBar:
        return;
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void Style::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                        const QWidget* widget) const
{
    const Tokens& t = current();
    switch (element) {
    case CE_PushButtonLabel:
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
            // The option is constant, and changes are for this drawing only.
            QStyleOptionButton copy = *button;
            if (kindOf(widget) == ButtonKind::primary && copy.state & State_Enabled)
                copy.palette.setColor(QPalette::ButtonText, t.onAccent);
            // Fusion shifts the label of a pressed button. Here the colour of the panel shows the press.
            copy.state &= ~(State_Sunken | State_On);
            QProxyStyle::drawControl(element, &copy, painter, widget);
            return;
        }
        break;
    case CE_ProgressBarGroove:
        drawBox(*painter, option->rect, t.raised, QColor(), 3);
        return;
    case CE_ProgressBarContents:
        if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option)) {
            // A bar without a range shows no progress instead of dividing by zero.
            QRectF filled = bar->rect;
            const int span = std::max(1, bar->maximum - bar->minimum);
            filled.setWidth(filled.width() * std::clamp(bar->progress - bar->minimum, 0, span) / span);
            if (filled.width() >= 1)
                drawBox(*painter, filled, t.accent, QColor(), 3);
            return;
        }
        break;
    case CE_ProgressBarLabel:
        return;
    case CE_Splitter:
        return;
    case CE_ComboBoxLabel:
        if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option)) {
            if (combo->editable)
                return; // the edit field draws the text
            const QRect field = proxy()->subControlRect(CC_ComboBox, combo, SC_ComboBoxEditField, widget);
            painter->setPen(combo->palette.color(combo->state & State_Enabled ? QPalette::Active : QPalette::Disabled,
                                                 QPalette::ButtonText));
            painter->drawText(field, static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine),
                              combo->fontMetrics.elidedText(combo->currentText, Qt::ElideRight, field.width()));
            return;
        }
        break;
    default:
        break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                               const QWidget* widget) const
{
    switch (control) {
    case CC_ScrollBar:
        drawScrollBar(option, painter);
        return;
    case CC_ComboBox:
        drawComboBox(option, painter, widget);
        return;
    case CC_SpinBox:
        drawSpinBox(option, painter, widget);
        return;
    default:
        QProxyStyle::drawComplexControl(control, option, painter, widget);
    }
}

void Style::drawScrollBar(const QStyleOptionComplex* option, QPainter* painter) const
{
    const Tokens& t = current();
    const QRect slider = proxy()->subControlRect(CC_ScrollBar, option, SC_ScrollBarSlider, nullptr);
    painter->fillRect(option->rect, t.panel);
    if (!(option->state & State_Enabled))
        return;
    const bool hovered = option->state & State_MouseOver;
    drawBox(*painter, QRectF(slider).adjusted(3, 3, -3, -3), hovered ? t.text3 : mixed(t.line, t.border, 0.4), QColor(),
            3);
}

void Style::drawComboBox(const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const
{
    const Tokens& t = current();
    const bool enabled = option->state & State_Enabled;
    const bool hovered = enabled && option->state & State_MouseOver;
    const bool focus = option->state & State_HasFocus;
    const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option);
    const bool editable = combo && combo->editable; // looks like the edit field that it is
    drawBox(*painter, option->rect,
            editable  ? t.panel
            : hovered ? mixed(t.raised, t.text, 0.06)
                      : t.raised,
            focus     ? t.accent
            : enabled ? t.border
                      : t.line,
            5, focus ? 2 : 1);
    const QRect arrow = proxy()->subControlRect(CC_ComboBox, option, SC_ComboBoxArrow, widget);
    drawIcon(*painter, QStringLiteral("chevron-down"), QRectF(arrow).adjusted(2, 7, -6, -7),
             enabled ? t.text2 : t.text3);
}

void Style::drawSpinBox(const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const
{
    const Tokens& t = current();
    const bool enabled = option->state & State_Enabled;
    const bool focus = option->state & State_HasFocus;
    drawBox(*painter, option->rect, t.panel, focus ? t.accent : enabled ? t.border : t.line, 5, focus ? 2 : 1);
    for (const SubControl part : {SC_SpinBoxUp, SC_SpinBoxDown}) {
        const QRectF rect = proxy()->subControlRect(CC_SpinBox, option, part, widget);
        const bool pressed = option->activeSubControls == part && option->state & State_Sunken;
        painter->save();
        painter->translate(rect.center());
        // The icon points down; the same one turned is the arrow up.
        if (part == SC_SpinBoxUp)
            painter->rotate(180);
        drawIcon(*painter, QStringLiteral("chevron-down"), QRectF(-6, -6, 12, 12),
                 !enabled  ? t.text3
                 : pressed ? t.accent
                           : t.text2);
        painter->restore();
    }
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl sub,
                            const QWidget* widget) const
{
    if (control == CC_ComboBox) {
        switch (sub) {
        case SC_ComboBoxArrow:
            return QRect(option->rect.right() - 23, option->rect.top(), 24, option->rect.height());
        case SC_ComboBoxEditField:
            return option->rect.adjusted(10, 1, -26, -1);
        default:
            break;
        }
    }
    if (control == CC_SpinBox) {
        const QRect& whole = option->rect;
        switch (sub) {
        case SC_SpinBoxUp:
            return QRect(whole.right() - 23, whole.top() + 1, 22, whole.height() / 2 - 1);
        case SC_SpinBoxDown:
            return QRect(whole.right() - 23, whole.center().y(), 22, whole.height() / 2);
        case SC_SpinBoxEditField:
            return whole.adjusted(2, 2, -26, -2);
        default:
            return whole;
        }
    }
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (control != CC_ScrollBar || !bar)
        return QProxyStyle::subControlRect(control, option, sub, widget);
    // There are no arrow buttons, so the groove is the whole bar.
    const bool horizontal = bar->orientation == Qt::Horizontal;
    const int length = horizontal ? bar->rect.width() : bar->rect.height();
    const int range = bar->maximum - bar->minimum;
    int slider = length;
    if (range > 0) {
        // The slider has the share of the page in the whole: range and page together.
        slider = static_cast<int>(static_cast<double>(bar->pageStep) * length / (range + bar->pageStep));
        // The slider of a very long page would be too short to grasp.
        slider = std::clamp(slider, std::min(28, length), length);
    }
    const int start =
        sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, length - slider, bar->upsideDown);
    const auto part = [&](int from, int to) {
        return horizontal ? QRect(bar->rect.left() + from, bar->rect.top(), to - from, bar->rect.height())
                          : QRect(bar->rect.left(), bar->rect.top() + from, bar->rect.width(), to - from);
    };
    switch (sub) {
    case SC_ScrollBarGroove:
        return part(0, length);
    case SC_ScrollBarSlider:
        return part(start, start + slider);
    case SC_ScrollBarSubPage:
        return part(0, start);
    case SC_ScrollBarAddPage:
        return part(start + slider, length);
    default:
        return {};
    }
}

QSize Style::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                              const QWidget* widget) const
{
    QSize size = QProxyStyle::sizeFromContents(type, option, contents, widget);
    switch (type) {
    case CT_PushButton:
        return {contents.width() + 24, std::max(contents.height() + 10, 28)};
    case CT_LineEdit:
        return {size.width(), std::max(contents.height() + 10, 28)};
    case CT_ComboBox:
        return {contents.width() + 40, std::max(contents.height() + 10, 28)};
    case CT_SpinBox:
        return {contents.width() + 34, std::max(contents.height(), 28)}; // the field inside is already as high as that
    case CT_CheckBox:
    case CT_RadioButton:
        return {size.width(), std::max(size.height(), 26)};
    case CT_MenuItem:
        return {size.width() + 12, size.height() > 12 ? std::max(size.height(), 26) : size.height()};
    default:
        return size;
    }
}

int Style::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const
{
    switch (metric) {
    case PM_ScrollBarExtent:
        return 12;
    case PM_ScrollView_ScrollBarSpacing:
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
        return 0;
    case PM_ToolTipLabelFrameWidth:
        return 7;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
        return 18;
    case PM_CheckBoxLabelSpacing:
    case PM_RadioButtonLabelSpacing:
        return 8;
    case PM_ButtonIconSize:
    case PM_SmallIconSize:
        return 16;
    case PM_SplitterWidth:
        return 12;
    case PM_MenuPanelWidth:
        return 1;
    case PM_MenuVMargin:
        return 4;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int Style::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                     QStyleHintReturn* returnData) const
{
    switch (hint) {
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
    case SH_ComboBox_Popup:
    case SH_Widget_Animation_Duration:
    case SH_Widget_Animate:
        return 0;
    case SH_ToolTip_WakeUpDelay:
        return 350;
    case SH_ScrollBar_LeftClickAbsolutePosition:
        return 1;
    default:
        return QProxyStyle::styleHint(hint, option, widget, returnData);
    }
}

void Style::polish(QWidget* widget)
{
    QProxyStyle::polish(widget);
    if (auto* edit = qobject_cast<QLineEdit*>(widget); edit && edit->textMargins().isNull())
        edit->setTextMargins(6, 0, 6, 0);
    if (widget->inherits("QAbstractButton") || widget->inherits("QComboBox") || widget->inherits("QScrollBar"))
        // Without the attribute, Qt does not repaint a widget when the pointer enters it.
        widget->setAttribute(Qt::WA_Hover);
    // Qt takes a text that begins like HTML for a document, and opens the files that it names. No text of the window is
    // HTML, and names of models and kernels come from elsewhere. Tool tips and message boxes are labels, too.
    if (auto* label = qobject_cast<QLabel*>(widget); label && label->textFormat() == Qt::AutoText)
        label->setTextFormat(Qt::PlainText);
}

void drawBox(QPainter& painter, const QRectF& rect, const QColor& fill, const QColor& outline, double radius,
             double width)
{
    if (!fill.isValid() && !outline.isValid())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    // A line lies half inside and half outside of its path, so the path moves inwards by half of the width.
    const double inset = outline.isValid() ? width / 2 : 0;
    painter.setPen(outline.isValid() ? QPen(outline, width) : QPen(Qt::NoPen));
    painter.setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), radius, radius);
    painter.restore();
}

void drawFocusRing(QPainter& painter, const QRectF& rect, double radius)
{
    drawBox(painter, rect, QColor(), current().accent, radius, 2);
}

} // namespace apertune::theme
