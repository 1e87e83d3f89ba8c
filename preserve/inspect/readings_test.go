package inspect

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"fmt"
	"io"
	"math/rand"
	"runtime"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"quire/internal/prove"
	"quire/model"
)

// written returns a writer's output for a text.
func written(t testing.TB, text string, into func(io.Writer) io.WriteCloser) string {
	t.Helper()
	var out bytes.Buffer
	w := into(&out)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// chunkedOf returns a body in chunks of at most 1000 bytes.
func chunkedOf(body string) string {
	out := ""
	for len(body) > 0 {
		n := min(len(body), 1000)
		out += fmt.Sprintf("%x\r\n%s\r\n", n, body[:n])
		body = body[n:]
	}
	return out + "0\r\n\r\n"
}

var ships = "<!DOCTYPE html>\n<title>Ships</title>\n" +
	strings.Repeat("<p>Ships lie in the harbour, and their masts are like a wood in winter.</p>\n", 20)

// codedBodies returns ships in each coding, by the value of Content-Encoding.
func codedBodies(t testing.TB) map[string]string {
	t.Helper()
	gz := string(zip(t, ships))
	return map[string]string{
		"gzip": gz, "x-gzip": gz, "GZIP": gz, "gzip, identity": gz, "gzip, gzip": string(zip(t, gz)),
		"zstd": string(zstdOf(t, ships)),
		"br":   written(t, ships, func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) }),
		"deflate": written(t, ships, func(w io.Writer) io.WriteCloser {
			return zlib.NewWriter(w)
		}),
		"deflate ;raw": written(t, ships, func(w io.Writer) io.WriteCloser {
			f, err := flate.NewWriter(w, 9)
			if err != nil {
				t.Fatal(err)
			}
			return f
		}),
	}
}

// Each reading of a payload digest is distinguished, for each coding, framed or not.
func TestReadingsOfAPayloadDigest(t *testing.T) {
	for coding, coded := range codedBodies(t) {
		for _, framing := range []bool{false, true} {
			sent, head := coded, "HTTP/1.1 200 OK\r\nContent-Encoding: "+coding+"\r\n"
			if framing {
				sent, head = chunkedOf(coded), head+"Transfer-Encoding: chunked\r\n"
			}
			asSent := ""
			if framing {
				asSent = "DIGEST-PAYLOAD-FRAMED"
			}
			for _, c := range []struct{ name, digested, want string }{
				{"as sent", sent, asSent},
				{"without framing", coded, ""},
				{"decoded", ships, "DIGEST-PAYLOAD-DECODED"},
				{"none of these", "x", "WARC-DIGEST-PAYLOAD"},
			} {
				file := warcinfo + response(head+"\r\n"+sent, "WARC-Payload-Digest: "+base32SHA1(c.digested))
				got := inspectBytes(t, []byte(file), Options{})
				if codes(got) != c.want {
					t.Errorf("%s, framed %t, the digest %s: findings %v, want %s", coding, framing, c.name,
						got.Findings, c.want)
				}
				if c.want == "WARC-DIGEST-PAYLOAD" {
					for _, reading := range []string{coded, ships, sent} {
						if !strings.Contains(got.Findings[0].Message, base32SHA1(reading)) {
							t.Errorf("%s: the message does not list all readings: %s", coding, got.Findings[0].Message)
						}
					}
				}
			}
		}
	}
}

// A transfer coding is not part of the entity: the standard means the body without it.
func TestTransferCodings(t *testing.T) {
	gz := string(zip(t, ships))
	for _, c := range []struct{ transfer, sent, digested, want string }{
		{"gzip, chunked", chunkedOf(gz), ships, "HTTP-TRANSFER-CODING"},
		{"gzip, chunked", chunkedOf(gz), gz, "HTTP-TRANSFER-CODING"},
		{"gzip, chunked", chunkedOf(gz), "x", "HTTP-TRANSFER-CODING WARC-DIGEST-PAYLOAD"},
		{"gzip", gz, ships, "HTTP-TRANSFER-CODING"},
	} {
		file := warcinfo + response("HTTP/1.1 200 OK\r\nTransfer-Encoding: "+c.transfer+"\r\n\r\n"+c.sent,
			"WARC-Payload-Digest: "+base32SHA1(c.digested))
		if got := inspectBytes(t, []byte(file), Options{}); codes(got) != c.want {
			t.Errorf("%s: findings %v, want %s", c.transfer, got.Findings, c.want)
		}
	}
}

// Findings on coding errors, and the cases without a finding.
func TestContentCodings(t *testing.T) {
	gz := string(zip(t, ships))
	const ok, coded = "HTTP/1.1 200 OK\r\n", "Content-Encoding: gzip\r\n"
	half := gz[:len(gz)/2]
	length := fmt.Sprintf("Content-Length: %d\r\n", len(gz))
	for _, c := range []struct{ name, file, want string }{
		{"good", response(ok + coded + length + "\r\n" + gz), ""},
		{"in a request", record("request", "POST / HTTP/1.1\r\n"+coded+"\r\n"+half, target,
			"Content-Type: application/http;msgtype=request"), "HTTP-CODING-TRUNCATED"},
		{"no body", response(ok + coded + "\r\n"), ""},
		{"half", response(ok + coded + "\r\n" + half), "HTTP-CODING-TRUNCATED"},
		{"half, as the length says", response(ok + coded + length + "\r\n" + half), "HTTP-BODY-SHORT"},
		{"half, as the framing says", response(ok + coded + "Transfer-Encoding: chunked\r\n\r\n" +
			strings.TrimSuffix(chunkedOf(half), "0\r\n\r\n")), "HTTP-CHUNK-TRUNCATED"},
		{"half, as the record says", response(ok+coded+"\r\n"+half, "WARC-Truncated: length"), ""},
		{"a range of the entity", response("HTTP/1.1 206 Partial Content\r\n" + coded + "\r\n" + half), ""},
		{"one segment", record("response", ok+coded+"\r\n"+half, target, asHTTP, "WARC-Segment-Number: 1"), ""},
		{"a revisit's head", record("revisit", ok+coded+length+"\r\n", target, identical, refers, asHTTP,
			"WARC-Payload-Digest: "+base32SHA1(gz)), ""},
		{"the container is cut", strings.TrimSuffix(response(ok+coded+"\r\n"+gz), gz[len(gz)-9:]+"\r\n\r\n"),
			"WARC-TRUNCATED"},
		{"decoded already", response(ok + coded + "\r\n" + ships), "HTTP-NOT-CODED"},
		{"decoded already, with the old length", response(ok + coded + length + "\r\n" + ships),
			"HTTP-BODY-LONG HTTP-NOT-CODED"},
		{"decoded and without framing", response(ok + coded + "Transfer-Encoding: chunked\r\n\r\n" + ships),
			"HTTP-NOT-CHUNKED HTTP-NOT-CODED"},
		{"decoded, its digest", response(ok+coded+"\r\n"+ships, "WARC-Payload-Digest: "+base32SHA1(ships)),
			"HTTP-NOT-CODED"},
		{"truncated, the digest of the decoded body",
			response(ok+coded+"\r\n"+gz, "WARC-Truncated: length", "WARC-Payload-Digest: "+base32SHA1(ships)), ""},
		{"truncated, the digest of the chunked body",
			response(ok+"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "WARC-Truncated: length",
				"WARC-Payload-Digest: "+base32SHA1("hello")), ""},
	} {
		if got := inspectBytes(t, []byte(warcinfo+c.file), Options{}); codes(got) != c.want {
			t.Errorf("%s: findings %v, want %q", c.name, got.Findings, c.want)
		}
	}
	arc := arcV1 + arcLine
	block := ok + coded + "\r\n" + ships
	if got := inspectBytes(t, []byte(arc+fmt.Sprintf("%d\n%s\n", len(block), block)),
		Options{}); codes(got) != "HTTP-NOT-CODED" {
		t.Errorf("in an ARC: findings %v", got.Findings)
	}
}

// A file of many bombs, each below its own limit, costs little more than one: 400 of them would
// inflate to 12 GB.
func TestManyBombs(t *testing.T) {
	prove.Gigabytes(t)
	bomb := response("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" +
		string(zip(t, strings.Repeat("\x00", 30<<20))))
	members := zip(t, bomb)
	file := append(zip(t, warcinfo), bytes.Repeat(members, 400)...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := inspectBytes(t, file, Options{})
	runtime.ReadMemStats(&after)
	if got.Records.Total != 401 || got.FindingCounts["HTTP-CODING-BOMB"] == 0 || got.Outcome != model.Valid {
		t.Errorf("%d records, %v", got.Records.Total, got.FindingCounts)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 32<<20 {
		t.Errorf("it took %d bytes of memory", taken)
	}
}

// In a file with one member, record positions do not show how much of the file was read. Its pages
// are still decoded.
func TestPagesOfAWholeFile(t *testing.T) {
	random := make([]byte, 1<<20)
	rand.New(rand.NewSource(1)).Read(random) //nolint:gosec // the same bytes every time
	page := response("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" +
		string(zip(t, strings.Repeat(ships, 10)+string(random))))
	file := zip(t, warcinfo+strings.Repeat(page, 60))
	if got := inspectBytes(t, file, Options{}); codes(got) != "WARC-MEMBER-SHARED" || got.Records.Total != 61 {
		t.Errorf("%d records, findings %v", got.Records.Total, got.FindingCounts)
	}
}
