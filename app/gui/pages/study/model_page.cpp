// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/model_page.h"

#include "app/gui/pages/study/import_bar.h"
#include "app/gui/pages/study/memory_panel.h"
#include "app/gui/presenters/command_lines.h"
#include "core/models/zoo.h"
#include "widgets/controls/card_layout.h"
#include "widgets/controls/kpi_card.h"
#include "widgets/controls/panel.h"
#include "widgets/controls/scroll_page.h"
#include "widgets/controls/search_field.h"
#include "widgets/tables/lean_table.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"
#include "widgets/theme/style.h"
#include "widgets/theme/theme.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>

#include <algorithm>

namespace apertune::gui {

using controls::Label;
using controls::Panel;
using controls::Tone;

PageSpec modelPage()
{
    return {PageId::model, QT_TRANSLATE_NOOP("apertune::gui", "Model"), "model", Qt::CTRL | Qt::Key_2,
            makePage<ModelPage>};
}

ModelPage::ModelPage(AppContext& context, QWidget* parent) : Page(context, PageId::model, parent)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 0, 16, 12);
    layout->setSpacing(12);
    layout->addWidget(makeList(this));
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(makeModel(m_stack));
    m_stack->addWidget(makeOffer(m_stack));
    layout->addWidget(m_stack, 1);
    m_design = addHeaderAction(tr("Design sweep"), false, QStringLiteral("sweep"));
    m_design->setToolTip(tr("Choose levels, precisions, batches and devices for this model"));
    connect(m_design, &QAction::triggered, this, [this] { this->context().navigate(PageId::sweep); });
    m_tune = addHeaderAction(tr("Auto-tune"), true, QStringLiteral("wand"));
    m_tune->setToolTip(tr("Sweep every engine that is here, at the default levels, precisions and batches, within the "
                          "default measuring time"));
    connect(m_tune, &QAction::triggered, this, &ModelPage::tune);
    connect(&context.session, &Session::workspaceChanged, this, &ModelPage::refreshList);
    connect(&context.session, &Session::machineChanged, this, &ModelPage::refreshModel);
    connect(&context.session, &Session::modelSelected, this, [this] {
        m_chosen.clear();
        refreshList();
    });
    connect(&context.jobs, &Jobs::stateChanged, this, [this] {
        m_tune->setEnabled(choice() && !this->context().jobs.state().busy());
        m_offerImport->setEnabled(!this->context().jobs.state().busy());
    });
    refreshList();
}

QWidget* ModelPage::makeList(QWidget* parent)
{
    auto* side = new QWidget(parent);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    auto* models = new Panel(tr("Models"), side);
    auto* filter = new controls::SearchField(tr("Filter models"), {}, models);
    models->addHeaderWidget(filter);
    m_list =
        new tables::TextTableModel({{tr("Model")}, {tr("Params"), true, tr("Learned values")}, {tr("From")}}, this);
    m_listTable = new tables::LeanTable(models);
    m_listTable->setModel(m_list);
    m_listTable->setSelectionMode(QAbstractItemView::SingleSelection);
    m_listTable->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_listTable->setAccessibleName(tr("Models of this workspace and of the zoo"));
    models->setBodyMargin(0);
    models->body()->addWidget(m_listTable);
    m_import = new ImportBar(context(), side);
    column->addWidget(models, 1);
    column->addWidget(m_import);
    const auto fit = [side] {
        side->setFixedWidth(
            std::max(332 * theme::textSize() / theme::kDefaultTextSize, side->minimumSizeHint().width()));
    };
    fit();
    connect(&theme::Theme::instance(), &theme::Theme::changed, side, fit);
    connect(filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_quiet = true;
        m_list->setFilter(text);
        m_quiet = false;
        refreshList();
    });
    connect(m_listTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (!m_quiet && current.isValid())
                    choose(m_list->keyAt(current.row()));
            });
    return side;
}

QWidget* ModelPage::makeModel(QWidget* parent)
{
    auto* content = new controls::ScrollPage(parent);
    QVBoxLayout* layout = content->body();
    layout->setContentsMargins(0, 0, 0, 0);
    auto* cards = new controls::CardLayout(12);
    for (controls::KpiCard*& card : m_cards) {
        card = new controls::KpiCard(content);
        cards->addWidget(card);
    }
    layout->addLayout(cards);
    auto* facts = new Panel(tr("About"), content);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(24);
    for (controls::FactList*& list : m_facts) {
        list = new controls::FactList(facts);
        columns->addWidget(list, 1, Qt::AlignTop);
    }
    facts->body()->addLayout(columns);
    layout->addWidget(facts);
    m_memory = new MemoryPanel(content);
    layout->addWidget(m_memory);
    m_layerPanel = new Panel(tr("Layers"), content);
    m_filter = new controls::SearchField(tr("Filter layers"), {}, m_layerPanel);
    m_layerPanel->addHeaderWidget(m_filter);
    m_layers = new tables::TextTableModel(layerColumns(), this);
    m_layerTable = new tables::LeanTable(m_layerPanel);
    m_layerTable->setModel(m_layers);
    m_layerTable->setMinimumHeight(220);
    m_layerTable->setElastic(1, 120);
    m_layerTable->setSortable();
    m_layerTable->setAccessibleName(tr("Layers"));
    m_noLayers = new Label(tr("The file does not name its layers. Import the model from Python to see them."),
                           theme::Type::body, Tone::secondary, m_layerPanel);
    m_noLayers->setContentsMargins(12, 0, 12, 12);
    m_layerPanel->setBodyMargin(0);
    m_layerPanel->body()->addWidget(m_layerTable, 1);
    m_layerPanel->body()->addWidget(m_noLayers);
    layout->addWidget(m_layerPanel, 1);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) { m_layers->setFilter(text); });
    return content;
}

QWidget* ModelPage::makeOffer(QWidget* parent)
{
    auto* offer = new Panel({}, parent);
    m_offerTitle = new Label({}, theme::Type::title, Tone::text, offer);
    m_offerText = new Label({}, theme::Type::body, Tone::secondary, offer);
    m_offerText->setWordWrap(true);
    m_offerText->setFixedWidth(460);
    m_offerText->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    m_offerImport = new QPushButton(tr("Import"), offer);
    theme::setButtonKind(m_offerImport, theme::ButtonKind::primary);
    QVBoxLayout* body = offer->body();
    body->addStretch(2);
    body->addWidget(m_offerTitle, 0, Qt::AlignHCenter);
    body->addWidget(m_offerText, 0, Qt::AlignHCenter);
    body->addSpacing(8);
    body->addWidget(m_offerImport, 0, Qt::AlignHCenter);
    body->addStretch(3);
    connect(m_offerImport, &QPushButton::clicked, this, [this] {
        if (const ModelChoice* chosen = choice())
            m_import->importSource(chosen->source, chosen->name);
    });
    return offer;
}

QString ModelPage::title() const
{
    const ModelChoice* chosen = choice();
    return chosen ? chosen->name : tr("Model");
}

QString ModelPage::facts() const
{
    if (const model::ModelRef* model = imported())
        return modelFacts(*model);
    const ModelChoice* chosen = choice();
    return chosen ? tr("%1 · not imported yet").arg(chosen->source) : QString();
}

void ModelPage::setSnapshot(std::shared_ptr<const model::StudySnapshot>)
{
    refreshList();
}

const ModelChoice* ModelPage::choice() const
{
    const model::ModelRef* model = context().session.model();
    for (const ModelChoice& known : m_choices) {
        const bool match = m_chosen.isEmpty() ? known.imported && model && known.name == theme::toQt(model->name)
                                              : !known.imported && known.source == m_chosen;
        if (match)
            return &known;
    }
    return nullptr;
}

const model::ModelRef* ModelPage::imported() const
{
    const ModelChoice* chosen = choice();
    if (!chosen || !chosen->imported)
        return nullptr;
    for (const model::ModelRef& model : context().session.models())
        if (theme::toQt(model.name) == chosen->name)
            return &model;
    return nullptr;
}

void ModelPage::refreshList()
{
    m_choices = modelChoices(context().session.models());
    if (!choice()) {
        // The shown entry has been imported, or nothing was chosen yet.
        m_chosen.clear();
        if (!choice() && !m_choices.empty()) {
            const ModelChoice& first = m_choices.front();
            m_chosen = first.imported ? QString() : first.source;
        }
    }
    m_quiet = true;
    m_list->setRows(choiceRows(m_choices, context().session.models()));
    // Queued, so that the layout has given the table its width before.
    QMetaObject::invokeMethod(
        m_listTable, [table = m_listTable] { table->fitColumns(); }, Qt::QueuedConnection);
    const ModelChoice* chosen = choice();
    const int row = chosen ? m_list->rowOfKey(chosen - m_choices.data() + 1) : -1;
    if (row >= 0)
        m_listTable->selectRow(row);
    else
        m_listTable->clearSelection();
    m_quiet = false;
    refreshModel();
}

void ModelPage::choose(qint64 key)
{
    if (key < 1 || key > static_cast<qint64>(m_choices.size()))
        return;
    const ModelChoice chosen = m_choices[static_cast<std::size_t>(key - 1)];
    m_chosen = chosen.imported ? QString() : chosen.source;
    if (chosen.imported)
        context().session.selectModel(theme::toStd(chosen.name)); // the page follows by the signal modelSelected
    else
        refreshModel();
}

void ModelPage::refreshModel()
{
    const ModelChoice* chosen = choice();
    const model::ModelRef* model = imported();
    m_tune->setEnabled(chosen && !context().jobs.state().busy());
    m_design->setEnabled(model != nullptr);
    if (model) {
        const ModelView view = makeModelView(*model);
        for (std::size_t i = 0; i < m_cards.size(); ++i)
            m_cards[i]->setFigure(view.figures[i]);
        const auto middle = view.facts.begin() + static_cast<std::ptrdiff_t>((view.facts.size() + 1) / 2);
        m_facts[0]->setFacts({view.facts.begin(), middle});
        m_facts[1]->setFacts({middle, view.facts.end()});
        m_layerPanel->setTitle(view.layers.empty() ? tr("Layers") : tr("Layers (%1)").arg(view.layers.size()));
        m_layerTable->setVisible(!view.layers.empty());
        m_filter->setVisible(!view.layers.empty());
        m_noLayers->setVisible(view.layers.empty());
        m_layers->setRows(view.layers);
        QMetaObject::invokeMethod(
            m_layerTable, [table = m_layerTable] { table->fitColumns(); }, Qt::QueuedConnection);
        refreshMemory(*model);
        m_stack->setCurrentIndex(0);
    } else {
        const models::ZooEntry* entry = chosen ? zooEntry(chosen->source) : nullptr;
        m_offerTitle->setText(chosen ? chosen->name : tr("No model yet"));
        m_offerText->setText(
            entry ? tr("%1 (%2, %3 parameters).\nImporting traces and exports the model with seeded random weights, or "
                       "those that are named on the left; it needs no network and takes under a minute. Its layers "
                       "and what they cost appear here.")
                        .arg(theme::fromCore(entry->summary), taskWord(entry->task),
                             theme::magnitude(static_cast<double>(entry->parameters)))
                  : tr("Pick a model of the zoo, or import one of your own on the left."));
        m_offerImport->setVisible(entry != nullptr);
        m_offerImport->setEnabled(!context().jobs.state().busy());
        m_stack->setCurrentIndex(1);
    }
    Q_EMIT headerChanged();
}

void ModelPage::refreshMemory(const model::ModelRef& model)
{
    const auto snapshot = context().session.snapshot();
    // A finished trial of the model makes the estimate better, so it is made again for every state of the study.
    const std::string state = model.contentHash + (snapshot ? std::to_string(snapshot->trials.size()) : std::string());
    if (m_memoryOf == state || !context().session.machine())
        return;
    m_memoryOf = state;
    m_estimated = false;
    context().tasks.start(
        this, QStringLiteral("memory"),
        [gateway = context().jobGateway, file = context().session.file(), model](const TaskRunner::Scope&) {
            return gateway->memory(file, model);
        },
        [this](base::Result<std::vector<study::MemoryForecast>> forecasts) {
            m_estimated = true;
            if (forecasts)
                m_memory->setForecasts(std::move(*forecasts));
            else
                m_memory->setMessage(theme::fromCore(forecasts.error()));
        });
}

bool ModelPage::isReady() const
{
    return m_estimated || !imported();
}

void ModelPage::tune()
{
    const ModelChoice* chosen = choice();
    if (!chosen)
        return;
    const model::ModelRef* model = imported();
    model::ModelRef tuned = model ? *model : model::ModelRef();
    tuned.name = theme::toStd(chosen->name);
    const study::StudyRequest request =
        autoTuneRequest(tuned, base::fromSeconds(context().settings.defaultBudget()), context().session.file());
    const bool started = model ? context().jobs.startSweep(request)
                               : context().jobs.tune(m_import->request(chosen->source, chosen->name), request);
    if (started)
        context().navigate(PageId::live);
    else
        context().notify({Tone::warn, tr("Another job is running. Tune %1 when it has finished.").arg(chosen->name)});
}

void ModelPage::cancelOrClear()
{
    m_filter->clear();
}

void ModelPage::setFilter(const QString& text)
{
    m_filter->setText(text);
}

} // namespace apertune::gui
