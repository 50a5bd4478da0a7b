// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/axes_editor.h"

#include "app/gui/presenters/translate.h"
#include "core/search/defaults.h"
#include "core/search/grid.h"
#include "widgets/controls/chip.h"
#include "widgets/controls/flow_layout.h"
#include "widgets/controls/label.h"
#include "widgets/theme/format.h"
#include "widgets/theme/theme.h"

#include <QGridLayout>
#include <QSignalBlocker>

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

/// The default of every axis on these devices, with the threads of the CPU even if a GPU is the default device. Without
/// devices it has only the axes that do not depend on them.
model::SearchSpace defaultsOn(const std::vector<model::Device>& devices)
{
    if (devices.empty())
        return defaultsOn({model::Device{}});
    model::SearchSpace everywhere;
    everywhere.devices = {"all"};
    model::SearchSpace defaults = search::withDefaults({}, devices).value();
    defaults.threads = search::withDefaults(everywhere, devices).value().threads;
    return defaults;
}

/// The checked values; empty when they are the default ones.
template <typename Choices>
auto chosenOf(const Choices& choices)
{
    std::vector<decltype(choices.front().value)> values;
    bool isDefault = true;
    for (const auto& choice : choices) {
        isDefault = isDefault && choice.chip->isChecked() == choice.isDefault;
        if (choice.chip->isChecked())
            values.push_back(choice.value);
    }
    return isDefault ? decltype(values)() : values;
}

template <typename T>
bool contains(const std::vector<T>& values, const T& value)
{
    return std::find(values.begin(), values.end(), value) != values.end();
}

template <typename Choices>
void removeAll(Choices& choices)
{
    for (const auto& choice : choices)
        delete choice.chip;
    choices.clear();
}

} // namespace

AxesEditor::AxesEditor(QWidget* parent) : QWidget(parent)
{
    m_grid = new QGridLayout(this);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(16);
    m_grid->setVerticalSpacing(10);
    m_grid->setColumnStretch(1, 1);
    // Without a machine, the defaults are those of any machine.
    const model::SearchSpace defaults = defaultsOn({});
    m_engineRow = addRow(tr("Engine"), tr("Inference engine that runs the model; each has levels of its own"));
    showRow(m_engineRow, false);
    QWidget* row = addRow(tr("Level"), tr("Documented starting points, from as loaded to compiled"));
    for (const model::OptLevel level : model::kAllLevels) {
        offer(m_levels, row, level, defaults.levels, theme::toQt(std::string(model::toString(level))),
              levelToolTip(level));
    }
    offerPrecisions(addRow(tr("Precision"), tr("Arithmetic of the model's floating-point tensors")));
    row = addRow(tr("Batch"), tr("Samples in one forward pass"));
    for (const int batch : {1, 2, 4, 8, 16, 32, 64})
        offer(m_batches, row, batch, defaults.batches, QString::number(batch));
    // The automatic batch replaces single values, so the two exclude each other.
    m_autoBatch = addChip(row, tr("up to the memory edge"), false,
                          tr("1, 2, 4, … to the memory edge, as long as throughput grows; replaces the single values"));
    connect(m_autoBatch, &QAbstractButton::toggled, this, [this](bool on) {
        for (const auto& choice : m_batches)
            choice.chip->setEnabled(!on);
    });
    m_deviceRow = addRow(
        tr("Device"),
        tr("GPUs are measured side by side with the processor; NPUs and GPUs that share its memory come after it"));
    m_threadRow = addRow(tr("Threads"), tr("Processor threads inside an operator; CPU only"));
    row = addRow(tr("Switches"), tr("Measured on and off at every level, on top of what the level stands for"));
    for (const model::SwitchInfo& info : model::switchCatalogue())
        // The switch and the precision would be two ways to say the same.
        if (info.name != "tf32") // the precision of that name sets it
            offer(m_switches, row, info.name, {}, theme::toQt(info.name), fromCore(info.summary));
    m_engineSwitchRow = addRow(tr("Of engines"), tr("Switches that the planned engines have of their own"));
    setEngineSwitches({});
}

QWidget* AxesEditor::addRow(const QString& name, const QString& toolTip)
{
    const int at = m_grid->rowCount();
    auto* label = new controls::Label(name, theme::Type::body, controls::Tone::secondary, this);
    label->setToolTip(toolTip);
    // The label stands beside the first line of chips, not beside the middle of all.
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

template <typename T>
void AxesEditor::offer(std::vector<Choice<T>>& axis, QWidget* row, T value, const std::vector<T>& defaults,
                       const QString& text, const QString& toolTip)
{
    const bool isDefault = contains(defaults, value);
    axis.push_back({std::move(value), addChip(row, text, isDefault, toolTip), isDefault});
}

/// Adds the chips of the precisions. A level has a precision of its own, so one chip stands for these. Checking single
/// precisions unchecks it.
void AxesEditor::offerPrecisions(QWidget* row)
{
    m_ownPrecisions = addChip(row, tr("fp32 and each level's own"), true,
                              tr("fp32, and what a level is meant for on the device: bf16 or fp16 from O2 on where the "
                                 "device computes in it natively"));
    for (const model::Precision precision : model::kAllPrecisions) {
        offer(m_precisions, row, precision, {}, theme::toQt(std::string(model::toString(precision))));
        controls::Chip* chip = m_precisions.back().chip;
        // The marker shows the colour that plots have for the precision.
        const auto mark = [chip, precision] {
            chip->setMarker(theme::precisionMarker(precision, theme::currentScheme()));
        };
        // The marker follows the theme.
        mark();
        connect(&theme::Theme::instance(), &theme::Theme::changed, chip, mark);
        // The own precisions of the levels are the choice when no other one is made.
        connect(chip, &QAbstractButton::toggled, this, [this] {
            m_ownPrecisions->setChecked(std::none_of(m_precisions.begin(), m_precisions.end(),
                                                     [](const auto& choice) { return choice.chip->isChecked(); }));
        });
    }
    connect(m_ownPrecisions, &QAbstractButton::toggled, this, [this](bool on) {
        for (const auto& choice : m_precisions)
            choice.chip->setChecked(choice.chip->isChecked() && !on);
    });
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

void AxesEditor::setMachine(const std::vector<model::Device>& devices, const std::vector<std::string>& engines)
{
    offerEngines(engines);
    offerDevices(devices, defaultsOn(devices));
    for (const auto& choice : m_switches) {
        const bool known = std::any_of(devices.begin(), devices.end(), [&](const model::Device& device) {
            // A switch that no device here knows would only give impossible rows.
            return model::findSwitch(choice.value)->knownOn(device.type);
        });
        choice.chip->setVisible(known);
    }
    reset();
}

void AxesEditor::offerEngines(const std::vector<std::string>& engines)
{
    removeAll(m_engines);
    if (!engines.empty()) {
        std::vector<std::string> all{"libtorch"};
        all.insert(all.end(), engines.begin(), engines.end());
        for (const std::string& engine : all)
            offer(m_engines, m_engineRow, engine, all, theme::toQt(engine));
    }
    showRow(m_engineRow, !engines.empty());
}

void AxesEditor::offerDevices(const std::vector<model::Device>& devices, const model::SearchSpace& defaults)
{
    removeAll(m_devices);
    removeAll(m_threads);
    std::set<int> threads;
    int cores = 0;
    for (const model::Device& device : devices) {
        offer(m_devices, m_deviceRow, device.id, defaults.devices, theme::toQt(device.id), theme::toQt(device.name));
        if (device.type.isCpu() && device.cores > 0) {
            cores = device.cores;
            // One thread, half of the cores and all cores are what a user would compare.
            threads.insert({1, std::max(1, cores / 2), cores});
        }
    }
    for (const int count : threads) {
        offer(m_threads, m_threadRow, count, defaults.threads,
              count == cores ? tr("%1, all cores").arg(count) : QString::number(count));
    }
}

void AxesEditor::addDevices(const std::vector<model::Device>& devices)
{
    for (const model::Device& device : devices) {
        if (std::none_of(m_devices.begin(), m_devices.end(),
                         [&](const auto& choice) { return choice.value == device.id; })) {
            offer(m_devices, m_deviceRow, device.id, {}, theme::toQt(device.id), theme::toQt(device.name));
        }
    }
}

void AxesEditor::setEngineSwitches(const std::vector<model::SwitchInfo>& switches)
{
    const auto isOffered = [&](const std::string& name) {
        return std::any_of(switches.begin(), switches.end(), [&](const auto& info) { return info.name == name; });
    };
    std::erase_if(m_engineSwitches, [&](const Choice<std::string>& choice) {
        if (isOffered(choice.value))
            return false;
        choice.chip->deleteLater(); // later, because a change of this chip may have led here
        choice.chip->hide();
        return true;
    });
    for (const model::SwitchInfo& info : switches) {
        if (std::none_of(m_engineSwitches.begin(), m_engineSwitches.end(),
                         [&](const auto& choice) { return choice.value == info.name; })) {
            offer(m_engineSwitches, m_engineSwitchRow, info.name, {}, theme::toQt(info.name), fromCore(info.summary));
        }
    }
    showRow(m_engineSwitchRow, !m_engineSwitches.empty());
}

model::SearchSpace AxesEditor::space() const
{
    model::SearchSpace space;
    // Without a choice the default engines are planned.
    if (const auto engines = chosenOf(m_engines); !engines.empty())
        space.backends = engines;
    space.levels = chosenOf(m_levels);
    space.precisions = chosenOf(m_precisions);
    space.batches = m_autoBatch->isChecked() ? std::vector<int>{model::SearchSpace::kAutoBatch} : chosenOf(m_batches);
    space.devices = chosenOf(m_devices);
    space.threads = chosenOf(m_threads);
    for (const auto* choices : {&m_switches, &m_engineSwitches}) {
        for (const auto& choice : *choices)
            if (choice.chip->isChecked())
                // A chosen switch is measured both ways.
                space.switches[choice.value] = {false, true};
    }
    return space;
}

template <typename Visit>
void AxesEditor::forEachChoice(Visit visit) const
{
    const auto visitAll = [&visit](const auto&... axes) {
        (std::for_each(axes.begin(), axes.end(), [&](const auto& choice) { visit(*choice.chip, choice.isDefault); }),
         ...);
    };
    visitAll(m_engines, m_levels, m_precisions, m_batches, m_devices, m_threads, m_switches, m_engineSwitches);
    visit(*m_ownPrecisions, true);
    visit(*m_autoBatch, false);
}

void AxesEditor::reset()
{
    {
        const QSignalBlocker once(this); // so that all chips together cause one plan
        forEachChoice([](controls::Chip& chip, bool isDefault) { chip.setChecked(isDefault); });
    }
    Q_EMIT changed();
}

bool AxesEditor::isDefault() const
{
    bool all = true;
    forEachChoice([&all](const controls::Chip& chip, bool isDefault) { all = all && chip.isChecked() == isDefault; });
    return all;
}

} // namespace apertune::gui
