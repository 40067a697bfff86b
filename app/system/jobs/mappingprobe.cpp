// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/jobs/mappingprobe.h"

#include "app/settings/opening.h"
#include "connectors/answer.h"
#include "models/filter/pagerequest.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int pauseMs = 200; ///< a person who types is not done yet
constexpr int mappingOverdueMs = 15'000; ///< longer than the deadlines of one answer together
constexpr int shownRows = 5;

struct Tables
{
    QList<ProbeFinding> findings;
    QStringList names;
};

Result<void> ready(OutboxStore &store, const Result<StoreSettings> &settings)
{
    if (store.isOpen())
        return {};
    if (!settings)
        return passOn(settings);
    return store.open(*settings);
}

Result<Tables> tablesOf(OutboxStore &store, const Result<StoreSettings> &settings)
{
    TRY(ready(store, settings));
    const auto findings = TRY(store.probe());
    const auto catalog = TRY(store.catalog());
    Tables tables{findings, {}};
    for (const CatalogTable &table : catalog.tables)
        tables.names += table.name.text();
    return tables;
}

MappingPreview previewOf(OutboxStore &store, const Result<StoreSettings> &settings,
                         const OutboxShape &shape, const QString &statusColumn,
                         const QList<MessageState> &states)
{
    MappingPreview preview;
    preview.statusColumn = statusColumn;
    const auto note = [&preview](const auto &answer) {
        if (!answer && preview.problem.isEmpty())
            preview.problem = oneLine(answer.error());
        return answer.has_value();
    };
    if (!note(ready(store, settings)) || !note(store.use(shape)))
        return preview;
    if (!statusColumn.isEmpty()) {
        if (auto values = store.valuesOf(statusColumn); note(values))
            preview.values = *values;
    }
    PageRequest request;
    request.limit = shownRows;
    request.states = states;
    if (auto page = store.page(request); note(page))
        preview.rows = page->rows;
    if (auto counts = store.snapshot(liveCaps); note(counts))
        preview.counts = *counts;
    return preview;
}

} // namespace

MappingProbe::MappingProbe(const Profile &profile, const ProfilePasswords &secrets, QObject *parent)
    : QObject(parent),
      m_settings(storeSettingsOf(profile, secrets, StoreAccess::ReadOnly, u"outboxdeck"_s)),
      m_room(u"mapping"_s)
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(pauseMs);
    connect(&m_pause, &QTimer::timeout, this, &MappingProbe::lookNow);
    m_overdue.setSingleShot(true);
    m_overdue.setInterval(mappingOverdueMs);
    // libpq waits for ever on a server that stands still: only its socket can be shut.
    connect(&m_overdue, &QTimer::timeout, this, [this] { m_room.interrupt(); });
}

MappingProbe::~MappingProbe()
{
    m_room.interrupt(); // closing the room would wait for a server that stands still
}

template <typename Job, typename Answer> void MappingProbe::ask(Job job, Answer answer)
{
    ++m_waiting;
    m_overdue.start();
    answerTo(this, m_room.run(std::move(job)),
             [this, answer = std::move(answer)](const auto &result) mutable {
                 --m_waiting;
                 m_waiting > 0 ? m_overdue.start() : m_overdue.stop();
                 answer(result);
             });
}

void MappingProbe::findTables()
{
    ask([settings = m_settings](OutboxStore &store) { return tablesOf(store, settings); },
        [this](const Result<Tables> &tables) {
            if (tables)
                emit tablesFound(tables->findings, tables->names);
            else
                emit failed(tables.error());
        });
}

void MappingProbe::survey(const TableName &table)
{
    forgetPreview(); // that of the table before
    ask(
        [settings = m_settings, table](OutboxStore &store) -> Result<TableSurvey> {
            TRY(ready(store, settings));
            return store.survey(table);
        },
        [this, number = ++m_surveys](const Result<TableSurvey> &survey) {
            if (number != m_surveys)
                return;
            if (survey)
                emit surveyed(*survey);
            else
                emit failed(survey.error());
        });
}

void MappingProbe::preview(const OutboxShape &shape, const QString &statusColumn,
                           const QList<MessageState> &states)
{
    ++m_previews;
    m_wish = [settings = m_settings, shape, statusColumn, states](OutboxStore &store) {
        return previewOf(store, settings, shape, statusColumn, states);
    };
    m_pause.start();
}

void MappingProbe::forgetPreview()
{
    ++m_previews;
    m_wish = nullptr;
    m_pause.stop();
}

void MappingProbe::lookNow()
{
    if (m_isLooking || m_pause.isActive() || !m_wish)
        return; // the answer in hand comes first, then the last wish alone
    m_isLooking = true;
    ask(std::exchange(m_wish, nullptr), [this, number = m_previews](const MappingPreview &preview) {
        m_isLooking = false;
        if (number == m_previews)
            emit previewTaken(preview);
        lookNow();
    });
}

} // namespace outbox
