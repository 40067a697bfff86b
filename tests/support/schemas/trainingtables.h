// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ordinary tables of the training corpus: near an outbox, and none. "name | name: column=kind"; a
// column with "?" is left out now and then.
#pragma once

namespace outbox {

inline const char *const trainingTables = R"(
orders | customer orders: id=id, customer id=fk, status=status(new/paid/shipped/completed/cancelled), total=money, currency=code?, data=json?, completed at=maybe, created at=created
order items | cart lines: id=id, order id=fk, product id=fk, quantity=int, price=money
order events: id=id, order id=fk, event type=type(created/paid/shipped), data=json, created at=created
job history | job runs: id=id, job name=type(report/cleanup/import), status=status(success/failed/running), started at=when, finished at=maybe, error=title?, output=long?
email log | mail log: id=id, recipient=email, subject=title, body=long, sent at=when, status=status(delivered/bounced)?, provider=code?
audit log | audit events: id=id, user id=fk, action=type(create/update/delete), entity type=type(order/user)?, entity id=fk?, changes=json, created at=created
webhooks received | incoming webhooks: id=id, source=code, event type=type(push/pull/ping), payload=json, headers=json?, received at=created, processed at=maybe
notifications | user notifications: id=id, user id=fk, type=type(comment/like/follow), message=title, data=json?, is read=flag, read at=maybe, created at=created
sessions | user sessions: id=uuid, user id=fk, payload=long, ip address=ip, user agent=title, last activity=when, expires at=when?
invoices | bills: id=id, invoice number=code, customer id=fk, status=status(draft/sent/paid/overdue), amount=money, sent at=maybe, paid at=maybe, document=bytes?, created at=created
schema migrations | migration history: version=int, description=title, script=title, checksum=int, installed on=when, success=flag
chat messages | conversation messages: id=id, room id=fk, sender id=fk, body=long, type=type(text/image)?, delivered at=maybe, read at=maybe, created at=created
sensor readings | measurements: id=id, device id=fk, kind=type(temp/hum/co2), value=money, data=json?, measured at=when
feature flags | toggles: id=id, name=code, enabled=flag, rules=json, updated at=when
payments | transactions: id=id, order id=fk, state=status(pending/authorized/captured/failed), amount=money, provider data=json, processed at=maybe, created at=created
tickets | support cases: id=id, subject=title, body=long, status=status(open/in progress/closed), priority=small, assigned to=name?, closed at=maybe, created at=created
inbox | inbox messages | processed messages: id=uuid, message type=type(a/b/c), payload=json, received at=created, processed at=maybe
articles | posts: id=id, title=title, content=long, published=flag, published at=maybe, author id=fk, created at=created
documents | files: id=id, name=title, content=bytes, content type=code, version=small, created at=created
shipments | parcels: id=id, order id=fk, carrier=code, tracking number=code, status=status(created/in transit/delivered/lost), shipped at=maybe, delivered at=maybe, created at=created
bookings | appointments: id=id, customer id=fk, scheduled at=when, status=status(confirmed/cancelled/done), notes=long?, created at=created
users | accounts: id=id, email=email, name=name, password hash=code, is active=flag, last login=maybe, created at=created
import batches | uploads: id=id, file name=title, status=status(pending/processing/done/failed), rows total=int, rows done=int, error message=title?, started at=maybe, finished at=maybe
api requests | request log: id=id, method=type(GET/POST), path=url, body=json?, status code=int, duration ms=int, created at=created
bestellungen | auftraege: id=id, kunde id=fk, status=status(neu/bezahlt/versendet/storniert), betrag=money, daten=json?, versendet am=maybe, erstellt am=created
commandes | ventes: id=id, client id=fk, statut=status(nouveau/paye/expedie), montant=money, details=json?, expedie le=maybe, cree le=created
pedidos | ventas: id=id, cliente id=fk, estado=status(nuevo/pagado/enviado/cancelado), total=money, datos=json?, enviado en=maybe, creado en=created
siparisler: id=id, musteri id=fk, durum=status(yeni/odendi/gonderildi), tutar=money, gonderim tarihi=maybe, olusturma tarihi=created
tasks | todo items: id=id, title=title, description=long, done=flag, due at=maybe, completed at=maybe, owner=name, created at=created
subscriptions | memberships: id=id, customer id=fk, plan=type(free/pro), status=status(active/paused/cancelled), renews at=when, cancelled at=maybe, metadata=json?
)";

} // namespace outbox
