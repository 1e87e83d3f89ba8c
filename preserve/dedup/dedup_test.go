package dedup

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const later = "2021-01-01T00:00:00Z"

// A record becomes a revisit record with the same position, id, head and digest, and is restored
// byte for byte.
func TestThereAndBack(t *testing.T) {
	dir := t.TempDir()
	old := rec{uri: "http://a.org/old", body: "the same bytes"}
	again := rec{uri: "http://a.org/new", date: later, body: "the same bytes",
		more: "X-Ours: kept\r\nWARC-IP-Address:10.0.0.1 \r\n"}
	for _, ext := range []string{".warc", ".warc.gz"} {
		stored := file(t, filepath.Join(dir, "old"+ext), old)
		source := file(t, filepath.Join(dir, "new"+ext), again,
			rec{uri: "http://a.org/other", date: later, body: "other"})
		o := options(t, stored)
		r := run(t, source, o)
		if r.Replaced != 1 || r.Contents != 2 || r.Left[NotStored] != 1 || r.Evidence[ByRecord] != 1 ||
			r.Payload != 14 {
			t.Fatalf("%+v", r)
		}
		made := filepath.Join(o.Out, "new"+ext)
		got := string(inflated(t, made))
		head := "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 14\r\n\r\n"
		for _, want := range []string{
			"WARC/1.1\r\nWARC-Type: revisit\r\nWARC-Record-ID: <urn:uuid:" + later +
				"http://a.org/new>\r\nWARC-Target-URI: http://a.org/new\r\n",
			"X-Ours: kept\r\nWARC-IP-Address:10.0.0.1 \r\n",
			"WARC-Payload-Digest: " + sum("the same bytes") + "\r\n", "WARC-Block-Digest: " + sum(head) + "\r\n",
			"WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n",
			"WARC-Refers-To-Target-URI: http://a.org/old\r\nWARC-Refers-To-Date: 2020-01-01T00:00:00Z\r\n" +
				"WARC-Refers-To: <urn:uuid:http://a.org/old>\r\n",
			"WARC-Truncated: length\r\n", "Dedup-Container: old" + ext + "\r\n", "\r\n\r\n" + head + "\r\n\r\nWARC/1.0",
		} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", ext, want, got)
			}
		}
		if strings.Contains(got, "the same bytes") {
			t.Errorf("%s: the payload is still there", ext)
		}
		back := options(t, stored)
		u := undo(t, o.Out, back)
		if u.Replaced != 1 || u.LostAll != 0 {
			t.Fatalf("%+v", u)
		}
		if restored := inflated(t, filepath.Join(back.Out, "new"+ext)); !bytes.Equal(restored, inflated(t, source)) {
			t.Errorf("%s: it comes back as\n%s", ext, restored)
		}
	}
}

// The records that are not replaced, with the reasons.
func TestLeft(t *testing.T) {
	const body = "0123456789 the same bytes"
	chunked := "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
	framed := func(s string) string { return "19\r\n" + s + "\r\n0\r\n\r\n" }
	list, err := ReadViralList(strings.NewReader("# found by a scanner\n<urn:uuid:bad>\n" + sum("eicar") + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		old  rec
		new  rec
		want Reason // "" if it is replaced
	}{
		{"the same", rec{body: body}, rec{date: later, body: body}, ""},
		{"a resource", rec{body: body}, rec{kind: "resource", bare: true, date: later, body: body}, ""},
		{"without digests of its own", rec{body: body}, rec{date: later, body: body, digest: "-"}, ""},
		{"of version 1.1 to the microsecond", rec{body: body},
			rec{date: "2020-01-01T00:00:01.000001Z", version: "1.1", body: body}, ""},
		{"URI in angle brackets", rec{body: body}, rec{date: later, uri: "<http://a.org/>", body: body}, ""},
		{"chunked alike", rec{head: chunked, body: framed(body)},
			rec{date: later, head: chunked, body: framed(body), digest: sum(body)}, ""},
		{"digest of the body as sent", rec{head: chunked, body: framed(body)},
			rec{date: later, head: chunked, body: framed(body)}, ""},
		{"chunked, and not", rec{body: body}, rec{date: later, head: chunked, body: framed(body), digest: sum(body)},
			NotStored},
		{"not stored", rec{body: "other"}, rec{date: later, body: body}, NotStored},
		{"as long", rec{body: strings.ToUpper(body)}, rec{date: later, body: body}, NotStored},
		{"at the same second", rec{body: body}, rec{body: body}, NotEarlier},
		{"within the same second", rec{body: body}, rec{date: "2020-01-01T00:00:00.9Z", version: "1.1", body: body},
			NotEarlier},
		{"before", rec{body: body}, rec{date: "2019-01-01T00:00:00Z", body: body}, NotEarlier},
		{"on the day of which no more is known", rec{date: "2020-01-01", version: "1.1", body: body},
			rec{date: "2020-01-01T23:59:59Z", body: body}, NotEarlier},
		{"the day after", rec{date: "2020-01-01", version: "1.1", body: body},
			rec{date: "2020-01-02T00:00:00Z", body: body}, ""},
		{"truncated by the crawler", rec{body: body}, rec{date: later, body: body, more: "WARC-Truncated: length\r\n"},
			Truncated},
		{"a segment", rec{body: body}, rec{date: later, body: body, more: "WARC-Segment-Number: 1\r\n"}, Segmented},
		{"empty", rec{body: ""}, rec{date: later, body: ""}, Empty},
		{"payload digest of another", rec{body: body}, rec{date: later, body: body, digest: sum("x")}, DigestWrong},
		{"payload digest of an unknown algorithm", rec{body: body},
			rec{date: later, body: body, digest: "blake3:abc"}, DigestUnknown},
		{"no date", rec{body: body}, rec{date: "yesterday", body: body}, Undated},
		{"shorter than its head says", rec{body: body, head: "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n"},
			rec{date: later, body: body, head: "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n"}, BodyBroken},
		{"no HTTP head", rec{body: body, head: "x"}, rec{date: later, body: body, head: "x", digest: "-"}, NoHead},
		{"an original that is truncated", rec{body: body, more: "WARC-Truncated: time\r\n"},
			rec{date: later, body: body}, NotStored},
		{"an original that differs from its digest", rec{body: body, digest: sum("x")}, rec{date: later, body: body},
			NotStored},
		{"an original that is a revisit", rec{kind: "revisit", body: body}, rec{date: later, body: body}, NotStored},
		{"listed by id", rec{body: body}, rec{id: "<urn:uuid:bad>", date: later, body: body}, Viral},
		{"listed by digest", rec{body: "eicar"}, rec{date: later, body: "eicar"}, Viral},
		{"an original that is listed", rec{id: "<urn:uuid:bad>", body: body}, rec{date: later, body: body}, Viral},
		{"a field of ours", rec{body: body}, rec{date: later, body: body, more: "Dedup-Header: x\r\n"}, OddHeader},
		{"a folded field", rec{body: body}, rec{date: later, body: body, more: "X: a\r\n b\r\n"}, ""},
		{"a line without CR", rec{body: body}, rec{date: later, body: body, more: "X: a\n"}, Damaged},
		{"fewer bytes than asked for", rec{body: "short"}, rec{date: later, body: "short"}, Small},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			o := options(t, file(t, filepath.Join(dir, "old.warc.gz"), c.old))
			o.Viral, o.Smallest = list, 0
			if c.want == Small {
				o.Smallest = 6
			}
			source := file(t, filepath.Join(dir, "new.warc.gz"), c.new)
			r := run(t, source, o)
			if c.want == "" && r.Replaced == 1 {
				back := options(t, filepath.Join(dir, "old.warc.gz"))
				if u := undo(t, o.Out, back); u.Replaced != 1 ||
					!bytes.Equal(inflated(t, filepath.Join(back.Out, "new.warc.gz")), inflated(t, source)) {
					t.Errorf("it does not come back: %+v", u)
				}
				return
			}
			if r.Replaced != 0 || c.want == "" || r.Left[c.want] != 1 {
				t.Errorf("replaced %d, left %v, want %q", r.Replaced, r.Left, c.want)
			}
			before, _ := os.ReadFile(source)
			after, err := os.ReadFile(filepath.Join(o.Out, "new.warc.gz"))
			if err != nil || !bytes.Equal(before, after) {
				t.Errorf("the file is not as it was (%v)", err)
			}
		})
	}
}
