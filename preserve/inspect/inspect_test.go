package inspect

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"quire/model"
)

// record returns a WARC record; fields are whole header lines.
func record(kind, block string, fields ...string) string {
	if !strings.Contains(strings.Join(fields, "\n"), "Content-Type:") && kind != "response" && block != "" {
		fields = append(fields, map[bool]string{true: "Content-Type: application/warc-fields",
			false: "Content-Type: text/plain"}[kind == "warcinfo"])
	}
	head := "WARC/1.0\r\nWARC-Type: " + kind + "\r\nWARC-Record-ID: <urn:uuid:" + kind + ">\r\n"
	for _, f := range append([]string{"WARC-Date: 2024-01-02T03:04:05Z"}, fields...) {
		head += f + "\r\n"
	}
	return head + fmt.Sprintf("Content-Length: %d\r\n\r\n%s\r\n\r\n", len(block), block)
}

const (
	target = "WARC-Target-URI: http://Example.org:80/page?q=1"
	asHTTP = "Content-Type: application/http;msgtype=response"

	identical = "WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest"
	refers    = "WARC-Refers-To: <urn:uuid:response>"
)

var warcinfo = record("warcinfo", "software: Test/1.0\r\nisPartOf: boats\r\n", "Content-Type: application/warc-fields")

func response(block string, fields ...string) string {
	return record("response", block, append([]string{target, asHTTP}, fields...)...)
}

func inspectBytes(t testing.TB, file []byte, o Options) *model.Container {
	t.Helper()
	c, err := Reader(context.Background(), bytes.NewReader(file), o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func codes(c *model.Container) string {
	var list []string
	for _, f := range c.Findings {
		list = append(list, f.Code)
	}
	return strings.Join(list, " ")
}

func zip(t testing.TB, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, p := range parts {
		w := gzip.NewWriter(&b)
		if _, err := w.Write([]byte(p)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func TestDigests(t *testing.T) {
	const plain = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>hello"
	const body = "<p>hello"
	const framed = "8\r\n<p>hello\r\n0\r\n\r\n"
	const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + framed
	b32 := func(s string) string {
		sum := sha1.Sum([]byte(s))
		return base32.StdEncoding.EncodeToString(sum[:])
	}
	h1, h256, h512, m5 := sha1.Sum([]byte(plain)), sha256.Sum256([]byte(plain)), sha512.Sum512([]byte(plain)),
		md5.Sum([]byte(plain))
	block, payload := "WARC-Block-Digest: ", "WARC-Payload-Digest: "
	for _, c := range []struct {
		name, file, want string
	}{
		{"sha1 base32", response(plain, block+"sha1:"+b32(plain), payload+"sha1:"+b32(body)), ""},
		{"sha1 hex", response(plain, block+"sha1:"+hex.EncodeToString(h1[:])), ""},
		{"sha256", response(plain, block+"sha256:"+hex.EncodeToString(h256[:])), ""},
		{"sha512", response(plain, block+"sha512:"+hex.EncodeToString(h512[:])), ""},
		{"sha512 base32", response(plain, block+"SHA-512:"+base32.StdEncoding.EncodeToString(h512[:])), ""},
		{"md5", response(plain, block+"md5:"+hex.EncodeToString(m5[:])), ""},
		{"no label", response(plain, block+b32(plain)), "DIGEST-LABEL"},
		{"no label, and wrong", response(plain, payload+b32("x")), "DIGEST-LABEL WARC-DIGEST-PAYLOAD"},
		{"wrong block", response(plain, block+"sha1:"+b32("x")), "WARC-DIGEST-BLOCK"},
		{"wrong payload", response(plain, payload+"sha1:"+b32("x")), "WARC-DIGEST-PAYLOAD"},
		{"a block digest with a letter that none has", response(plain, block+"sha1:1"+b32("x")[1:]),
			"WARC-DIGEST-BLOCK"},
		{"a payload digest with a letter that none has", response(plain, payload+"sha1:1"+b32("x")[1:]),
			"WARC-DIGEST-PAYLOAD"},
		{"unknown algorithm", response(plain, block+"tiger:abcd"), "DIGEST-ALGORITHM"},
		{"no digest at all", response(plain, block+"sha1:none"), "DIGEST-FORM"},
		{"chunked, digest of the content", response(chunked, payload+"sha1:"+b32(body)), ""},
		{"chunked, digest as sent", response(chunked, payload+"sha1:"+b32(framed)), "DIGEST-PAYLOAD-FRAMED"},
		{"chunked, digest of neither", response(chunked, payload+"sha1:"+b32("x")), "WARC-DIGEST-PAYLOAD"},
		{"said to be chunked and not", response(strings.Replace(chunked, framed, body, 1), payload+"sha1:"+b32(body)),
			"HTTP-NOT-CHUNKED"},
		{"a resource is its payload", record("resource", body, target, payload+"sha1:"+b32(body)), ""},
		{"a revisit has another's payload", record("revisit", "", target, identical, refers, payload+"sha1:"+b32(body)),
			""},
		{"a cut block is not digested", strings.TrimSuffix(response(plain, block+"sha1:"+b32(plain)), "lo\r\n\r\n"),
			"WARC-TRUNCATED"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := codes(inspectBytes(t, []byte(warcinfo+c.file), Options{})); got != c.want {
				t.Errorf("findings %q, want %q", got, c.want)
			}
		})
	}
}

func TestVerdicts(t *testing.T) {
	ok := response("HTTP/1.1 200 OK\r\n\r\nhello")
	arc := "filedesc://x.arc 0.0.0.0 20240102030405 text/plain 76\n1 0 InternetArchive\nURL IP-address Archive-date " +
		"Content-type Archive-length\n\nhttp://x/ 127.0.0.1 20240102030405 text/html 24\nHTTP/1.1 200 OK\r\n\r\nhello\n"
	for _, c := range []struct {
		name                      string
		file                      []byte
		outcome                   model.Outcome
		format, compression, want string
		records                   int64
	}{
		{"plain", []byte(warcinfo + ok), model.Valid, "WARC", "none", "", 2},
		{"one member a record", zip(t, warcinfo, ok), model.Valid, "WARC", "gzip", "", 2},
		{"one member for all", zip(t, warcinfo+ok), model.Valid, "WARC", "gzip-whole", "WARC-MEMBER-SHARED", 2},
		{"junk first", []byte("junk\r\n" + warcinfo + ok), model.Invalid, "WARC", "none",
			"WARC-GARBAGE WARC-INFERRED", 2},
		{"no warcinfo", []byte(ok), model.Valid, "WARC", "none", "WARC-NO-WARCINFO", 1},
		{"no type", []byte(warcinfo + strings.Replace(ok, "WARC-Type: response\r\n", "", 1)), model.Invalid, "WARC",
			"none", "WARC-FIELD-MISSING", 2},
		{"no URI", []byte(warcinfo + strings.Replace(ok, target+"\r\n", "", 1)), model.Invalid, "WARC", "none",
			"WARC-FIELD-MISSING", 2},
		{"no date", []byte(warcinfo + strings.Replace(ok, "2024-01-02T03:04:05Z", "yesterday", 1)), model.Invalid,
			"WARC", "none", "WARC-DATE", 2},
		{"unknown type", []byte(warcinfo + record("screenshot", "x")), model.Valid, "WARC", "none", "WARC-TYPE", 2},
		{"a member cut off behind its content", zip(t, warcinfo, ok)[:len(zip(t, warcinfo, ok))-9], model.Invalid,
			"WARC", "gzip", "GZIP-TRUNCATED", 2},
		{"a member cut off", zip(t, warcinfo, ok)[:len(zip(t, warcinfo, ok))-12], model.Invalid, "WARC", "gzip",
			"GZIP-TRUNCATED WARC-SEPARATOR", 2},
		{"ARC", []byte(arc), model.Valid, "ARC", "none", "", 2},
		{"ARC, compressed", zip(t, arc[:strings.Index(arc, "http://")], arc[strings.Index(arc, "http://"):]),
			model.Valid, "ARC", "gzip", "", 2},
		{"text", []byte("a text\nabout something\n"), model.NotContainer, "", "none", "", 0},
		{"compressed text", zip(t, "a text"), model.NotContainer, "", "gzip", "", 0},
		{"nothing", nil, model.NotContainer, "", "none", "", 0},
		{"half a gzip header", []byte{0x1f, 0x8b, 8}, model.NotContainer, "", "gzip", "GZIP-TRUNCATED", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := inspectBytes(t, c.file, Options{})
			if got.Outcome != c.outcome || got.Format != c.format || got.Compression != c.compression ||
				got.Records.Total != c.records {
				t.Errorf("%s %q %s, %d records; want %s %q %s, %d", got.Outcome, got.Format, got.Compression,
					got.Records.Total, c.outcome, c.format, c.compression, c.records)
			}
			if codes(got) != c.want {
				t.Errorf("findings %q, want %q", codes(got), c.want)
			}
			if sum := sha512.Sum512(c.file); got.SHA512 != hex.EncodeToString(sum[:]) ||
				got.Bytes != int64(len(c.file)) {
				t.Errorf("digest or size (%d) are not those of the file", got.Bytes)
			}
		})
	}
}

// counted returns names with their counts and payload bytes.
func counted(list []model.Count) string {
	var all []string
	for _, c := range list {
		all = append(all, fmt.Sprintf("{%s %d %d}", c.Name, c.Count, c.Bytes))
	}
	return fmt.Sprint(all)
}

func TestCounts(t *testing.T) {
	answer := func(status, mime, body string) string {
		return response("HTTP/1.1 " + status + "\r\nContent-Type: " + mime + "\r\n\r\n" + body)
	}
	file := warcinfo + answer("200 OK", "text/html; charset=utf-8", "1234") +
		answer("404 Not Found", "TEXT/HTML", "12") +
		record("request", "GET / HTTP/1.1\r\nUser-Agent: bot\r\n\r\n", target,
			"Content-Type: application/http; msgtype=request") +
		record("resource", "x", "WARC-Target-URI: dns:Example.org", "Content-Type: text/dns",
			"WARC-Date: 2023-01-01T00:00:00Z")
	c := inspectBytes(t, []byte(file), Options{})
	if got := fmt.Sprint(c.Records.ByType); got != "map[request:1 resource:1 response:2 warcinfo:1]" {
		t.Errorf("types %s", got)
	}
	if got := counted(c.Hosts); got != "[{example.org 3 7}]" {
		t.Errorf("hosts %s", got)
	}
	if got := counted(c.MIMETypes); got != "[{text/html 2 6} {text/dns 1 1}]" {
		t.Errorf("types %s", got)
	}
	if got := fmt.Sprint(c.Responses); got != "[{200  1 4} {404  1 2}]" {
		t.Errorf("answers %s", got)
	}
	if got := counted(c.Years); got != "[{2024 3 7}]" {
		t.Errorf("years %s", got)
	}
	if c.Software != "Test/1.0" || len(c.Info) != 2 || c.Info[1] != (model.Field{Name: "isPartOf", Value: "boats"}) {
		t.Errorf("software %q, info %v", c.Software, c.Info)
	}
	if c.First == nil || c.First.Year() != 2024 {
		t.Errorf("a repeated WARC-Date counts once: first is %v", c.First)
	}
}

// Crawlers' own records have names that look like URLs
// (metadata://gnu.org/software/wget/warc/wget.log), but nothing was fetched from that host.
func TestNamesOfCrawlersHaveNoHost(t *testing.T) {
	file := warcinfo + response("HTTP/1.1 200 OK\r\n\r\nx") +
		record("resource", "log", "WARC-Target-URI: metadata://gnu.org/software/wget/warc/wget.log",
			"Content-Type: text/plain") +
		record("metadata", "x", "WARC-Target-URI: Metadata://gnu.org/software/wget/warc/MANIFEST.txt",
			"Content-Type: text/plain")
	c := inspectBytes(t, []byte(file), Options{})
	if got := counted(c.Hosts); got != "[{example.org 1 1}]" {
		t.Errorf("hosts %s", got)
	}
	for _, k := range c.Types {
		if k.Type != "response" && k.DistinctHostsTotal > 0 {
			t.Errorf("%s: %v", k.Type, k.Hosts)
		}
	}
}

func TestFindingsAreCappedNotLost(t *testing.T) {
	file := warcinfo + strings.Repeat(record("odd", "x"), 10)
	told := 0
	c := inspectBytes(t, []byte(file), Options{MaxFindings: 3, Finding: func(model.Finding) { told++ }})
	if len(c.Findings) != 3 || c.FindingsTotal != 10 || c.FindingCounts["WARC-TYPE"] != 10 || told != 10 {
		t.Errorf("%d listed of %d, %d reported, counts %v", len(c.Findings), c.FindingsTotal, told, c.FindingCounts)
	}
}

// The copy must be complete and in order even if damage makes the reader go back.
func TestCopyIsExactWhenReadingGoesBack(t *testing.T) {
	good := zip(t, warcinfo, response("HTTP/1.1 200 OK\r\n\r\n"+strings.Repeat("hello ", 1000)),
		record("metadata", "x"))
	for _, damage := range []int{12, 200, 260, 300, len(good) - 30} {
		file := bytes.Clone(good)
		file[damage] ^= 0xff
		var copied bytes.Buffer
		c := inspectBytes(t, file, Options{CopyTo: &copied})
		if !bytes.Equal(copied.Bytes(), file) {
			t.Errorf("damage at %d: the copy has %d bytes, or others, of %d", damage, copied.Len(), len(file))
		}
		if c.Outcome != model.Invalid {
			t.Errorf("damage at %d is not noticed", damage)
		}
	}
}

func TestErrorsAreOfTheMachine(t *testing.T) {
	if _, err := File(context.Background(), filepath.Join(t.TempDir(), "absent"), Options{}); !errors.Is(err,
		os.ErrNotExist) {
		t.Errorf("an absent file returns %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Reader(ctx, strings.NewReader(warcinfo), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled pass returns %v", err)
	}
	full := errors.New("disk full")
	if _, err := Reader(context.Background(), strings.NewReader(warcinfo),
		Options{CopyTo: failing{full}}); !errors.Is(err, full) {
		t.Errorf("a failing copy returns %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestFind(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"a.warc": warcinfo, "b.warc.gz": "", "c.txt": "text", "deep/crawl.wat": warcinfo,
		"deep/filedesc.log": "not filedesc",
	} {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	found, err := Find([]string{dir, filepath.Join(dir, "c.txt")})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range found {
		names = append(names, strings.TrimPrefix(p, dir+"/"))
	}
	if got := strings.Join(names, " "); got != "a.warc b.warc.gz deep/crawl.wat c.txt" {
		t.Errorf("found %s", got)
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte(warcinfo + response("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
		"WARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ")))
	f.Add(zip(f, warcinfo, response("HTTP/1.1 200 OK\r\n\r\nhello")))
	f.Add([]byte("filedesc://x.arc 0.0.0.0 20240102030405 text/plain 77\n1 0 InternetArchive\nURL IP-address " +
		"Archive-date Content-type Archive-length\n\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		var copied bytes.Buffer
		set := NewSet()
		c := inspectBytes(t, file, Options{CopyTo: &copied, Set: set})
		if !bytes.Equal(copied.Bytes(), file) {
			t.Error("the copy is not the file")
		}
		set.Finish()
		var sum int64
		for _, n := range c.Records.ByType {
			sum += n
		}
		if sum != c.Records.Total {
			t.Errorf("%d records, by type %d", c.Records.Total, sum)
		}
	})
}

// Files beside a crawl's containers are not containers if they only quote records.
func TestWhatOnlyQuotesRecordsIsNoContainer(t *testing.T) {
	for name, test := range map[string]struct {
		file string
		want bool
	}{
		"a WARC under another name": {warcinfo, true},
		"behind empty lines":        {"\r\n\r\n" + warcinfo, true},
		"compressed":                {string(zip(t, warcinfo)), true},
		"an ARC under another name": {arcOf("1 0 Boat", ""), true},
		"a CDX of an ARC": {" CDX N b a m s k r M S V g\nfiledesc://a.arc 20110804181044 " +
			"filedesc://a.arc warc/filedesc - 3I42H3S6 - - 161 0 a.arc\n", false},
		"a CDX as ARC readers make it": {"dns:example.org 192.0.2.1 20040708140342 text/dns 60 a.arc 141472\n" +
			"http://example.org/ 192.0.2.1 20040708140342 text/html 60 a.arc 14\n", false},
		"a log that quotes a header": {"I read:\n" + warcinfo, false},
		"a ZIP that holds a WARC":    {"PK\x03\x04archive/data.warc" + warcinfo, false},
		"nothing":                    {"", false},
	} {
		path := filepath.Join(t.TempDir(), "file.bin")
		if err := os.WriteFile(path, []byte(test.file), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := IsContainer(path); err != nil || got != test.want {
			t.Errorf("%s: %t, %v, want %t", name, got, err, test.want)
		}
	}
}
