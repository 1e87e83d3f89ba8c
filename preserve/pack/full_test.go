package pack

import (
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"quire/internal/testsamples"
	"quire/preserve/aip"
)

// zipped returns each part as a gzip member.
func zipped(t testing.TB, parts ...string) string {
	t.Helper()
	var out bytes.Buffer
	for _, p := range parts {
		w := gzip.NewWriter(&out)
		if _, err := w.Write([]byte(p)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

func framed(t testing.TB, parts ...string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	out := []byte{}
	for _, p := range parts {
		out = w.EncodeAll([]byte(p), out)
	}
	return string(out)
}

func chunked(body string) string {
	return fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(body), body)
}

const html = "<!DOCTYPE html><html><head><title>Boats</title></head><body><p>Boats lie in the harbour.</p></body>" +
	"</html>"

// manyRecords returns records of every kind, each with a unique id. Their names state the expected
// METS elements: r alone, b, or s too.
func manyRecords(t testing.TB) (names, texts []string) {
	t.Helper()
	add := func(name, kind, block string, fields ...string) {
		n := len(names) + 1
		r := strings.Replace(record(kind, block,
			append(fields, fmt.Sprintf("WARC-Target-URI: http://x.example/%d?a=1&b=<", n))...), "<urn:x:"+kind+">",
			fmt.Sprintf("<urn:x:%d>", n), 1)
		names, texts = append(names, name), append(texts, r)
	}
	const http, ok = "Content-Type: application/http;msgtype=response", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
	add("b", "warcinfo", "software: Boat/2.0\r\n", "Content-Type: application/warc-fields")
	add("r", "request", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "Content-Type: application/http;msgtype=request")
	add("b", "request", "POST / HTTP/1.1\r\nHost: x\r\n\r\na=1", "Content-Type: application/http;msgtype=request")
	add("b page", "response", ok+"\r\n"+html, http)
	add("s page", "response", ok+"Transfer-Encoding: chunked\r\n\r\n"+chunked(html), http)
	add("s page", "response", ok+"Content-Encoding: gzip\r\n\r\n"+zipped(t, html), http)
	add("s page", "response", ok+"Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n"+
		chunked(zipped(t, html)), http)
	add("s page", "response", ok+"Content-Encoding: zstd\r\n\r\n"+framed(t, html), http)
	// not in its declared coding
	add("b page", "response", ok+"Content-Encoding: gzip\r\n\r\n"+html, http)
	add("b page", "response", ok+"Content-Encoding: gzip\r\n\r\n"+zipped(t, html)[:60], http)    // incomplete
	add("b object", "response", "HTTP/1.1 404 No\r\nContent-Type: text/html\r\n\r\n"+html, http) // not a page
	// hostile or not
	add("b object", "response", "HTTP/1.1 200 OK\r\nContent-Type: image/gif\r\n\r\nGIF89a"+"\x00", http)
	add("b page", "response", ok+"\r\n"+html[:50], http, "WARC-Truncated: length")
	add("r", "response", "HTTP/1.1 204 None\r\n\r\n", http)
	add("r", "revisit", ok+"\r\n", http,
		"WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest", "WARC-Refers-To: <urn:x:4>")
	add("b page", "resource", html, "Content-Type: text/html")
	add("b object", "resource", "a,b\n", "Content-Type: text/csv")
	add("b object", "conversion", "PNG", "Content-Type: image/png", "WARC-Refers-To: <urn:x:12>")
	add("b object", "conversion", "PNG", "Content-Type: image/png", "WARC-Refers-To: <urn:x:nowhere>")
	add("b", "metadata", "via: x\r\n", "Content-Type: application/warc-fields", "WARC-Refers-To: <urn:x:4>")
	add("b page", "response", ok+"\r\n"+html[:20], http, "WARC-Segment-Number: 1")
	add("b", "continuation", html[20:], "WARC-Segment-Number: 2", "WARC-Segment-Origin-ID: <urn:x:21>",
		fmt.Sprintf("WARC-Segment-Total-Length: %d", len(html)+50))
	add("b", "odd-type", "x")
	return names, texts
}

// Every record and bytestream can be read with the METS alone, in any form of container, and is
// described once.
func TestFullHasEveryBytestream(t *testing.T) {
	names, texts := manyRecords(t)
	whole := strings.Join(texts, "")
	for _, c := range []struct {
		name, file, content string
		members             bool
		outer               bool // the container has a transformFile
	}{
		{"plain", "a.warc", whole, false, false},
		{"a member each", "a.warc.gz", zipped(t, texts...), true, false},
		{"all in one member", "a.warc.gz", zipped(t, whole), false, true},
		{"two in a member", "a.warc.gz", zipped(t, append([]string{texts[0] + texts[1]}, texts[2:]...)...), false,
			true},
		{"a record over two members", "a.warc.gz",
			zipped(t, append([]string{texts[0], texts[1][:20], texts[1][20:]}, texts[2:]...)...), true, false},
		{"frames", "a.warc.zst", framed(t, texts...), true, false},
		{"one frame", "a.warc.zst", framed(t, whole), false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := options(t)
			o.Profile, o.ID = Full, "x"
			mustPack(t, o, crawlOf(t, map[string]string{c.file: c.content}))
			all := fetchAll(t, o.Out)
			if got := len(all["FILE-c1"].Transforms) > 0; got != c.outer {
				t.Errorf("the container has a transformFile: %v", got)
			}
			for i, name := range names {
				checkRecord(t, all, i+1, name, texts[i], c.members)
			}
			document := read(t, o.Out, "mets.xml")
			if pages, objects := strings.Count(document, `TYPE="web page"`),
				strings.Count(document, `TYPE="associated object"`); pages != 11 || objects != 5 {
				t.Errorf("%d pages, %d associated objects", pages, objects)
			}
			linked(t, readBack(t, o.Out))
			check(t, o.Out, aip.Options{})
			t.Run("schemas", func(t *testing.T) {
				check(t, o.Out, aip.Options{Schemas: testsamples.Path(t, "schemas")})
			})
		})
	}
}

// checkRecord checks the METS elements of one record.
func checkRecord(t *testing.T, all map[string]fetched, order int, name, text string, members bool) {
	t.Helper()
	id := func(kind string) string { return fmt.Sprintf("FILE-c1-%s%d", kind, order) }
	has := func(kind string) bool { _, ok := all[id(kind)]; return ok }
	if r := all[id("r")]; string(r.bytes) != text || r.OwnerID != fmt.Sprintf("urn:x:%d", order) {
		t.Errorf("record %d is %q of %s", order, r.bytes, r.OwnerID)
	}
	if has("m") != members || has("b") == (name == "r") || has("s") != strings.HasPrefix(name, "s") {
		t.Errorf("record %d: a member %v, a body %v, as served %v", order, has("m"), has("b"), has("s"))
	}
	if s := all[id("s")]; has("s") && string(s.bytes) != html {
		t.Errorf("record %d is served as %q", order, s.bytes)
	}
	_, body, _ := strings.Cut(text, "\r\n\r\n")
	if strings.Contains(text, "application/http") {
		_, body, _ = strings.Cut(body, "\r\n\r\n")
	}
	if b := all[id("b")]; has("b") && string(b.bytes)+"\r\n\r\n" != body {
		t.Errorf("body of record %d is %q", order, b.bytes)
	}
}

// Incomplete content, or content after bytes that cannot be inflated, is not listed, and the METS
// states how much that is.
func TestFullOfDamagedContainers(t *testing.T) {
	_, texts := manyRecords(t)
	edited := func(s string, at int) string { return s[:at] + string(s[at]^0x55) + s[at+1:] }
	bad := zipped(t, texts[3])
	for _, c := range []struct {
		name, file, content string
		want                string // records listed
		note                string
	}{
		{"cut at its end", "a.warc", texts[0] + texts[1] + texts[3][:len(texts[3])-40], "1 2",
			"not described: 1 record that break off"},
		{"a sum is wrong", "a.warc.gz", zipped(t, texts[0]) + edited(bad, len(bad)-6) + zipped(t, texts[4]), "1 3",
			"not described: 1 record in, or behind,"},
		{"a reserved flag is set", "a.warc.gz", zipped(t, texts[0]) + bad[:3] + "\x20" + bad[4:] + zipped(t, texts[4]),
			"1 3", "not described: 1 record in, or behind,"},
		{"a size is wrong", "a.warc.gz", zipped(t, texts[0]) + edited(bad, len(bad)-1) + zipped(t, texts[4]), "1 3",
			"not described: 1 record in, or behind,"},
		{"a member cannot be inflated", "a.warc.gz",
			zipped(t, texts[0]) + edited(bad, len(bad)/2) + zipped(t, texts[4]), "1 3", "not described: 1 record"},
		{"shared members, one of them bad", "a.warc.gz",
			zipped(t, texts[0]+texts[1]) + edited(bad, len(bad)-6) + zipped(t, texts[4]), "1 2",
			"not described: 2 records in, or behind,"},
		{"a Content-Length too large", "a.warc",
			texts[0] + strings.Replace(texts[3], "Content-Length: ", "Content-Length: 1", 1) + texts[4] + texts[5],
			"1 3 4", "not described: 1 record that break off"},
		{"garbage between", "a.warc", texts[0] + "garbage" + texts[3], "1 2", ""},
	} {
		o := options(t)
		o.Profile = Full
		mustPack(t, o, crawlOf(t, map[string]string{c.file: c.content}))
		var got []string
		for _, id := range slices.Sorted(maps.Keys(fetchAll(t, o.Out))) {
			if order, ok := strings.CutPrefix(id, "FILE-c1-r"); ok {
				got = append(got, order)
			}
		}
		document := read(t, o.Out, "mets.xml")
		if strings.Join(got, " ") != c.want || !strings.Contains(document, c.note) ||
			(c.note == "") == strings.Contains(document, "not described:") {
			t.Errorf("%s: records %v, want %s; the note is there: %v", c.name, got, c.want,
				strings.Contains(document, c.note))
		}
		check(t, o.Out, aip.Options{})
	}
}

// A bytestream has its formats, and its digests with their sources and composition levels.
func TestFullDescribesBytestreams(t *testing.T) {
	_, texts := manyRecords(t)
	o := options(t)
	o.Profile, o.ID = Full, "x"
	both := record("response",
		"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n"+
			chunked(zipped(t, html)),
		"WARC-Target-URI: http://x.example/", "Content-Type: application/http",
		"WARC-Payload-Digest: sha1:"+sha1Hex(zipped(t, html)))
	mustPack(t, o, crawlOf(t, map[string]string{"a.warc": texts[0] + both}))
	object := readBack(t, o.Out).objects["x#OBJ-c1-b2"]
	var got []string
	for _, c := range object.Characteristics {
		line := c.CompositionLevel.String() + ":"
		for _, f := range c.Fixity {
			line += " " + f.Algorithm.Text + " of " + f.Originator.Text
		}
		for _, f := range c.Formats {
			line += " " + f.Name.Text + " " + f.Version + " " + f.Registry.Key.Text
		}
		got = append(got, line)
	}
	want := []string{"2: SHA-256 of Quire SHA-512 of Quire chunked  ", "1: SHA-1 of Boat/2.0 GZIP  x-fmt/266",
		"0: SHA-256 of Quire SHA-512 of Quire Hypertext Markup Language 5 fmt/471 text/html  "}
	if !slices.Equal(got, want) || object.OriginalName != "http://x.example/" {
		t.Errorf("described as\n%q, want\n%q; name %s", got, want, object.OriginalName)
	}
}

// A conversion has a source if exactly one record has the id, first in its own container, because a
// container may be packed twice.
func TestFullKnowsWhatIsDerivedFromWhat(t *testing.T) {
	source := record("resource", "GIF", "WARC-Target-URI: http://x/a.gif", "Content-Type: image/gif")
	conversion := record("conversion", "PNG", "WARC-Target-URI: http://x/a.gif", "Content-Type: image/png",
		"WARC-Refers-To: <urn:x:resource>")
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string // container and source of the conversion
	}{
		{"in one container", map[string]string{"a.warc": warcinfo + source + conversion}, "c1-b3 of c1-b2"},
		{"the source comes later", map[string]string{"a.warc": warcinfo + conversion + source}, "c1-b2 of c1-b3"},
		{"in another", map[string]string{"a.warc": warcinfo + source, "b.warc": warcinfo + conversion},
			"c2-b2 of c1-b2"},
		{"in its own and in another", map[string]string{"a.warc": warcinfo + source,
			"b.warc": warcinfo + conversion + source}, "c2-b2 of c2-b3"},
		{"in two others", map[string]string{"a.warc": warcinfo + source, "b.warc": warcinfo + source,
			"c.warc": warcinfo + conversion}, ""},
		{"twice in its own", map[string]string{"a.warc": warcinfo + source + source + conversion}, ""},
		{"nowhere", map[string]string{"a.warc": warcinfo + conversion}, ""},
	} {
		o := options(t)
		o.Profile, o.ID = Full, "x"
		mustPack(t, o, crawlOf(t, c.files))
		got := ""
		for id, object := range readBack(t, o.Out).objects {
			for _, r := range object.Relationships {
				if r.Type.Text == "derivation" && !strings.HasPrefix(id, "x#OBJ-i") { // an index has its container
					got += strings.TrimPrefix(id, "x#OBJ-") + " of " + strings.TrimPrefix(r.Objects[0].Value, "x#OBJ-")
				}
			}
		}
		told := strings.Contains(read(t, o.Out, "mets.xml"), "derived from a record that is not here")
		if got != c.want || told != (c.want == "") {
			t.Errorf("%s: %q, want %q; reported as unresolved: %v", c.name, got, c.want, told)
		}
	}
}

// The revisit records of a container are an event in every profile, with the agent and their
// number.
func TestDeduplicationIsAnEvent(t *testing.T) {
	revisit := func(fields ...string) string {
		return record("revisit", "", append(fields, "WARC-Target-URI: http://x/",
			"WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest")...)
	}
	o := options(t)
	o.ID = "x"
	mustPack(t, o, crawlOf(t, map[string]string{"a.warc": warcinfo + revisit() + revisit("Dedup-Evidence: record") +
		revisit(), "b.warc": good}))
	d := readBack(t, o.Out)
	linked(t, d)
	notes := fmt.Sprint(d.events["x#EVT-dedup-c1"].Outcomes)
	for _, want := range []string{"3 revisit records", "identical-payload-digest: 3",
		"made by the crawler, by the container's own word Boat/2.0: 2",
		"made by quire dedup, as the field Dedup-Evidence in them says: 1"} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q is not reported: %s", want, notes)
		}
	}
	if _, ok := d.events["x#EVT-dedup-c2"]; ok {
		t.Error("a container without revisit records has the event")
	}
}

func TestProfilesThatThereAre(t *testing.T) {
	if (Options{Profile: "complete"}).Profile.check() == nil {
		t.Error("a profile that does not exist")
	}
	for p, want := range map[Profile]string{Compact: aip.Profile, Full: aip.ProfileFull, Linked: aip.ProfileLinked} {
		o := options(t)
		o.Profile, o.METS = p, InDocuments
		mustPack(t, o, crawlOf(t, map[string]string{"a.warc": good}))
		if document := read(t, o.Out, "mets.xml"); !strings.Contains(document, ` PROFILE="`+want+`"`) {
			t.Errorf("%q is not in the METS", want)
		}
	}
}

func sha1Hex(s string) string {
	sum := sha1.Sum([]byte(s))
	return hex.EncodeToString(sum[:])
}
