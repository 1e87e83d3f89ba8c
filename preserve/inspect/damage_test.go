package inspect

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"quire/format/warc"
	"quire/model"
)

// base32SHA1 returns the value of a digest field in the form of most crawlers.
func base32SHA1(s string) string {
	sum := sha1.Sum([]byte(s))
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}

// The kinds of damage and irregularities of containers, each with its expected codes (no others),
// the verdict and the number of the seven records that are still read. Other software misses many
// of them.
func TestDamageMatrix(t *testing.T) {
	const message = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nhello, world"
	const chunks = "c\r\nhello, world\r\n0\r\n\r\n"
	const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks
	const blockIs, payloadIs = "WARC-Block-Digest: ", "WARC-Payload-Digest: "
	digests := []string{blockIs + base32SHA1(message), payloadIs + base32SHA1("hello, world")}
	good := response(message, digests...)
	rest := []string{response(message), record("metadata", "a: b\r\n"), record("resource", "x", target),
		response(message), record("metadata", "c: d\r\n")}
	// file returns a container of seven records with an irregular second one.
	all := func(odd string) []string { return append([]string{warcinfo, odd}, rest...) }
	file := func(odd string) []byte { return zip(t, all(odd)...) }
	plain := func(odd string) []byte { return []byte(strings.Join(all(odd), "")) }
	first := len(zip(t, warcinfo))
	second := first + len(zip(t, good))
	flip := func(at int) []byte {
		b := file(good)
		b[at] ^= 0x10
		return b
	}
	without := func(line string) string { return strings.Replace(good, line+"\r\n", "", 1) }
	length := func(by int) string {
		was := fmt.Sprintf("Content-Length: %d", len(message))
		return strings.Replace(response(message), was, fmt.Sprintf("Content-Length: %d", len(message)+by), 1)
	}
	profile := "WARC-Profile: " + warc.ProfileIdenticalPayload10
	sum1, sum256, sum512, sum5 := sha1.Sum([]byte(message)), sha256.Sum256([]byte(message)),
		sha512.Sum512([]byte(message)), md5.Sum([]byte(message))
	whole := file(good)
	for _, c := range []struct {
		name    string
		file    []byte
		outcome model.Outcome
		records int64
		want    string
	}{
		{"clean", file(good), model.Valid, 7, ""},
		{"clean, plain", plain(good), model.Valid, 7, ""},
		{"CRC32 wrong", flip(second - 8), model.Invalid, 7, "GZIP-CRC32"},
		{"ISIZE wrong", flip(second - 1), model.Invalid, 7, "GZIP-ISIZE"},
		{"cut by 60 bytes", whole[:len(whole)-60], model.Invalid, 7, "GZIP-TRUNCATED *"},
		{"cut within the trailer", whole[:len(whole)-4], model.Invalid, 7, "GZIP-TRUNCATED"},
		{"cut to half a member", whole[:(first+second)/2], model.Invalid, 2, "GZIP-TRUNCATED *"},
		{"plain, cut in a block", plain(good)[:len(warcinfo)+len(good)-10], model.Invalid, 2, "WARC-TRUNCATED"},
		{"all in one member", zip(t, strings.Join(all(good), "")), model.Valid, 7, "WARC-MEMBER-SHARED"},
		{"two in one member", zip(t, append([]string{warcinfo, good + rest[0]}, rest[1:]...)...), model.Valid, 7,
			"WARC-MEMBER-SHARED"},
		{"magic of the first member overwritten", join([]byte("\x00\x00"), whole[2:]), model.Invalid, 7, "GZIP-HEADER"},
		{"first member overwritten", join(make([]byte, first-20), whole[first-20:]), model.Invalid, 6,
			"GZIP-GARBAGE WARC-INFERRED WARC-NO-WARCINFO"},
		{"junk before the first member", join([]byte("<!-- saved -->\n"), whole), model.Invalid, 7,
			"GZIP-GARBAGE WARC-INFERRED"},
		{"an empty member between", zip(t, append([]string{warcinfo, good, ""}, rest...)...), model.Valid, 7,
			"GZIP-EMPTY-MEMBER"},
		{"length 10 too long", file(length(10)), model.Invalid, 7, "WARC-TRUNCATED"},
		{"length 10 too long, plain", plain(length(10)), model.Invalid, 7, "WARC-TRUNCATED WARC-INFERRED"},
		{"length 10 too short", file(length(-10)), model.Invalid, 7, "WARC-SEPARATOR WARC-GARBAGE"},
		{"no CRLF CRLF", file(strings.TrimSuffix(good, "\r\n\r\n")), model.Valid, 7, "WARC-SEPARATOR"},
		{"no length", file(strings.Replace(good, fmt.Sprintf("Content-Length: %d\r\n", len(message)), "", 1)),
			model.Invalid, 7, "WARC-LENGTH"},
		{"digest of an unknown algorithm", file(response(message, blockIs+"tiger:abc")), model.Valid, 7,
			"DIGEST-ALGORITHM"},
		{"revisit with a wrong block digest",
			file(record("revisit", "HTTP/1.1 200 OK\r\n\r\n", target, asHTTP, profile, refers,
				"WARC-Payload-Digest: "+base32SHA1("x"), blockIs+base32SHA1("x"))), model.Valid, 7,
			"WARC-DIGEST-BLOCK-REVISIT"},
		{"revisit with the digest of nothing",
			file(record("revisit", "HTTP/1.1 200 OK\r\n\r\n", target, asHTTP, profile, refers,
				"WARC-Payload-Digest: "+base32SHA1("x"), blockIs+base32SHA1(""))), model.Valid, 7,
			"WARC-DIGEST-BLOCK-REVISIT"},
		{"response with the digest of nothing", file(response(message, blockIs+base32SHA1(""))), model.Invalid, 7,
			"WARC-DIGEST-BLOCK"},
		{"warcinfo with a wrong block digest", file(record("warcinfo", "a: b\r\n", blockIs+base32SHA1("x"))),
			model.Invalid, 7, "WARC-DIGEST-BLOCK WARC-WARCINFO-AMBIGUOUS"},
		{"no WARC-Record-ID", file(without("WARC-Record-ID: <urn:uuid:response>")), model.Invalid, 7,
			"WARC-FIELD-MISSING"},
		{"response without target", file(without(target)), model.Invalid, 7, "WARC-FIELD-MISSING"},
		{"revisit without profile", file(record("revisit", "HTTP/1.1 200 OK\r\n\r\n", target, asHTTP)), model.Invalid,
			7, "WARC-FIELD-MISSING"},
		{"sha1, hexadecimal", file(response(message, blockIs+"sha1:"+hex.EncodeToString(sum1[:]))), model.Valid, 7, ""},
		{"sha256, Base32", file(response(message, blockIs+"sha256:"+base32.StdEncoding.EncodeToString(sum256[:]))),
			model.Valid, 7, ""},
		{"sha512", file(response(message, blockIs+"sha512:"+hex.EncodeToString(sum512[:]))), model.Valid, 7, ""},
		{"md5", file(response(message, blockIs+"md5:"+hex.EncodeToString(sum5[:]))), model.Valid, 7, ""},
		{"chunked, digest of the content", file(response(chunked, payloadIs+base32SHA1("hello, world"))), model.Valid,
			7, ""},
		{"chunked, digest as sent", file(response(chunked, payloadIs+base32SHA1(chunks))), model.Valid, 7,
			"DIGEST-PAYLOAD-FRAMED"},
		{"target in angle brackets", file(strings.Replace(good, "http://Example.org:80/page?q=1",
			"<http://Example.org:80/page?q=1>", 1)), model.Valid, 7, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := inspectBytes(t, c.file, Options{})
			if got.Outcome != c.outcome || got.Records.Total != c.records {
				t.Errorf("%s with %d records, want %s with %d: %v", got.Outcome, got.Records.Total, c.outcome,
					c.records, got.Findings)
			}
			// The records that remain in half a member depend on the compression. A star at the end
			// of want means any further findings.
			prefix, open := strings.CutSuffix(c.want, " *")
			if found := codes(got); found != c.want && !(open && strings.HasPrefix(found, prefix)) {
				t.Errorf("findings %q, want %q: %v", found, c.want, got.Findings)
			}
		})
	}
}
