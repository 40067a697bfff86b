// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Forty texts that somebody may have put into an id, a type, a payload or a name.
#pragma once

#include <QList>
#include <QString>

#include <utility>

namespace outbox::hostile {

using namespace Qt::Literals::StringLiterals;

/// A name and the text. `fifo` is a pipe that nobody writes to, `picture` a file that an image
/// reader would open; the texts that cannot be read to their end come behind those two.
[[nodiscard]] inline QList<std::pair<QString, QString>> texts(const QString &fifo,
                                                              const QString &picture)
{
    const QString line(1024 * 1024, u'x');
    const QString combining = u"e"_s + QString(2000, QChar(0x0301));
    return {
        {u"img fifo"_s, u"<img src=\"%1\">"_s.arg(fifo)},
        {u"img picture"_s, u"<img src='file://%1' width=1 height=1>"_s.arg(picture)},
        {u"img fifo, closed"_s, u"a</span></p></body><IMG SRC=%1 />"_s.arg(fifo)},
        {u"style"_s, u"<p style=\"background-image:url(%1)\">x</p>"_s.arg(picture)},
        {u"stylesheet"_s,
         u"<link rel=stylesheet href=\"%1\"><style>* {font-size:99px}</style>"_s.arg(picture)},
        {u"markdown image"_s, u"![x](%1) [y](file://%1) **bold**"_s.arg(fifo)},
        {u"img /dev/zero"_s, u"<img src=\"/dev/zero\">"_s},
        {u"img share"_s, u"<img src=\"//127.0.0.1/share/x.png\"><img src=\"\\\\127.0.0.1\\x\">"_s},
        {u"img resource"_s, u"<img src=\":/icons/trash.svg\"><img src=\"qrc:/icons/trash.svg\">"_s},
        {u"img data"_s, u"<img src=\"data:image/png;base64,iVBORw0KGgo=\">"_s},
        {u"link"_s, u"<a href=\"file:///etc/passwd\">Everything is fine</a>"_s},
        {u"bold"_s, u"<b>PROCESSED</b><br><font color=green size=7>ok</font>"_s},
        {u"table"_s, u"<table border=1><tr><td>0 rows</td></tr></table>"_s},
        {u"many tables"_s, u"<table><tr><td>"_s.repeated(300)},
        {u"comment"_s, u"<!-- x --><hr><h1>Health: Ok</h1>"_s},
        {u"qt tag"_s, u"<qt>rich</qt><html><head><title>t</title></head></html>"_s},
        {u"entities"_s, u"&lt;b&gt; &amp;nbsp; &#x202e; &#0; &quot;"_s},
        {u"open tag"_s, u"a < b && c > d <"_s},
        {u"script"_s, u"<script>alert(1)</script><svg onload=x><object data=x>"_s},
        {u"mnemonic"_s, u"Save&Quit && R&&D &"_s},
        {u"arguments"_s, u"%1 %2 %L1 %n %s %99 %%1"_s},
        {u"tab key"_s, u"a\tShortcut\tCtrl+Q"_s},
        {u"bidi override"_s, u"invoice\u202Efdp.exe"_s},
        {u"bidi isolates"_s, u"\u2066\u2067\u2068a\u2069 \u202Ab\u202C\u202Dc"_s},
        {u"right to left"_s, u"שלום עולם مرحبا 123 abc"_s},
        {u"zero width"_s, u"or\u200Bders\u200C-\u200D7\uFEFF\u2060"_s},
        {u"fillers"_s, u"\u3164\u115F\u00AD\u180E\u2800"_s},
        {u"NUL"_s, u"a"_s + QChar(0) + u"b"_s + QChar(0)},
        {u"controls"_s, u"\x1b[31m\x07\x08\x7f\u0085\u009b2J"_s},
        {u"line breaks"_s, u"a\r\nb\nc\rd\u2028e\u2029f\vg\f"_s},
        {u"flood of lines"_s, u"x\n"_s.repeated(20'000)},
        {u"lone surrogates"_s, u"a"_s + QChar(0xd83d) + u"b"_s + QChar(0xde80) + QChar(0xdfff)},
        {u"no character"_s, u"\uFFFE\uFFFF\uFDD0\U0010FFFF"_s},
        {u"emoji"_s, u"👩‍👩‍👧‍👦🏳️‍🌈🇩🇪👍🏽"_s.repeated(40)},
        {u"combining"_s, combining},
        {u"tags"_s, u"\U000E0041\U000E0042\U000E007F"_s},
        {u"ligature"_s, u"\uFDFD"_s.repeated(500)},
        {u"long word"_s, QString(50'000, u'W')},
        {u"megabyte line"_s, line},
        {u"megabyte of markup"_s, u"<b>&\u202e\n"_s.repeated(150'000)},
    };
}

} // namespace outbox::hostile
