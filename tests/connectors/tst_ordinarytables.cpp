// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fifty tables as any application has them: none of them is taken for an outbox.
#include "connectors/sql/probe/schemapoints.h"
#include "connectors/sql/probe/schemaprobe.h"
#include "connectors/sql/roles/columnroles.h"
#include "tests/connectors/catalogtext.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_ordinarytables {

using namespace outbox;

namespace {

QList<CatalogTable> shop()
{
    return {
        table(
            u"users"_s,
            u"id bigint key, name text, email text, password_hash text, created_at timestamptz, deleted_at timestamptz null"_s),
        table(
            u"orders"_s,
            u"id bigint key, customer_id bigint, status text default, total bigint, currency text, data jsonb null, shipped_at timestamptz null, delivered_at timestamptz null, created_at timestamptz"_s),
        table(
            u"order_items"_s,
            u"id bigint key, order_id bigint, product_id bigint, quantity integer, price bigint"_s),
        table(u"order_events"_s,
              u"id bigint key, order_id bigint, type text, data jsonb, created_at timestamptz"_s),
        table(
            u"products"_s,
            u"id bigint key, title text, description text, price bigint, attributes jsonb, status text, published_at timestamptz null, created_at timestamptz"_s),
        table(
            u"carts"_s,
            u"id uuid key, user_id bigint null, content jsonb, completed_at timestamptz null, created_at timestamptz"_s),
        table(
            u"payments"_s,
            u"id uuid key, order_id bigint, state text default, amount bigint, provider_data jsonb, failed_at timestamptz null, processed_at timestamptz null, created_at timestamptz"_s),
        table(
            u"invoices"_s,
            u"id bigint key, number text, customer_id bigint, status text, body bytea null, sent_at timestamptz null, created_at timestamptz"_s),
        table(
            u"shipments"_s,
            u"id bigint key, order_id bigint, carrier text, tracking text, status text, delivered_at timestamptz null, created_at timestamptz"_s),
        table(
            u"coupons"_s,
            u"id bigint key, code text, amount bigint, expires_at timestamptz null, used_at timestamptz null"_s),
        table(
            u"addresses"_s,
            u"id bigint key, user_id bigint, street text, city text, country text, phone text null"_s),
        table(
            u"reviews"_s,
            u"id bigint key, product_id bigint, user_id bigint, rating integer, body text, published boolean default, created_at timestamptz"_s),
        table(
            u"stock"_s,
            u"product_id bigint key, quantity integer, reserved integer, updated_at timestamptz"_s),
        table(
            u"refunds"_s,
            u"id uuid key, payment_id uuid, amount bigint, reason text null, status text, completed_at timestamptz null, created_at timestamptz"_s),
    };
}

QList<CatalogTable> office()
{
    return {
        table(
            u"sessions"_s,
            u"id text key, user_id bigint null, ip_address text null, user_agent text null, payload text, last_activity integer"_s),
        table(
            u"logs"_s,
            u"id bigint key, level text, message text, context jsonb null, created_at timestamptz"_s),
        table(
            u"access_log"_s,
            u"id bigint key, url text, method text, status integer, user_agent text, body text null, created_at timestamptz"_s),
        table(u"audit_log"_s,
              u"id bigint key, event_type text, payload jsonb, created_at timestamptz"_s),
        table(
            u"audits"_s,
            u"id bigint key, user_id bigint, action text, auditable_type text, auditable_id bigint, data jsonb, created_at timestamptz"_s),
        table(u"job_logs"_s, u"id bigint key, name text, message text, created_at timestamptz"_s),
        table(
            u"email_log"_s,
            u"id bigint key, recipient text, subject text, body text, status text, sent_at timestamptz null, created_at timestamptz"_s),
        table(
            u"messages"_s,
            u"id bigint key, room_id bigint, sender_id bigint, type text, body text, created_at timestamptz"_s),
        table(
            u"private_messages"_s,
            u"id bigint key, user_id bigint, type text, body text, status text, sent_at timestamptz null, created_at timestamptz"_s),
        table(
            u"conversation_messages"_s,
            u"id uuid key, conversation_id uuid, author_id uuid, content text, status text, sent_at timestamptz null, created_at timestamptz"_s),
        table(
            u"calendar_events"_s,
            u"id bigint key, title text, description text, location text null, status text, data jsonb null, starts_at timestamptz, ends_at timestamptz null, created_at timestamptz"_s),
        table(
            u"page_events"_s,
            u"id bigint key, user_id bigint null, name text, properties jsonb, url text, created_at timestamptz"_s),
        table(
            u"documents"_s,
            u"id uuid key, title text, body text, author_id bigint, status text, published_at timestamptz null, created_at timestamptz"_s),
        table(
            u"attachments"_s,
            u"id uuid key, file_name text, content_type text, data bytea, created_at timestamptz"_s),
        table(u"settings"_s, u"key text key, value jsonb, updated_at timestamptz"_s),
        table(
            u"feature_flags"_s,
            u"id bigint key, name text, enabled boolean default, description text null, data jsonb null"_s),
        table(
            u"tickets"_s,
            u"id bigint key, title text, body text, state text, assignee_id bigint null, locked_by bigint null, closed_at timestamptz null, created_at timestamptz"_s),
        table(
            u"job_postings"_s,
            u"id bigint key, company_id bigint, title text, description text, content text, salary bigint null, status text, published_at timestamptz null, created_at timestamptz"_s),
        table(
            u"api_keys"_s,
            u"id uuid key, user_id bigint, name text, hash text, expires_at timestamptz null, created_at timestamptz"_s),
        table(
            u"imports"_s,
            u"id bigint key, file_name text, state text, rows integer, error text null, started_at timestamptz null, finished_at timestamptz null, created_at timestamptz"_s),
        table(
            u"contacts"_s,
            u"id bigint key, name text, email text, phone text null, custom_data jsonb null, created_at timestamptz"_s),
    };
}

QList<CatalogTable> frameworks()
{
    return {
        table(u"django_session"_s,
              u"session_key text key, session_data text, expire_date timestamptz"_s),
        table(
            u"django_admin_log"_s,
            u"id integer key, action_time timestamptz, object_id text null, object_repr text, action_flag integer, change_message text, content_type_id integer null, user_id integer"_s),
        table(u"django_migrations"_s, u"id bigint key, app text, name text, applied timestamptz"_s),
        table(u"django_content_type"_s, u"id integer key, app_label text, model text"_s),
        table(
            u"auth_user"_s,
            u"id integer key, password text, last_login timestamptz null, is_superuser boolean, username text, first_name text, email text, is_active boolean, date_joined timestamptz"_s),
        table(u"schema_migrations"_s, u"version text key"_s),
        table(
            u"active_storage_blobs"_s,
            u"id bigint key, key text, filename text, content_type text null, metadata text null, byte_size bigint, checksum text null, created_at timestamp"_s),
        table(
            u"action_text_rich_texts"_s,
            u"id bigint key, name text, body text null, record_type text, record_id bigint, created_at timestamp, updated_at timestamp"_s),
        table(
            u"versions"_s,
            u"id bigint key, item_type text, item_id bigint, event text, whodunnit text null, object text null, created_at timestamp null"_s),
        table(
            u"notifications"_s,
            u"id uuid key, type text, notifiable_type text, notifiable_id bigint, data text, read_at timestamp null, created_at timestamp null"_s),
        table(
            u"wp_posts"_s,
            u"ID bigint key, post_author bigint, post_date timestamp, post_content text, post_title text, post_excerpt text, post_status text, post_name text, post_type text, guid text, comment_count bigint"_s),
        table(
            u"wp_comments"_s,
            u"comment_ID bigint key, comment_post_ID bigint, comment_author text, comment_author_email text, comment_date timestamp, comment_content text, comment_approved text, comment_type text"_s),
        table(u"wp_options"_s,
              u"option_id bigint key, option_name text, option_value text, autoload text"_s),
        table(u"wp_postmeta"_s,
              u"meta_id bigint key, post_id bigint, meta_key text null, meta_value text null"_s),
        table(
            u"wp_users"_s,
            u"ID bigint key, user_login text, user_pass text, user_email text, user_registered timestamp, user_status integer, display_name text"_s),
        table(u"cache"_s, u"key text key, value text, expiration integer"_s),
        table(
            u"oauth_access_tokens"_s,
            u"id text key, user_id bigint null, client_id uuid, name text null, scopes text null, revoked boolean, expires_at timestamp null, created_at timestamp null"_s),
        table(
            u"telescope_entries"_s,
            u"sequence bigint key, uuid uuid, batch_id uuid, type text, content text, created_at timestamp null"_s),
    };
}

/// Ordered, urgent, due, keyed by several columns: as outboxes are, and yet none.
QList<CatalogTable> planning()
{
    return {
        table(
            u"dispatches"_s,
            u"id bigint key, vehicle_id bigint, type text, status text, priority integer, data jsonb, created_at timestamptz"_s),
        table(u"system_messages"_s,
              u"id bigint key, type text, body text, priority integer, created_at timestamptz"_s),
        table(
            u"banners"_s,
            u"id bigint key, type text, content text, priority integer, start_at timestamptz null, created_at timestamptz"_s),
        table(u"todo_items"_s,
              u"id bigint key, content text, priority integer, created_at timestamptz"_s),
        table(
            u"measurements"_s,
            u"device_id bigint key, created_at timestamptz key, kind text, data bytea, priority integer null"_s),
        table(u"file_parts"_s,
              u"file_id uuid key, sequence bigint key, content bytea, created_at timestamptz"_s),
        table(
            u"chat_history"_s,
            u"room_id bigint key, sent_at timestamptz key, sender_id bigint, body text, type text"_s),
        table(
            u"bookings"_s,
            u"court_id bigint key, start_at timestamptz key, customer_id bigint, data jsonb, status text"_s),
    };
}

} // namespace

class TestOrdinaryTables : public QObject
{
    Q_OBJECT

private slots:
    void noneIsTakenForAnOutbox_data()
    {
        QTest::addColumn<QList<CatalogTable>>("tables");
        QTest::newRow("a shop") << shop();
        QTest::newRow("an office") << office();
        QTest::newRow("what frameworks bring") << frameworks();
        QTest::newRow("plans and orders") << planning();
        QTest::newRow("all in one database") << shop() + office() + frameworks() + planning();
    }

    void noneIsTakenForAnOutbox()
    {
        QFETCH(QList<CatalogTable>, tables);
        QStringList taken;
        for (const ProbeFinding &one : probeCatalog(catalogOf(tables)))
            taken += u"%1 with %2 points"_s.arg(one.shape.table.table).arg(one.score);
        QVERIFY2(taken.isEmpty(), qPrintable(taken.join(u", "_s)));
    }

    void thereAreFiftyOfThem()
    {
        const QList<CatalogTable> all = shop() + office() + frameworks() + planning();
        QVERIFY(all.size() >= 50);
        int most = 0;
        for (const CatalogTable &one : all)
            most = qMax(most, pointsOf(one, rolesOf(one)));
        qInfo("%lld tables, at most %d points of %d", static_cast<long long>(all.size()), most,
              enoughPoints);
    }
};

} // namespace tst_ordinarytables

OUTBOX_TEST(tst_ordinarytables::TestOrdinaryTables)
#include "tst_ordinarytables.moc"
