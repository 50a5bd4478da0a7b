// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/axes_editor.h"

#include "core/model/switches.h"

#include "widgets/controls/chip.h"
#include "widgets/controls/flow_layout.h"
#include "widgets/controls/label.h"
#include "widgets/theme/format.h"
#include "widgets/theme/theme.h"

#include <QGridLayout>

#include <algorithm>
#include <set>

namespace apertune::gui {
namespace {

QString levelToolTip(model::OptLevel level)
{
    switch (level) {
    case model::OptLevel::o0:
        return AxesEditor::tr("As loaded: no graph optimization. The reference for quality and speed.");
    case model::OptLevel::o1:
        return AxesEditor::tr("Frozen, convolution and batch norm folded and fused.");
    case model::OptLevel::o2:
        return AxesEditor::tr("Frozen, oneDNN Graph fusion on a CPU, channels last where the precision is 16-bit.");
    case model::OptLevel::o3:
        return AxesEditor::tr("O2 and compiled ahead of time for one batch; CUDA graph on a GPU.");
    }
    return {};
}

template <typename Choices>
auto checkedOf(const Choices& choices)
{
    std::vector<decltype(choices.front().value)> values;
    for (const auto& choice : choices) {
        if (choice.chip->isChecked()) {
            values.push_back(choice.value);
        }
    }
    return values;
}

} // namespace

AxesEditor::AxesEditor(QWidget* parent) : QWidget(parent)
{
    m_grid = new QGridLayout(this);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(16);
    m_grid->setVerticalSpacing(10);
    m_grid->setColumnStretch(1, 1);
    m_engineRow = addRow(tr("Engine"), tr("What runs the model; an engine has levels of its own"));
    setEngines({});
    QWidget* row = addRow(tr("Level"), tr("Documented starting points, from as loaded to compiled"));
    for (const model::OptLevel level : model::kAllLevels) {
        m_levels.push_back(
            {level, addChip(row, theme::toQt(std::string(model::toString(level))), true, levelToolTip(level))});
    }
    row = addRow(tr("Precision"), tr("Arithmetic of the model's floating-point tensors"));
    for (const model::Precision precision : model::kAllPrecisions) {
        controls::Chip* chip =
            addChip(row, theme::toQt(std::string(model::toString(precision))), precision == model::Precision::fp32);
        const auto mark = [chip, precision] {
            chip->setMarker(theme::precisionMarker(precision, theme::currentScheme()));
        };
        mark();
        connect(&theme::Theme::instance(), &theme::Theme::changed, chip, mark);
        m_precisions.push_back({precision, chip});
    }
    row = addRow(tr("Batch"), tr("Samples in one forward pass"));
    for (const int batch : {1, 2, 4, 8, 16, 32, 64}) {
        m_batches.push_back({batch, addChip(row, QString::number(batch), batch <= 8)});
    }
    m_autoBatch = addChip(row, tr("up to the memory edge"), false,
                          tr("Powers of two until the memory is full; replaces the single values"));
    connect(m_autoBatch, &QAbstractButton::toggled, this, [this](bool on) {
        for (const auto& choice : m_batches) {
            choice.chip->setEnabled(!on);
        }
    });
    m_deviceRow = addRow(tr("Device"), tr("Several devices are measured side by side"));
    m_threadRow = addRow(tr("Threads"), tr("Processor threads inside an operator; CPU only"));
    row = addRow(tr("Switches"), tr("Measured on and off at every level, on top of what the level stands for"));
    for (const model::SwitchInfo& info : model::switchCatalogue()) {
        if (info.name != "tf32") { // the precision of that name sets it
            m_switches.push_back({info.name, addChip(row, theme::toQt(info.name), false, theme::toQt(info.summary))});
        }
    }
    m_engineSwitchRow = addRow(tr("Of engines"), tr("Switches that the planned engines have of their own"));
    setEngineSwitches({});
}

QWidget* AxesEditor::addRow(const QString& name, const QString& toolTip)
{
    const int at = m_grid->rowCount();
    auto* label = new controls::Label(name, theme::Type::body, controls::Tone::secondary, this);
    label->setToolTip(toolTip);
    label->setContentsMargins(0, 5, 0, 0);
    auto* row = new QWidget(this);
    row->setAccessibleName(name);
    row->setAccessibleDescription(toolTip);
    new controls::FlowLayout(row);
    m_grid->addWidget(label, at, 0, Qt::AlignTop);
    m_grid->addWidget(row, at, 1);
    return row;
}

controls::Chip* AxesEditor::addChip(QWidget* row, const QString& text, bool checked, const QString& toolTip)
{
    auto* chip = new controls::Chip(text, row);
    chip->setChecked(checked);
    chip->setToolTip(toolTip);
    row->layout()->addWidget(chip);
    connect(chip, &QAbstractButton::toggled, this, &AxesEditor::changed);
    return chip;
}

void AxesEditor::setEngines(const std::vector<std::string>& engines)
{
    for (const auto& choice : m_engines) {
        delete choice.chip;
    }
    m_engines.clear();
    if (!engines.empty()) {
        m_engines.push_back({"libtorch", addChip(m_engineRow, tr("libtorch"), true)});
        for (const std::string& engine : engines) {
            m_engines.push_back({engine, addChip(m_engineRow, theme::toQt(engine), true)});
        }
    }
    showRow(m_engineRow, !engines.empty());
    Q_EMIT changed();
}

void AxesEditor::showRow(QWidget* row, bool shown)
{
    int line = 0;
    int column = 0;
    int lines = 0;
    int columns = 0;
    m_grid->getItemPosition(m_grid->indexOf(row), &line, &column, &lines, &columns);
    m_grid->itemAtPosition(line, 0)->widget()->setVisible(shown);
    row->setVisible(shown);
}

void AxesEditor::setDevices(const std::vector<model::Device>& devices)
{
    for (const auto& choice : m_devices) {
        delete choice.chip;
    }
    for (const auto& choice : m_threads) {
        delete choice.chip;
    }
    m_devices.clear();
    m_threads.clear();
    fillDeviceRows(devices);
    // Fast precisions are on from the start; others can be asked for, and the plan says why they cannot run.
    for (const auto& choice : m_precisions) {
        const bool fast = std::any_of(devices.begin(), devices.end(), [&](const model::Device& device) {
            switch (choice.value) {
            case model::Precision::tf32:
                return device.tf32();
            case model::Precision::bf16:
                return device.nativeBf16();
            case model::Precision::fp16:
                return device.nativeFp16();
            case model::Precision::int8:
            case model::Precision::fp8:
                return false; // they are quantized and may cost accuracy: a choice of their own
            default:
                return true;
            }
        });
        choice.chip->setChecked(fast);
    }
    for (const auto& choice : m_switches) {
        const bool known = std::any_of(devices.begin(), devices.end(), [&](const model::Device& device) {
            const auto& catalogue = model::switchCatalogue();
            const auto info = std::find_if(catalogue.begin(), catalogue.end(),
                                           [&](const model::SwitchInfo& i) { return i.name == choice.value; });
            return device.kind == model::DeviceKind::cpu ? info->onCpu : info->onCuda;
        });
        choice.chip->setVisible(known);
    }
    Q_EMIT changed();
}

void AxesEditor::fillDeviceRows(const std::vector<model::Device>& devices)
{
    const bool hasGpu = std::any_of(devices.begin(), devices.end(),
                                    [](const model::Device& d) { return d.kind == model::DeviceKind::cuda; });
    std::set<int> threads;
    int cores = 0;
    for (const model::Device& device : devices) {
        const bool gpu = device.kind == model::DeviceKind::cuda;
        m_devices.push_back(
            {device.id, addChip(m_deviceRow, theme::toQt(device.id), gpu || !hasGpu, theme::toQt(device.name))});
        if (!gpu && device.cores > 0) {
            cores = device.cores;
            threads = {1, std::max(1, cores / 2), cores};
        }
    }
    for (const int count : threads) {
        m_threads.push_back(
            {count, addChip(m_threadRow, count == cores ? tr("%1, all cores").arg(count) : QString::number(count),
                            count == cores)});
    }
}

void AxesEditor::setEngineSwitches(const std::vector<model::SwitchInfo>& switches)
{
    const auto isOffered = [&](const std::string& name) {
        return std::any_of(switches.begin(), switches.end(), [&](const auto& info) { return info.name == name; });
    };
    std::erase_if(m_engineSwitches, [&](const Choice<std::string>& choice) {
        if (isOffered(choice.value)) {
            return false;
        }
        choice.chip->deleteLater(); // the plan that asks for it may come of this chip's own change
        choice.chip->hide();
        return true;
    });
    for (const model::SwitchInfo& info : switches) {
        if (std::none_of(m_engineSwitches.begin(), m_engineSwitches.end(),
                         [&](const auto& choice) { return choice.value == info.name; })) {
            m_engineSwitches.push_back(
                {info.name, addChip(m_engineSwitchRow, theme::toQt(info.name), false, theme::toQt(info.summary))});
        }
    }
    showRow(m_engineSwitchRow, !m_engineSwitches.empty());
}

model::SearchSpace AxesEditor::space() const
{
    model::SearchSpace space;
    if (const auto engines = checkedOf(m_engines); !engines.empty()) {
        space.backends = engines;
    }
    space.levels = checkedOf(m_levels);
    space.precisions = checkedOf(m_precisions);
    space.batches = m_autoBatch->isChecked() ? std::vector<int>{model::SearchSpace::kAutoBatch} : checkedOf(m_batches);
    if (!m_devices.empty()) {
        space.devices = checkedOf(m_devices);
    }
    if (!m_threads.empty()) {
        space.threads = checkedOf(m_threads);
    }
    for (const auto* choices : {&m_switches, &m_engineSwitches}) {
        for (const auto& choice : *choices) {
            if (choice.chip->isChecked()) {
                space.switches[choice.value] = {false, true};
            }
        }
    }
    return space;
}

} // namespace apertune::gui
