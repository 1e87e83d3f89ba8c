package inspect

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"quire/format/fault"
	"quire/internal/clamdtest"
	"quire/internal/prove"
	"quire/model"
	"quire/preserve/identify"
)

const (
	arcV1 = "filedesc://a.arc 0.0.0.0 20251101100000 text/plain 76\n1 0 InternetArchive\nURL IP-address " +
		"Archive-date Content-type Archive-length\n\n"
	arcV2 = "filedesc://a.arc 0.0.0.0 20251101100000 text/plain 200 - - 0 a.arc 122\n2 0 InternetArchive\nURL " +
		"IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length\n\n"
	arcLine = "http://a.org/ 192.0.2.1 20251101100001 text/html "
	arcGood = arcLine + "5\nhello\n"
)

// arcOf returns a version block with the version line, the text after the definition, and the
// correct length.
func arcOf(version, metadata string) string {
	block := version + "\nURL IP-address Archive-date Content-type Archive-length\n" + metadata
	return fmt.Sprintf("filedesc://a.arc 0.0.0.0 20251101100000 text/plain %d\n%s\n", len(block), block)
}

// gzipHeader returns a member of zip with another header.
func gzipHeader(t *testing.T, content string, header ...byte) []byte {
	t.Helper()
	return append(append([]byte{0x1f, 0x8b}, header...), zip(t, content)[10:]...)
}

// edited returns b with one byte changed; a negative position counts from the end.
func edited(b []byte, at int) []byte {
	b = bytes.Clone(b)
	if at < 0 {
		at += len(b)
	}
	b[at] ^= 0x55
	return b
}

func zstdOf(t testing.TB, content string) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true))
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll([]byte(content), nil)
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// triggers returns, for each code, a file that violates its rule.
func triggers(t *testing.T) map[fault.Code][]byte {
	t.Helper()
	ok := response("HTTP/1.1 200 OK\r\n\r\nhello")
	members := zip(t, warcinfo, ok)
	first := len(zip(t, warcinfo))
	all := map[fault.Code][]byte{}
	for code, file := range map[fault.Code][]byte{
		"GZIP-METHOD":     gzipHeader(t, warcinfo, 7, 0, 0, 0, 0, 0, 0, 255),
		"GZIP-FLAGS":      join(zip(t, warcinfo), gzipHeader(t, ok, 8, 0xe0, 0, 0, 0, 0, 0, 255)),
		"GZIP-XFL":        gzipHeader(t, warcinfo, 8, 0, 0, 0, 0, 0, 7, 255),
		"GZIP-OS":         gzipHeader(t, warcinfo, 8, 0, 0, 0, 0, 0, 0, 99),
		"GZIP-EXTRA":      gzipHeader(t, warcinfo, 8, 4, 0, 0, 0, 0, 0, 255, 3, 0, 1, 2, 3),
		"GZIP-NAME":       gzipHeader(t, warcinfo, 8, 8, 0, 0, 0, 0, 0, 255, 0xc4, 0x8d, 0),
		"GZIP-COMMENT":    gzipHeader(t, warcinfo, 8, 16, 0, 0, 0, 0, 0, 255, 'a', '\t', 0),
		"GZIP-HEADER-CRC": gzipHeader(t, warcinfo, 8, 2, 0, 0, 0, 0, 0, 255, 1, 2),
		"GZIP-HEADER": join(zip(t, warcinfo),
			append([]byte{0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 255}, bytes.Repeat([]byte("x"), 1<<20)...)),
		"GZIP-DEFLATE": join(zip(t, warcinfo),
			[]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 0xff, 0xff, 0xff, 0xff}, zip(t, ok)),
		"GZIP-TRUNCATED":    members[:len(members)-20],
		"GZIP-CRC32":        edited(members, -8),
		"GZIP-ISIZE":        edited(members, -4),
		"GZIP-GARBAGE":      join(members, []byte("an error message")),
		"GZIP-PADDING":      join(members, make([]byte, 512)),
		"GZIP-EMPTY-MEMBER": join(members[:first], zip(t, ""), members[first:]),

		"WARC-MEMBER-SHARED":  zip(t, warcinfo+ok),
		"WARC-MEMBER-SPANNED": zip(t, warcinfo, ok[:len(ok)-10], ok[len(ok)-10:]),
		"ARC-MEMBER-SHARED":   zip(t, arcV1+arcGood),
		"ARC-MEMBER-SPANNED":  zip(t, arcV1, arcGood[:len(arcGood)-6], arcGood[len(arcGood)-6:]),

		"ZSTD-FRAME":       join(zstdOf(t, warcinfo), edited(zstdOf(t, ok), -1), zstdOf(t, ok)),
		"ZSTD-TRUNCATED":   join(zstdOf(t, warcinfo), zstdOf(t, ok)[:40]),
		"ZSTD-GARBAGE":     join(zstdOf(t, warcinfo), []byte("an error message"), zstdOf(t, ok)),
		"ZSTD-EMPTY-FRAME": join(zstdOf(t, warcinfo), zstdOf(t, ""), zstdOf(t, ok)),
		"ZSTD-DICTIONARY": join(binary.LittleEndian.AppendUint32([]byte{0x5d, 0x2a, 0x4d, 0x18}, 12),
			[]byte{0x37, 0xa4, 0x30, 0xec, 1, 2, 3, 4, 5, 6, 7, 8}, zstdOf(t, warcinfo)),
	} {
		all[code] = file
	}
	for _, family := range []map[fault.Code]string{arcTriggers(), warcTriggers(ok), fieldTriggers(ok), httpTriggers(),
		codingTriggers(t), formatTriggers(), scanTriggers()} {
		for code, file := range family {
			all[code] = []byte(file)
		}
	}
	return all
}

func arcTriggers() map[fault.Code]string {
	return map[fault.Code]string{
		"ARC-DATE-FUTURE":           arcV1 + strings.Replace(arcGood, " 20", " 26", 1),
		"ARC-EMPTY":                 "some\nfiledesc://a.arc\n",
		"ARC-NO-VERSION-BLOCK":      arcGood,
		"ARC-ANOTHER-VERSION-BLOCK": arcV1 + arcGood + arcV1,
		"ARC-VERSION":               arcOf("3 0 InternetArchive", "\n"),
		"ARC-DEFINITION":            strings.Replace(arcV1, " Content-type", " Content-Kind", 1) + arcGood,
		"ARC-VERSION-LENGTH":        strings.Replace(arcV1, "plain 76", "plain 0", 1) + arcGood,
		"ARC-NO-METADATA":           arcOf("1 1 InternetArchive", "\n"),
		"ARC-UNDUE-METADATA": arcOf("1 0 InternetArchive",
			"\n<?xml version=\"1.0\"?><arcmetadata xmlns=\"http://archive.org/arc/1.0/\"></arcmetadata>\n"),
		"ARC-METADATA-SYNTAX": arcOf("1 1 InternetArchive", "\n<arcmetadata><description>Tom\n"),
		"ARC-METADATA-DOCTYPE": arcOf("1 1 InternetArchive",
			"\n<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a \"b\">]><arcmetadata>&a;</arcmetadata>\n"),
		"ARC-METADATA-SIZE": arcOf("1 1 InternetArchive",
			"\n<arcmetadata>"+strings.Repeat(" ", 5<<20)+"</arcmetadata>\n"),
		"ARC-FIELDS":       arcV2 + arcGood,
		"ARC-URL":          arcV1 + strings.Replace(arcGood, "a.org/", "a.org/a b", 1),
		"ARC-IP":           arcV1 + strings.Replace(arcGood, "192.0.2.1", "unknown", 1),
		"ARC-DATE":         arcV1 + strings.Replace(arcGood, "20251101100001", "20251301100001", 1),
		"ARC-CONTENT-TYPE": arcV1 + strings.Replace(arcGood, "text/html", "text/html; charset=x", 1),
		"ARC-RESULT-CODE": arcV2 +
			"http://a.org/ 192.0.2.1 20251101100001 text/html -1 abc - 194 a.arc 5\nhello\n",
		"ARC-OFFSET": arcV2 +
			"http://a.org/ 192.0.2.1 20251101100001 text/html 200 - - 7 a.arc 5\nhello\n",
		"ARC-LINE-END":  arcV1 + arcLine + "5\r\nhello\n",
		"ARC-LENGTH":    arcV1 + arcLine + "2\nhello\n" + arcGood,
		"ARC-TRUNCATED": arcV1 + arcLine + "50\nhello",
		"ARC-NEWLINE":   arcV1 + arcLine + "5\nhello\n\n" + arcGood,
		"ARC-INFERRED":  arcV1 + arcGood + "garbage\n" + arcGood,
		"ARC-GARBAGE":   arcV1 + arcGood + "garbage\n" + arcGood,
	}
}

func warcTriggers(ok string) map[fault.Code]string {
	return map[fault.Code]string{
		"WARC-EMPTY":   "WARC/1.0\r\nA: " + strings.Repeat("x", 2<<20),
		"WARC-VERSION": warcinfo + strings.Replace(ok, "WARC/1.0", "WARC/2.0", 1),
		"WARC-HEADER-SYNTAX": warcinfo +
			strings.Replace(ok, "WARC-Target-URI:", "no colon\r\nWARC-Target-URI:", 1),
		"WARC-HEADER-LF":          warcinfo + strings.Replace(ok, "WARC/1.0\r\n", "WARC/1.0\n", 1),
		"WARC-HEADER-TRUNCATED":   warcinfo + ok[:60],
		"WARC-HEADER-SIZE":        warcinfo + strings.Replace(ok, asHTTP, "X: "+strings.Repeat("x", 2<<20), 1),
		"WARC-LENGTH":             warcinfo + strings.Replace(ok, "Content-Length: ", "Content-Length: 0x", 1),
		"WARC-TRUNCATED":          warcinfo + ok[:len(ok)-6],
		"WARC-SEPARATOR":          warcinfo + ok[:len(ok)-2],
		"WARC-INFERRED":           "junk\r\n" + warcinfo + ok,
		"WARC-GARBAGE":            "junk\r\n" + warcinfo + ok,
		"WARC-NO-WARCINFO":        ok,
		"WARC-TYPE":               warcinfo + record("screenshot", "x"),
		"WARC-WARCINFO-AMBIGUOUS": warcinfo + warcinfo + ok,
		"WARC-FILENAME":           record("warcinfo", "a: b\r\n", "WARC-Filename: other.warc"),
		"DIGEST-PAYLOAD-BLOCK": warcinfo +
			response("HTTP/1.1 200 OK\r\n\r\nx", "WARC-Block-Digest: "+base32SHA1("HTTP/1.1 200 OK\r\n\r\nx"),
				"WARC-Payload-Digest: "+base32SHA1("HTTP/1.1 200 OK\r\n\r\nx")),
		"ARC-DATE-FORM": arcV1 + strings.Replace(arcGood, "20251101100001", "202511011000", 1),
		"WARC-DIGEST-BLOCK-REVISIT": warcinfo +
			record("revisit", "HTTP/1.1 304 Not Modified\r\n\r\n", target, asHTTP, identical, refers,
				"WARC-Payload-Digest: "+base32SHA1("x"), "WARC-Block-Digest: "+base32SHA1("")),
		"WARC-DIGEST-BLOCK": warcinfo + response("x", "WARC-Block-Digest: sha1:"+strings.Repeat("A", 32)),
		"WARC-DIGEST-PAYLOAD": warcinfo +
			response("HTTP/1.1 200 OK\r\n\r\nx", "WARC-Payload-Digest: sha1:"+strings.Repeat("A", 32)),
		"DIGEST-LABEL": warcinfo +
			response("x", "WARC-Block-Digest: "+strings.TrimPrefix(base32SHA1("x"), "sha1:")),
		"DIGEST-FORM":      warcinfo + response("x", "WARC-Block-Digest: sha1:none"),
		"DIGEST-ALGORITHM": warcinfo + response("x", "WARC-Block-Digest: tiger:abc"),
		"DIGEST-PAYLOAD-FRAMED": warcinfo +
			response("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
				"WARC-Payload-Digest: "+base32SHA1("5\r\nhello\r\n0\r\n\r\n")),
		"REF-ID-TWICE":      warcinfo + ok + ok,
		"REF-CONCURRENT-TO": warcinfo + response("HTTP/1.1 200 OK\r\n\r\n", "WARC-Concurrent-To: <urn:uuid:nowhere>"),
		"REF-REFERS-TO":     warcinfo + record("metadata", "x", "WARC-Refers-To: <urn:uuid:nowhere>"),
		"REF-REFERS-TO-TARGET": warcinfo + record("revisit", "", target, identical,
			"WARC-Refers-To-Target-URI: http://example.org/", "WARC-Refers-To-Date: 2023-01-02T03:04:05Z"),
		"REF-WARCINFO-ID": warcinfo + record("metadata", "x", "WARC-Warcinfo-ID: <urn:uuid:nowhere>"),
		"REF-SEGMENT-MISSING": warcinfo + record("response", "one", target, asHTTP, "WARC-Segment-Number: 1") +
			segmentOf(3, "three", "WARC-Segment-Total-Length: 11"),
		"REF-SEGMENT-TWICE": warcinfo + record("response", "one", target, asHTTP, "WARC-Segment-Number: 1") +
			segmentOf(2, "two", "WARC-Segment-Total-Length: 6") + segmentOf(2, "two", "WARC-Segment-Total-Length: 6"),
		"REF-SEGMENT-LENGTH": warcinfo + record("response", "one", target, asHTTP, "WARC-Segment-Number: 1") +
			segmentOf(2, "two", "WARC-Segment-Total-Length: 7"),
	}
}

// segmentOf returns a later segment of the record of response.
func segmentOf(n int, block string, fields ...string) string {
	fields = append(fields, target, fmt.Sprintf("WARC-Segment-Number: %d", n),
		"WARC-Segment-Origin-ID: <urn:uuid:response>")
	return record("continuation", block, fields...)
}

func fieldTriggers(ok string) map[fault.Code]string {
	with := func(field string) string { return warcinfo + response("HTTP/1.1 200 OK\r\n\r\n", field) }
	targeted := func(uri string) string { return warcinfo + strings.Replace(ok, target, "WARC-Target-URI: "+uri, 1) }
	return map[fault.Code]string{
		"WARC-HEADER-UTF8":           targeted("http://x/caf\xe9"),
		"WARC-HEADER-CONTROL":        targeted("http://x/\x00"),
		"WARC-FIELD-MISSING":         warcinfo + record("resource", "x"),
		"WARC-FIELD-FORBIDDEN":       record("warcinfo", "a: b\r\n", target),
		"WARC-FIELD-REPEATED":        with(target),
		"WARC-FIELD-CONFLICT":        with("WARC-Target-URI: http://other/"),
		"WARC-FIELD-EMPTY":           with("WARC-IP-Address:"),
		"WARC-CONTENT-TYPE-MISSING":  warcinfo + record("response", "x", target),
		"WARC-FIELDS-BLOCK":          record("warcinfo", "a: b\r\ncrawled for the museum\r\n"),
		"WARC-CONTENT-TYPE-WARCINFO": record("warcinfo", "a: b\r\n", "Content-Type: text/plain"),
		"WARC-PAYLOAD-UNDEFINED":     record("warcinfo", "a: b\r\n", "WARC-Payload-Digest: "+base32SHA1("a: b\r\n")),
		"WARC-REVISIT-DIGEST":        warcinfo + record("revisit", "", target, identical, refers),
		"WARC-REVISIT-REFERENCE":     warcinfo + record("revisit", "", target, identical),
		"WARC-DATE":                  warcinfo + strings.Replace(ok, "2024-01-02T03:04:05Z", "20240102030405", 1),
		"WARC-DATE-FUTURE":           warcinfo + strings.Replace(ok, "2024-", "2605-", 1),
		"WARC-DATE-FORM":             warcinfo + strings.Replace(ok, "05Z", "05.123Z", 1),
		"WARC-RECORD-ID":             warcinfo + strings.Replace(ok, "<urn:uuid:response>", "4f2c", 1),
		"WARC-REFERENCE-FORM":        with("WARC-Concurrent-To: urn:uuid:warcinfo"),
		"WARC-TARGET-URI":            targeted("/index.html"),
		"WARC-CONTENT-TYPE":          warcinfo + record("resource", "x", target, "Content-Type: html"),
		"WARC-IP-ADDRESS":            with("WARC-IP-Address: localhost"),
		"WARC-TRUNCATED-REASON":      with("WARC-Truncated: crash"),
		"WARC-PROFILE": warcinfo +
			record("revisit", "", target, "WARC-Profile: http://example.org/revisit"),
		"WARC-PROFILE-VERSION": warcinfo +
			strings.Replace(record("revisit", "", target, identical), "WARC/1.0", "WARC/1.1", 1),
		"WARC-SEGMENT-NUMBER": warcinfo + segmentOf(1, "x"),
		"WARC-SEGMENT-TOTAL":  warcinfo + segmentOf(2, "x", "WARC-Segment-Total-Length: many"),
	}
}

func httpTriggers() map[fault.Code]string {
	all := map[fault.Code]string{}
	for code, message := range map[fault.Code]string{
		"HTTP-NO-START-LINE":      "<html>",
		"HTTP-LEADING-BLANK":      "\r\nHTTP/1.1 200 OK\r\n\r\n",
		"HTTP-START-LINE":         "HTTP/1.1  200 OK\r\n\r\n",
		"HTTP-VERSION":            "HTTP/2 200 OK\r\n\r\n",
		"HTTP-STATUS-CODE":        "HTTP/1.1 OK\r\n\r\n",
		"HTTP-NO-REASON":          "HTTP/1.1 200\r\n\r\n",
		"HTTP-LINE-END":           "HTTP/1.1 200 OK\n\n",
		"HTTP-HEAD-UNTERMINATED":  "HTTP/1.1 200 OK\r\nServer: x\r\n",
		"HTTP-HEAD-TOO-LARGE":     "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 2<<20) + "\r\n\r\n",
		"HTTP-TOO-MANY-FIELDS":    "HTTP/1.1 200 OK\r\n" + strings.Repeat("X: y\r\n", 20_000) + "\r\n",
		"HTTP-NO-COLON":           "HTTP/1.1 200 OK\r\nproud\r\n\r\n",
		"HTTP-FIELD-NAME":         "HTTP/1.1 200 OK\r\nX By: x\r\n\r\n",
		"HTTP-SPACE-BEFORE-COLON": "HTTP/1.1 200 OK\r\nServer : x\r\n\r\n",
		"HTTP-FIELD-VALUE":        "HTTP/1.1 200 OK\r\nServer: x\x00\r\n\r\n",
		"HTTP-ENCODING":           "HTTP/1.1 200 OK\r\nServer: caf\xe9\r\n\r\n",
		"HTTP-FIELD-CONFLICT": "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Type: text/plain\r\n" +
			"\r\n",
		"HTTP-BODY-UNEXPECTED":         "HTTP/1.1 304 Not Modified\r\n\r\n<html>",
		"HTTP-INTERIM":                 "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n<html>",
		"HTTP-TRANSFER-CODING":         "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
		"HTTP-OBS-FOLD":                "HTTP/1.1 200 OK\r\nServer: x\r\n y\r\n\r\n",
		"HTTP-CONTENT-LENGTH":          "HTTP/1.1 200 OK\r\nContent-Length: 1,x\r\n\r\nhello",
		"HTTP-CONTENT-LENGTH-CONFLICT": "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
		"HTTP-LENGTH-AND-CODING": "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" +
			"0\r\n\r\n",
		"HTTP-BODY-SHORT":      "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello",
		"HTTP-BODY-LONG":       "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhello",
		"HTTP-NOT-CHUNKED":     "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n<html>",
		"HTTP-CHUNK-SYNTAX":    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n",
		"HTTP-CHUNK-TRUNCATED": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
		"HTTP-CHUNK-LINE-END":  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\nhello\n0\n\n",
		"HTTP-AFTER-BODY": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n" +
			"more",
	} {
		all[code] = warcinfo + response(message)
	}
	return all
}

func codingTriggers(t *testing.T) map[fault.Code]string {
	t.Helper()
	page := strings.Repeat("<p>Ships lie in the harbour.</p>\n", 100)
	gz := string(zip(t, page))
	all := map[fault.Code]string{
		"DIGEST-PAYLOAD-DECODED": warcinfo +
			response("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"+gz, "WARC-Payload-Digest: "+base32SHA1(page)),
	}
	for code, message := range map[fault.Code]string{
		"HTTP-CODING-UNKNOWN":   "utf-8\r\n\r\nhello",
		"HTTP-NOT-CODED":        "gzip\r\n\r\n" + page,
		"HTTP-CODING-SYNTAX":    "gzip\r\n\r\n" + string(edited([]byte(gz), -8)),
		"HTTP-CODING-TRUNCATED": "gzip\r\n\r\n" + gz[:len(gz)/2],
		"HTTP-AFTER-CODING":     "gzip\r\n\r\n" + gz + "more",
		"HTTP-CODING-BOMB":      "gzip\r\n\r\n" + string(zip(t, strings.Repeat("\x00", 65<<20))),
	} {
		all[code] = warcinfo + response("HTTP/1.1 200 OK\r\nContent-Encoding: "+message)
	}
	return all
}

// png is the part of a picture that identifies its format.
const png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15" +
	"\xc4\x89\x00\x00\x00\x00IEND\xaeB`\x82"

func formatTriggers() map[fault.Code]string {
	return map[fault.Code]string{
		"HTTP-CONTENT-TYPE":            warcinfo + response("HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\n\r\n"+png),
		"WARC-CONTENT-TYPE-IDENTIFIED": warcinfo + record("resource", png, target, "Content-Type: image/jpeg"),
		"WARC-IDENTIFIED-TYPE": warcinfo +
			response("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n"+png,
				"WARC-Identified-Payload-Type: image/jpeg"),
	}
}

// identifier returns an identifier with siegfried's default signatures.
func identifier(t testing.TB) *identify.Identifier {
	t.Helper()
	id, err := identify.New(identify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// A file made for each code of the catalogue triggers the code.
func TestEveryCodeCanBeTriggered(t *testing.T) {
	prove.Serial(t)
	files := triggers(t)
	by := scannerOf(t, clamdtest.Options{}, false)
	for _, e := range Catalogue.All() {
		if e.Code == string(FaultIDElsewhere) || e.Code == string(FaultSetFull) {
			continue // these need several files, or millions of records: TestSet
		}
		file, ok := files[fault.Code(e.Code)]
		if !ok {
			t.Errorf("no file triggers %s", e.Code)
			continue
		}
		set := NewSet()
		c := inspectBytes(t, file, Options{Set: set, Name: "a.warc", Identify: identifier(t), Scan: by})
		for _, f := range append(c.Findings, set.Finish()...) {
			if f.Code == e.Code && f.Severity == e.Severity {
				ok = false
			}
		}
		if ok {
			t.Errorf("%s is not found, but %v", e.Code, c.Findings)
		}
	}
	for code := range files {
		if _, ok := Catalogue.Explain(string(code)); !ok {
			t.Errorf("%s is triggered and is in no catalogue", code)
		}
	}
}

func TestSet(t *testing.T) {
	one := warcinfo + record("response", "one", target, asHTTP, "WARC-Segment-Number: 1",
		"WARC-Concurrent-To: <urn:uuid:request>")
	two := strings.Replace(warcinfo, "urn:uuid:warcinfo", "urn:uuid:second", 1) +
		segmentOf(2, "two", "WARC-Segment-Total-Length: 6") +
		record("request", "GET / HTTP/1.1\r\n\r\n", target, "Content-Type: application/http;msgtype=request")
	for _, c := range []struct {
		name  string
		files []string
		most  int
		want  string
	}{
		{"both halves of a crawl", []string{one, two}, maxSet, ""},
		{"the order does not matter", []string{two, one}, maxSet, ""},
		{"half of it", []string{one}, maxSet, "REF-CONCURRENT-TO REF-SEGMENT-MISSING"},
		{"the same twice", []string{warcinfo, warcinfo}, maxSet, "REF-ID-ELSEWHERE"},
		{"more than is kept", []string{one, two}, 2, "REF-SET-FULL"},
	} {
		set := NewSet()
		set.most = c.most
		for i, file := range c.files {
			inspectBytes(t, []byte(file), Options{Set: set, Name: fmt.Sprint(i)})
		}
		if got := codes(&model.Container{Findings: set.Finish()}); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
