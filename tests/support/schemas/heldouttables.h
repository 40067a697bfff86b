// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ordinary tables of the held-out corpus. HELD OUT: no rule and no word list of the recognizer may
// be made from this file (see heldoutwords.cpp). Written as trainingtables.h.
#pragma once

namespace outbox {

inline const char *const heldOutTables = R"(
purchases | sales: id=id, buyer id=fk, state=status(placed/approved/dispatched/received/refunded), total=money, payload=json?, dispatched at=maybe, placed at=created
returns | refunds: id=id, purchase id=fk, reason=title, state=status(requested/approved/done/rejected), handled at=maybe, data=json?, created on=created
event log | activity stream: id=id, actor id=fk, event=type(login/logout/edit), context=json, happened at=created
task executions | batch runs: id=id, task=type(sync/report/index), outcome=status(ok/error/aborted), begun at=when, ended at=maybe, message=title?, attempts=small?
sms log | sent mails: id=id, phone=code, text=long, sent on=when, cost=money?, result=status(ok/failed)?
change history | record versions: id=id, item type=type(order/item/user), item id=fk, event=type(create/update/destroy), object=json, whodunnit=name?, created at=created
callback log | provider callbacks: id=id, provider=code, kind=type(paid/failed/refund), raw body=json, received on=created, handled=flag, handled at=maybe?
alerts | messages to users: id=id, user id=fk, category=type(info/warn/bill), text=title, seen=flag, seen at=maybe, created at=created
login sessions | tokens: id=uuid, account id=fk, token=code, data=json?, created at=created, expires at=when, revoked at=maybe
credit notes | statements: id=id, number=code, account id=fk, state=status(open/issued/settled), sum=money, issued at=maybe, settled at=maybe, pdf=bytes?
db changelog | applied patches: id=code, author=name, filename=title, dateexecuted=when, orderexecuted=int, exectype=type(EXECUTED/RERAN), md5sum=code
direct messages | comments: id=id, thread id=fk, author id=fk, content=long, edited at=maybe, sent at=created, is deleted=flag
telemetry | device samples: id=id, device=code, metric=type(cpu/mem/disk), value=money, tags=json?, recorded at=when
experiments | settings: id=id, key=code, value=json, active=flag, changed at=when
transfers | payouts: id=id, account id=fk, status=status(initiated/booked/completed/returned), amount=money, details=json, completed at=maybe, failed at=maybe, initiated at=created
incidents | complaints: id=id, title=title, description=long, state=status(new/assigned/resolved), severity=small, resolved at=maybe, opened at=created
received events | consumed messages: id=uuid, event type=type(a/b/c), payload=json, consumer=code?, received at=created, handled at=maybe
pages | newsletters: id=id, headline=title, body=long, is published=flag, publish date=maybe, editor id=fk, created at=created
attachments | media assets: id=id, file name=title, data=bytes, mime type=code, revision=small, uploaded at=created
deliveries | routes: id=id, driver id=fk, stop count=int, status=status(planned/driving/done), departed at=maybe, finished at=maybe, plan=json?, created at=created
reservations | visits: id=id, guest id=fk, starts at=when, state=status(booked/seated/gone/noshow), remarks=long?, booked at=created
members | staff: id=id, mail=email, full name=name, secret=code, enabled=flag, last seen=maybe, joined at=created
data exports | report requests: id=id, kind=type(csv/pdf/xls), parameters=json, state=status(requested/building/ready/failed), requested by=name, ready at=maybe, requested at=created
search queries | page views: id=id, visitor=code, url=url, params=json?, took ms=int, viewed at=created
rechnungen | lieferscheine: id=id, nummer=code, kunde id=fk, zustand=status(entwurf/verschickt/bezahlt), summe=money, verschickt am=maybe, bezahlt am=maybe, angelegt am=created
factures | livraisons: id=id, numero=code, client id=fk, etat=status(brouillon/envoyee/payee), total=money, contenu=json?, envoyee le=maybe, creee le=created
facturas | envios: id=id, numero=code, cliente id=fk, situacion=status(borrador/emitida/pagada), importe=money, contenido=json?, emitida en=maybe, alta en=created
faktury | zamowienia: id=id, numer=code, klient id=fk, stan=status(nowa/wyslana/zaplacona), kwota=money, wyslano=maybe, dodano=created
ordini | consegne: id=id, cliente id=fk, stato=status(nuovo/spedito/annullato), totale=money, dati=json?, spedito il=maybe, creato il=created
chores | action items: id=id, summary=title, details=long, finished=flag, deadline=maybe, finished at=maybe, holder=name, added at=created
policies | contracts: id=id, holder id=fk, product=type(car/home), state=status(offered/active/lapsed), ends at=when, terms=json?, signed at=maybe
survey answers | form submissions: id=id, form id=fk, type=type(nps/contact/lead), answers=json, submitted at=created, reviewed=flag?, reviewed at=maybe?
)";

} // namespace outbox
