// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/payload/unpack.h"

#include "models/phrases.h"

#include <QScopeGuard>

#define ZLIB_CONST // its input is only read
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <memory>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype unpackedAtOnce = 65'536;
constexpr qsizetype packedMost = qsizetype(512) * 1024 * 1024; ///< zlib counts in 32 bits
constexpr int zstdWindowLog = 25;
constexpr qsizetype shortestBase64 = 8;

Failure notPacked(const QString &doing, const QString &why)
{
    return fail(Error::Kind::Invalid, doing, why);
}

Failure tooMuchUnpacked(const QString &doing, qsizetype most)
{
    return fail(Error::Kind::Unsupported, doing,
                u"more than %1 would come out"_s.arg(bytesText(most)));
}

/// `windowBits` is that of zlib; 16 more mean gzip.
Result<QByteArray> inflated(QByteArrayView packed, int windowBits, qsizetype most,
                            const QString &doing)
{
    if (packed.size() > packedMost)
        return tooMuchUnpacked(doing, most);
    z_stream stream{};
    stream.next_in = reinterpret_cast<const Bytef *>(packed.data());
    stream.avail_in = static_cast<uInt>(packed.size());
    if (inflateInit2_(&stream, windowBits, ZLIB_VERSION, static_cast<int>(sizeof(z_stream)))
        != Z_OK)
        return fail(Error::Kind::Unsupported, doing, u"zlib could not be started"_s);
    const auto end = qScopeGuard([&stream] { inflateEnd(&stream); });
    QByteArray whole;
    QByteArray chunk(unpackedAtOnce, Qt::Uninitialized);
    for (;;) {
        stream.next_out = reinterpret_cast<Bytef *>(chunk.data());
        stream.avail_out = static_cast<uInt>(chunk.size());
        const int code = inflate(&stream, Z_NO_FLUSH);
        whole.append(chunk.constData(), chunk.size() - static_cast<qsizetype>(stream.avail_out));
        if (whole.size() > most)
            return tooMuchUnpacked(doing, most);
        if (code == Z_STREAM_END) {
            if (stream.avail_in == 0)
                return whole;
            // Members of gzip may follow each other; anything else may not.
            if (windowBits <= MAX_WBITS || inflateReset(&stream) != Z_OK)
                return notPacked(doing, u"bytes follow its end"_s);
        } else if (code == Z_BUF_ERROR) {
            return notPacked(doing, u"its end is missing"_s);
        } else if (code != Z_OK) {
            return notPacked(doing,
                             stream.msg != nullptr ? QString::fromLatin1(stream.msg)
                                                   : u"the data is damaged"_s);
        }
    }
}

struct ZstdEnd
{
    void operator()(ZSTD_DCtx *context) const { ZSTD_freeDCtx(context); }
};

} // namespace

Result<QByteArray> unpackGzip(QByteArrayView packed, qsizetype most)
{
    return inflated(packed, MAX_WBITS + 16, most, u"unpacking gzip"_s);
}

Result<QByteArray> unpackZlib(QByteArrayView packed, qsizetype most)
{
    return inflated(packed, MAX_WBITS, most, u"unpacking zlib"_s);
}

Result<QByteArray> unpackZstd(QByteArrayView packed, qsizetype most)
{
    const QString doing = u"unpacking zstd"_s;
    if (packed.isEmpty())
        return notPacked(doing, u"nothing is there"_s);
    const std::unique_ptr<ZSTD_DCtx, ZstdEnd> context(ZSTD_createDCtx());
    if (context == nullptr
        || ZSTD_isError(ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, zstdWindowLog)))
        return fail(Error::Kind::Unsupported, doing, u"zstd could not be started"_s);
    ZSTD_inBuffer from{packed.data(), static_cast<std::size_t>(packed.size()), 0};
    QByteArray whole;
    QByteArray chunk(unpackedAtOnce, Qt::Uninitialized);
    for (;;) {
        ZSTD_outBuffer to{chunk.data(), static_cast<std::size_t>(chunk.size()), 0};
        const std::size_t missing = ZSTD_decompressStream(context.get(), &to, &from);
        if (ZSTD_isError(missing)) {
            const bool isLarge
                = ZSTD_getErrorCode(missing) == ZSTD_error_frameParameter_windowTooLarge;
            return fail(isLarge ? Error::Kind::Unsupported : Error::Kind::Invalid, doing,
                        QString::fromLatin1(ZSTD_getErrorName(missing)));
        }
        whole.append(chunk.constData(), static_cast<qsizetype>(to.pos));
        if (whole.size() > most)
            return tooMuchUnpacked(doing, most);
        const bool isRead = from.pos == from.size;
        if (isRead && missing == 0)
            return whole;
        if (isRead && to.pos < to.size)
            return notPacked(doing, u"its end is missing"_s);
    }
}

Result<QByteArray> unpackBase64(QByteArrayView text, qsizetype most)
{
    const QString doing = u"reading base64"_s;
    QByteArray plain;
    plain.reserve(text.size() + 3);
    for (const char c : text.trimmed()) {
        if (c != '\n' && c != '\r')
            plain += c;
    }
    if (plain.size() < shortestBase64)
        return notPacked(doing, u"fewer than %1 characters"_s.arg(shortestBase64));
    if (plain.size() / 4 * 3 > most + 3)
        return tooMuchUnpacked(doing, most);
    if (plain.size() % 4 >= 2)
        plain.append(4 - plain.size() % 4, '=');
    const auto alphabet = plain.contains('-') || plain.contains('_') ? QByteArray::Base64UrlEncoding
                                                                     : QByteArray::Base64Encoding;
    const auto read
        = QByteArray::fromBase64Encoding(plain, alphabet | QByteArray::AbortOnBase64DecodingErrors);
    // Written again it is the same: no bit of the text was left out.
    if (!read || read.decoded.toBase64(alphabet) != plain)
        return notPacked(doing, u"a character is none of base64, or bits are left over"_s);
    if (read.decoded.size() > most)
        return tooMuchUnpacked(doing, most);
    return read.decoded;
}

} // namespace outbox
