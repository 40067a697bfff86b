// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/names/wordmeaning.h"

#include "connectors/sql/names/schemawords.h"

#include <QHash>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// "meaning: words". A word that ends with "-" is the beginning of words. Without accents; German
/// umlauts are written both ways.
const char *const meanings = R"(
outbox: postausgang- ausgangspost- buzon- bandeja- postausgangs- utkorg- udbakke- utboks- lahtevat- postvakuit
box: boite caixa casella cassetta skrzynk- kutu kutusu schranka doboz cutie laatikko kotak kutija korb fach
outgoing: ausgeh- ausgang- sortant- salient- saida- salida- uscent- uscita uitgaand- utgaende udgaende wychodzac- nadawcz- giden odchozi- kimeno iesire keluar iskhod- izlaz- lahteva-
message: nachricht- mensaj- mensag- messaggi- bericht- meddeland- medded- wiadomosc- wiadomosci mesaj- zprav- uzenet- viesti- pesan poruk- soobshch- melding-
event: ereignis- evenement- evento- eventi gebeurteniss- handels- haendels- hendels- zdarzeni- olay- udalost- esemeny- tapahtum- dogadjaj- dogadaj- sobyti- kejadian peristiwa eveniment-
queue: warteschlang- fila- cola coda wachtrij- kolejk- kuyruk- fronta sor jono
type: typ typen art tipo tipos tipi tip tipe turu tur soort slag typu rodzaj- druh- tipus- tyyppi vrsta jenis tipul
name: nombre nom nome navn namn naam nazwa nazev adi isim nimi nev ime
number: nummer numero anzahl liczba sayisi pocet antal aantal szam maara broj jumlah
payload: nutzdaten nutzlast charge utile carga cargautil carico payloads lading nyttolast nyttelast pakk
content: inhalt- contenu contenido contenidos conteudo contenuto inhoud innehall indhold innhold tresc zawartosc icerik obsah- tartalom sisalto isi soderzhanie sadrzaj
body: corpo corps cuerpo korper koerper kropp krop govde telo cialo torzs runko
data: daten donnee- datos dados dati gegevens dane veri verisi udaje adat- tiedot podaci dannye
header: kopf- kopfdaten entete- entetes cabecera- cabecalho- intestazion- koptekst naglowk- baslik hlavick- fejlec- otsik- zaglavlj-
metadata: metadaten metadonnee- metadatos metadados metadati metagegevens metadane
created: erstell- angeleg- erzeug- cree creee creation creado creada creacion criado criada criacao creato creata creazion- aangemaakt aanmaak- gemaakt skapad- skapat oprett- opprett- utworz- stworz- dodano olustur- vytvor- zalozen- letrehoz- keletkez- luotu luonti- creat creare dibuat kreiran- stvoren- sozdan- entstand- eingefueg- eingefug- eingetrag- inserid- insertad- inserit- ingevoegd ajoute- enregistre- arrived arrival arrive born birth entered entry logged appended captured generated produced made saved persisted committed origin since registrado registrat registrerad
scheduled: geplan- prevu- planifi- programad- agendad- pianificat- gepland ingepland planerad- planlag- planlagt- zaplanowan- planlan- naplanovan- utemez- ajoitet- dijadwalkan zakazan- zaplanir- vorgesehen faellig- fallig- esigibil- previst- vencid- forfald- forfall- termin- embargo backoff sleep snooze wake wakeup earliest soonest programmato programme
next: naechst- nachst- prochain- proxim- prossim- volgend- nasta nastepn- sonraki dalsi kovetkez- seuraav- sljedec- sledec- sleduyush- berikut- urmator-
after: nach apres despues depois dopo na sonra
sent: gesendet gesendete versendet verschickt abgeschickt abgesendet ausgeliefert zugestellt envoye envoyee envoi enviad- envio inviat- invio spedit- verzond- gezonden verstuurd verzend- skickad- skickat sendt avsendt afsendt wyslan- wyslano nadan- gonder- iletil- odeslan- elkuld- kikuldes kuldve lahetet- trimis- terkirim dikirim poslat- poslan- otpravlen- emitid- transmitid- trasmess- overgebracht bezorgd geleverd levererad- leverans- leveret levert dostarczon- dostarcz- teslim doruc- toimitet- livrat- livre- livrare entregad- entregue entrega consegnat- consegna- bezorg- routed drained cleared fulfilled propagated fired handed passed settled closed broadcast released departed streamed synced replicated uploaded egress egressed gone concluded resolved expedie expediee expedido expediat expediert versand
processed: verarbeit- bearbeitet abgearbeit- traite traitee traites traitement procesad- processad- processat- elaborat- elaborazion- verwerkt verwerk- behandlad behandlat behandlet bearbetad przetworz- przetwarz- islen- islendi zpracovan- feldolgoz- kasitelty kasitel- procesat- prelucrat- diproses obradjen- obraden- obrabotan-
published: veroeffentlich- veroffentlich- publie publiee publicad- pubblicat- publicera- gepubliceerd opublikowan- publikowan- publiser- yayinlan- zverejnen- publikovan- kozzetet- julkaist- diterbitkan objavljen- opublikovan- publicat
completed: erledigt abgeschlossen fertig beendet termine- acheve- completad- concluid- terminad- completat- concluso conclus- finit- afgerond voltooid afgehandeld klar slutford- avslutad- afsluttet faerdig ferdig fullfort zakonczon- gotow- gotowe tamamlan- bitti dokoncen- hotovo hotov befejez- kesz valmis finalizat- selesai zavrsen- gotovo zavershen- ukoncen- vyrizen-
failed: fehlgeschlag- fehlerhaft gescheiter- abgebroch- abgelehn- misslung- verworf- echoue- echec- echou- abandonne- fallid- fallo falhad- falhou falha fallit- mislukt- gefaald afgebroken misslyck- mislykk- fejlet feilet mislykt- odrzucon- nieudan- nieudane porazk- basarisiz- hatali selhal- neuspes- sikertelen- meghius- epaonnist- esuat- gagal neuspel- neuspjel- provalen- broken bounced tombstoned killed faulted fault crashed refused denied terminal terminated unrecoverable toxic dlq gaveup givenup quarantine unroutable invalid
error: fehler- erreur- errore erro erros errores errori fout foutmelding fel felmeddeland- fejl feil blad bledu bledy hata chyb- hiba virhe eroare kesalahan greska greske oshibk- ausnahme- fallos problem trouble complaint
last: letzt- dernier- derniere ultim- laatst- senast- sidste siste ostatni- son posledn- utolso viimei- terakhir zadnj-
attempt: versuch- essai- prov pogingen poging forsok- forsoeg- prob proby proba deneme- pokus- probalkoz- kiserlet- yritys yrityk- incercar- percobaan pokusaj- popytk- wiederhol- reintento- reessai- herhaling- redelivery redeliveries tried retrial rounds strikes dequeue fails intento intentos tentative tentatives tentativo tentativi tentativa tentativas
max: hoechst- hochst- maximal- maximum- maxim- maksimum maksimal- massim- maxi enfazla azami allowed permitted ceiling cap budget
status: statut estado estatus situacao situacion stato toestand tillstand tilstand stan stanu durum durumu stav allapot tila stare keadaan zustand- zustandsfeld etat sostoyani- stanje progress lifecycle disposition standing condition stat sts
locked: gesperrt sperr- verrouille- verrou bloque bloquead- bloqueio bloqueo bloccat- blocco vergrendel- geblokkeerd zablokowan- blokad- kilit- zamcen- zamek uzamc- zarolt- zarol- lukit- blocat- terkunci dikunci zakljucan- zablokirovan- reserviert- reserve- reservad- riservat- prenotat- gereserveerd reserverad- reserveret- reservert zarezerwowan- rezerv- foglalt- varatt- dipesan belegt geholt uebernommen ubernommen pris prise tomado tomada preso presa genomen tagen taget seized occupied engaged possessed allotted allocated booked pinned lease leases locking verrouil-
being: wird werden siendo sendo essendo wordt bliver
owner: besitz- inhaber- proprietaire- propietari- proprietari- eigenaar agar- ejer eier wlascicie- sahib- sahibi vlastnik- tulajdonos omistaj- pemilik vlasnik- bearbeiter- halter holder keeper possessor detenteur
worker: dispatcher sender host server machine agent handler arbeiter- travailleur- trabajador- trabalhador- lavorator- runner executor processor poller node pod consumer
until: jusqua jusquau jusque hasta fino bitis bitisi expiration ablauf ablauft laeuft verfall- expira scadenza vence vervalt verloopt wygasa platnost lejarat till til asti saakka sampai hingga dospije
pending: neu neue nouveau nouvelle nuevo nueva novo nova nuovo nuova nieuw ny nya nytt nowy nowe nowa yeni novy nove uusi nou baru nov offen wartend- ausstehend attente enattente pendient- pendente- inattesa attesa wachtend openstaand vantar vantande venter afventer oczek- oczekujacy bekliyor beklemede cekajici ceka varakoz- fuggo odottaa odottav- asteptare menunggu ceka- fresh idle outstanding init unhandled unclaimed unpicked undispatched backlog
processing: bearbeitung inbearbeitung inarbeit laufend cours encours procesando processando elaborazione incorso curso encurso andamento emandamento bezig inbehandeling behandeling verwerking pagar pagang pagaende behandlas igang toku wtoku trakcie przetwarzan- isleniyor probiha zpracovava- folyamatban kasittelyssa lucru sedang utoku obradi relaying pushing transmitting transferring ongoing underway inuse inwork
delayed: verzoeger- verzoger- zurueckgestellt zuruckgestellt reporte reportee retarde differe differee aplazad- retrasad- adiad- atrasad- rimandat- ritardat- uitgesteld vertraagd fordrojd- uppskjut- udskudt forsinket utsatt odlozon- opoznion- ertelen- gecik- odlozen- zpozden- halasztot- kesleltet- lykatty viivast- amanat- tertunda odgodjen- later sleeping paused
deleted: geloescht geloscht supprime- eliminad- borrad- excluid- eliminat- verwijderd borttag- slettet usuniet- silin- smazan- torolt poistet-
updated: geaendert geandert aktualisiert modifie- modificad- actualizad- atualizad- modificat- aggiornat- gewijzigd bijgewerkt andrad- uppdatera- opdater- oppdater- endret zmienion- zaktualizowan- guncellen- degistir- zmenen- modosit- muokat-
date: datum fecha dato tarih tarihi data
time: zeit zeitpunkt heure hora ora tijd tijdstip tidspunkt tidpunkt czas zaman zamani saat cas ido idopont aika waktu vreme
)";

/// Small words: they mean that only beside a word of another language.
const char *const smallMeanings = R"(
at: am um seit le em op il la pada dne kl ved den depuis desde dal sinds sedan sejak od dnia w vuonna
by: von vom durch par por da door av af przez tarafindan kym oleh pe od fra od-
until: bis ate tot do til tills pana ig
for: fuer fur pour para per voor for dla icin pro na untuk
not: nicht pas nao non niet inte ikke nie ei nem ne
is: ist est es e czy je ar mi mu
to: zu
)";

struct WordMeaning
{
    QString word;
    bool isBeginning = false;
    QString means;
};

QList<WordMeaning> listed(const char *text)
{
    QList<WordMeaning> all;
    for (const QString &line : QString::fromLatin1(text).split(u'\n', Qt::SkipEmptyParts)) {
        const QString means = line.section(u':', 0, 0);
        for (QString word : line.section(u':', 1).split(u' ', Qt::SkipEmptyParts)) {
            const bool isBeginning = word.endsWith(u'-');
            if (isBeginning)
                word.chop(1);
            all += {word, isBeginning, means};
        }
    }
    return all;
}

QHash<QString, QString> byWord(const QList<WordMeaning> &all, bool isBeginning)
{
    QHash<QString, QString> words;
    for (const WordMeaning &one : all) {
        if (one.isBeginning == isBeginning && !words.contains(one.word))
            words.insert(one.word, one.means);
    }
    return words;
}

/// Without accents, as names of columns are mostly written.
QString plain(const QString &word)
{
    QString letters;
    for (const QChar sign : word.normalized(QString::NormalizationForm_D)) {
        switch (sign.unicode()) {
        case 0x142: // the Polish l
            letters += u'l';
            break;
        case 0x131: // the Turkish i
            letters += u'i';
            break;
        case 0xf8: // the Danish o
            letters += u'o';
            break;
        case 0xdf:
            letters += u"ss"_s;
            break;
        default:
            if (!sign.isMark())
                letters += sign;
        }
    }
    return letters;
}

/// Meanings of one word, several where words run together; empty: not known.
QStringList meaningsOf(const QString &word)
{
    static const QList<WordMeaning> all = listed(meanings);
    static const QHash<QString, QString> whole = byWord(all, false);
    static const QHash<QString, QString> beginnings = byWord(all, true);
    static const QHash<QString, QString> small = byWord(listed(smallMeanings), false);
    if (const auto one = whole.constFind(word); one != whole.cend())
        return {*one};
    constexpr qsizetype shortest = 4;
    for (qsizetype length = word.size(); length >= 3; --length) {
        const QString first = word.left(length);
        const auto begun = beginnings.constFind(first);
        const bool isWhole = length < word.size() && length >= shortest && whole.contains(first);
        if (begun == beginnings.cend() && !isWhole)
            continue;
        QStringList found{isWhole ? whole.value(first) : *begun};
        // what runs together with it: the longest known end
        for (qsizetype from = length; from + 3 <= word.size(); ++from) {
            const QString rest = word.mid(from);
            if (small.contains(rest))
                return found + QStringList{small.value(rest)};
            if (const QStringList more = meaningsOf(rest); !more.isEmpty())
                return found + more;
        }
        if (!isWhole) // a whole word that another only begins with is that other word
            return found;
    }
    return {};
}

} // namespace

QStringList meantWords(const QString &name)
{
    static const QHash<QString, QString> small = byWord(listed(smallMeanings), false);
    QStringList words = wordsOf(name);
    QStringList meant;
    QList<qsizetype> open;
    bool isKnown = false;
    for (const QString &word : words) {
        const QString letters = plain(word);
        const QStringList found
            = letters == u"data" ? QStringList() : meaningsOf(letters); // "data" is English too
        isKnown |= !found.isEmpty();
        if (found.isEmpty())
            open += meant.size();
        meant += found.isEmpty() ? QStringList{word} : found;
    }
    if (!isKnown)
        return words;
    for (const qsizetype place : std::as_const(open)) {
        const QString letters = plain(meant.at(place));
        if (letters == u"data" && place == 0 && meant.size() > 1)
            meant[place] = u"date"_s; // "data criacao"
        else if (const auto one = small.constFind(letters); one != small.cend())
            meant[place] = *one;
    }
    return meant;
}

} // namespace outbox
