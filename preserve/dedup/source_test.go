package dedup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/format/arc"
)

// Originals in the source itself are used only on request, only if earlier, and never if they
// become revisits themselves.
func TestWithin(t *testing.T) {
	dir := t.TempDir()
	day := func(n int) string { return fmt.Sprintf("2020-01-%02dT00:00:00Z", n) }
	source := filepath.Join(dir, "crawl")
	file(t, filepath.Join(source, "b.warc.gz"), rec{uri: "http://a.org/3", date: day(3), body: "same"},
		rec{uri: "http://a.org/2", date: day(2), body: "same"})
	file(t, filepath.Join(source, "a.warc.gz"), rec{uri: "http://a.org/4", date: day(4), body: "same"},
		rec{uri: "http://a.org/2b", date: day(2), body: "same"})
	o := options(t)
	if r := run(t, source, o); r.Replaced != 0 || r.Left[NotStored] != 4 {
		t.Errorf("without being asked: %+v", r)
	}
	o = options(t)
	o.Within = true
	if r := run(t, source, o); r.Replaced != 2 || r.Left[NotStored] != 2 {
		t.Errorf("%+v", r)
	}
	for name, want := range map[string]string{"a.warc.gz": "http://a.org/2b", "b.warc.gz": "http://a.org/2b"} {
		if got := string(inflated(t, filepath.Join(o.Out, name))); !strings.Contains(got,
			"WARC-Refers-To-Target-URI: "+want+"\r\n") {
			t.Errorf("%s refers to something else than %s:\n%s", name, want, got)
		}
	}
	back := options(t)
	if u := undo(t, o.Out, back); u.Replaced != 2 || u.LostAll != 0 {
		t.Errorf("%+v", u)
	}
	for _, name := range []string{"a.warc.gz", "b.warc.gz"} {
		if !bytes.Equal(inflated(t, filepath.Join(source, name)), inflated(t, filepath.Join(back.Out, name))) {
			t.Errorf("%s comes back otherwise", name)
		}
	}
	// If there is an earlier original elsewhere, all refer to that.
	o = options(t, file(t, filepath.Join(dir, "old.warc"), rec{uri: "http://a.org/1", date: day(1), body: "same"}))
	o.Within = true
	if r := run(t, source, o); r.Replaced != 4 {
		t.Errorf("%+v", r)
	}
	if got := string(inflated(t, filepath.Join(o.Out, "a.warc.gz"))); strings.Count(got,
		"WARC-Refers-To-Target-URI: http://a.org/1\r\n") != 2 {
		t.Errorf("it refers to others:\n%s", got)
	}
}

// A record that is the target of a revisit in the source keeps its content, under any name in the
// reference.
func TestReferredTo(t *testing.T) {
	for _, refers := range []string{
		"WARC-Refers-To: <urn:x:b>\r\n",
		"WARC-Refers-To-Target-URI: http://a.org/b\r\nWARC-Refers-To-Date: " + later + "\r\n",
	} {
		dir := t.TempDir()
		o := options(t, file(t, filepath.Join(dir, "old.warc"), rec{body: "same"}))
		source := filepath.Join(dir, "crawl")
		file(t, filepath.Join(source, "1.warc"), rec{id: "<urn:x:b>", uri: "http://a.org/b", date: later, body: "same"})
		file(t, filepath.Join(source, "2.warc"),
			rec{kind: "revisit", uri: "http://a.org/c", date: "2022-01-01T00:00:00Z", digest: sum("same"),
				more: refers})
		if r := run(t, source, o); r.Replaced != 0 || r.Left[ReferredTo] != 1 {
			t.Errorf("%q: %+v", refers, r)
		}
	}
}

// TestBeside: logs and seeds of a harvest go along, byte for byte, and an index of the former containers does not. The
// result is the same harvest, and undone it is so again.
func TestBeside(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "job")
	date := "2020-01-02T00:00:00Z"
	file(t, filepath.Join(source, "warcs", "a.warc.gz"), rec{uri: "http://a.org/", date: date, body: "same"})
	beside := map[string]string{
		"logs/crawl.log": "2020-01-02T00:00:00.000Z   200          4 http://a.org/ - - text/html #001 " +
			"20200102000000000+100 sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA - -\n",
		"seeds.txt": "http://a.org/\r\n",
	}
	for name, text := range beside {
		put(t, filepath.Join(source, name), text)
	}
	put(t, filepath.Join(source, "index.cdx"), " CDX N b a m s k r M S V g\n")
	old := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(source, "seeds.txt"), old, old); err != nil {
		t.Fatal(err)
	}
	o := options(t, file(t, filepath.Join(dir, "old.warc"), rec{uri: "http://a.org/1", date: "2020-01-01T00:00:00Z",
		body: "same"}))
	r := run(t, source, o)
	if r.Replaced != 1 || len(r.Copied) != len(beside) || fmt.Sprint(r.NotCopied) != "[index.cdx]" {
		t.Errorf("%d replaced; copied %v, not copied %v", r.Replaced, r.Copied, r.NotCopied)
	}
	back := options(t, filepath.Join(dir, "old.warc"))
	undo(t, o.Out, back)
	for _, out := range []string{o.Out, back.Out} {
		for name, text := range beside {
			got, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(name)))
			if string(got) != text || err != nil {
				t.Errorf("%s: %q %v", name, got, err)
			}
		}
		if info, err := os.Stat(filepath.Join(out, "seeds.txt")); err != nil || !info.ModTime().Equal(old) {
			t.Errorf("seeds.txt: %v %v", info, err)
		}
		if _, err := os.Stat(filepath.Join(out, "index.cdx")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("index.cdx: %v", err)
		}
	}
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// With one member for all records, each record gets its own, and the inflated content is restored.
func TestSharedMember(t *testing.T) {
	dir := t.TempDir()
	o := options(t, file(t, filepath.Join(dir, "old.warc"), rec{body: "same"}))
	source := filepath.Join(dir, "whole.warc.gz")
	write(t, source, member("junk before\r\n"+info+rec{uri: "http://a.org/1", date: later, body: "same"}.String()+
		"junk between\r\n"+
		rec{uri: "http://a.org/2", date: later, body: "other"}.String()+
		rec{uri: "http://a.org/3", date: later, body: "same"}.String()))
	r := run(t, source, o)
	if r.Replaced != 2 || !r.Containers[0].MembersMade || r.Records != 4 || r.Contents != 3 {
		t.Errorf("%+v", r)
	}
	made, _ := os.ReadFile(filepath.Join(o.Out, "whole.warc.gz"))
	if n := bytes.Count(made, []byte("\x1f\x8b\x08")); n < 5 {
		t.Errorf("%d members", n)
	}
	back := options(t, filepath.Join(dir, "old.warc"))
	if u := undo(t, o.Out, back); u.Replaced != 2 ||
		!bytes.Equal(inflated(t, source), inflated(t, filepath.Join(back.Out, "whole.warc.gz"))) {
		t.Errorf("%+v", u)
	}
}

// An index is trusted while its container is absent, and checked if it is present.
func TestIndexes(t *testing.T) {
	const body = "the same bytes"
	b32 := strings.TrimPrefix(sum(body), "sha1:")
	chunked := "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
	for _, c := range []struct {
		name    string
		old     rec // stored next to the index, if it has a body
		lines   string
		new     rec
		checked bool
		want    Reason
		proof   Evidence
		denied  int64
	}{
		{"CDX, container away", rec{},
			" CDX N b a m s k r M S V g\norg,a)/ 20200101000000 http://a.org/ text/plain 200 " + b32 +
				" - - 100 OFFSET old.warc.gz\n", rec{}, false, "", ByIndex, 0},
		{"CDXJ, container away", rec{},
			`org,a)/ 20200101000000 {"url":"http://a.org/","digest":"` + b32 +
				`","filename":"old.warc.gz","offset":"OFFSET","length":"1"}` + "\n", rec{}, false, "", ByIndex, 0},
		{"container there", rec{body: body},
			" CDX N b a m s k r M S V g\norg,a)/ 20200101000000 http://a.org/ text/plain 200 " + b32 +
				" - - 100 OFFSET old.warc.gz\n", rec{}, true, "", ByRecord, 0},
		{"container away, only records are believed", rec{},
			" CDX N b a m s k r M S V g\norg,a)/ 20200101000000 http://a.org/ text/plain 200 " + b32 +
				" - - 100 OFFSET old.warc.gz\n", rec{}, true, Unchecked, "", 0},
		{"container holds another payload", rec{body: "another thing!"},
			" CDX N b a m s k r M S V g\norg,a)/ 20200101000000 http://a.org/ text/plain 200 " + b32 +
				" - - 100 OFFSET old.warc.gz\n", rec{}, false, NotStored, "", 1},
		{"a line of a revisit", rec{},
			" CDX N b a m s k r M S V g\norg,a)/ 20200101000000 http://a.org/ warc/revisit - " + b32 +
				" - - 100 OFFSET old.warc.gz\n", rec{}, false, NotStored, "", 0},
		{"not earlier", rec{}, " CDX N b a m s k r M S V g\norg,a)/ 20210101000000 http://a.org/ text/plain 200 " +
			b32 + " - - 100 OFFSET old.warc.gz\n", rec{}, false, NotEarlier, "", 0},
		{"an MD5", rec{},
			" CDX N b a m s k r M S V g\norg,a)/ 20200101000000 http://a.org/ text/plain 200 " +
				"d41d8cd98f00b204e9800998ecf8427e - - 100 OFFSET old.warc.gz\n", rec{}, false, NotStored, "", 0},
		{"chunked, container away", rec{},
			" CDX N b a m s k r M S V g\norg,a)/ 20200101000000 http://a.org/ text/plain 200 " + b32 +
				" - - 100 OFFSET old.warc.gz\n",
			rec{head: chunked, body: "e\r\n" + body + "\r\n0\r\n\r\n"}, false, NotStored, "", 0},
		{"chunked, container there", rec{head: chunked, body: "e\r\n" + body + "\r\n0\r\n\r\n"},
			" CDX N b a m s k r M S V g\norg,a)/ 20200101000000 http://a.org/ text/plain 200 " + b32 +
				" - - 100 OFFSET old.warc.gz\n",
			rec{head: chunked, body: "e\r\n" + body + "\r\n0\r\n\r\n"}, false, "", ByRecord, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			index := filepath.Join(dir, "index")
			write(t, index, []byte(strings.ReplaceAll(c.lines, "OFFSET", fmt.Sprint(len(member(info))))))
			if c.old.body != "" {
				file(t, filepath.Join(dir, "old.warc.gz"), c.old)
			}
			if c.new.body == "" {
				c.new.body = body
			}
			c.new.date, c.new.digest = later, sum(body)
			source := file(t, filepath.Join(dir, "new", "new.warc.gz"), c.new)
			o := options(t)
			o.Indexes, o.OnlyChecked = []Lines{{Path: index}}, c.checked
			r := run(t, source, o)
			if c.want == "" && (r.Replaced != 1 || r.Evidence[c.proof] != 1) || c.want != "" &&
				(r.Replaced != 0 || r.Left[c.want] != 1) || r.DeniedAll != c.denied {
				t.Errorf("%+v", r)
			}
		})
	}
}

// An index of an ARC locates its records.
func TestIndexOfARC(t *testing.T) {
	dir := t.TempDir()
	version := "filedesc://old.arc 0.0.0.0 20200101000000 text/plain 75\n1 0 Boat\nURL IP-address Archive-date " +
		"Content-type Archive-length\n"
	block := "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nsame"
	version = strings.Replace(version, " 75\n", fmt.Sprintf(" %d\n", len(version)-strings.Index(version, "\n")-1), 1)
	record := fmt.Sprintf("http://a.org/x y 10.0.0.1 20200101000000 text/html %d\n%s\n", len(block), block)
	write(t, filepath.Join(dir, "old.arc"), []byte(version+"\n"+record))
	if !arc.Sniff([]byte(version)) {
		t.Fatal("no ARC")
	}
	index := filepath.Join(dir, "index.cdx")
	write(t, index, fmt.Appendf(nil,
		" CDX N b a m s k r M S V g\norg,a)/ 20200101000000 http://a.org/x%%20y text/html 200 %s - - 100 %d old.arc\n",
		strings.TrimPrefix(sum("same"), "sha1:"), len(version)+1))
	source := file(t, filepath.Join(dir, "new", "new.warc.gz"), rec{date: later, body: "same"})
	o := options(t)
	o.Indexes, o.OnlyChecked = []Lines{{Path: index}}, true
	r := run(t, source, o)
	if r.Replaced != 1 || r.Evidence[ByRecord] != 1 {
		t.Errorf("%+v", r)
	}
	got := string(inflated(t, filepath.Join(o.Out, "new.warc.gz")))
	if !strings.Contains(got,
		"WARC-Refers-To-Target-URI: http://a.org/x%20y\r\nWARC-Refers-To-Date: 2020-01-01T00:00:00Z\r\n") {
		t.Error(got)
	}
}

// A record that cannot be restored is reported and stays a revisit.
func TestLost(t *testing.T) {
	dir := t.TempDir()
	stored := filepath.Join(dir, "old.warc")
	source := file(t, filepath.Join(dir, "new.warc"), rec{date: later, body: "the same bytes"},
		rec{uri: "http://a.org/2", date: later, body: "and others here"})
	file(t, stored, rec{body: "the same bytes"}, rec{uri: "http://a.org/2", body: "and others here"})
	o := options(t, stored)
	run(t, source, o)
	made := filepath.Join(o.Out, "new.warc")
	for _, c := range []struct {
		name   string
		damage func(t *testing.T)
		want   string
	}{
		{"the original is gone", func(t *testing.T) {
			file(t, stored, rec{body: "the same bytes"})
		}, "no record with its payload"},
		{"a field was changed", func(t *testing.T) {
			alter(t, made, "WARC-Target-URI: http://a.org/2", "WARC-Target-URI: http://a.org/3")
		}, "the header restored from its fields is not the original"},
		{"the head was changed", func(t *testing.T) {
			alter(t, made, "plain\r\nContent-Length: 15\r\n\r\n", "plain\r\nContent-Length: 16\r\n\r\n")
		}, "its block is not the original HTTP head"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file(t, stored, rec{body: "the same bytes"}, rec{uri: "http://a.org/2", body: "and others here"})
			before, _ := os.ReadFile(made)
			defer write(t, made, before)
			c.damage(t)
			back := options(t, stored)
			u := undo(t, o.Out, back)
			if u.Replaced != 1 || u.LostAll != 1 || !strings.Contains(u.Lost[0].Message, c.want) ||
				u.Outcome != "fail" {
				t.Errorf("%+v", u)
			}
			if got := string(inflated(t, filepath.Join(back.Out, "new.warc"))); strings.Count(got,
				"WARC-Type: revisit") != 1 {
				t.Errorf("it is\n%s", got)
			}
		})
	}
}

func alter(t *testing.T, path, from, to string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(b, []byte(from)) {
		t.Fatalf("no %q (%v)", from, err)
	}
	write(t, path, bytes.Replace(b, []byte(from), []byte(to), 1))
}

func TestRefused(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.arc"), []byte("filedesc://a.arc 0.0.0.0 20200101000000 text/plain 9\n1 0 Boat\n\n"))
	write(t, filepath.Join(dir, "none", "x.txt"), []byte("x"))
	for source, want := range map[string]error{filepath.Join(dir, "a.arc"): ErrARC,
		filepath.Join(dir, "none"): ErrNoContainer} {
		o := options(t)
		if _, err := Run(context.Background(), source, o); !errors.Is(err, want) {
			t.Errorf("%s: %v", source, err)
		}
		if left, _ := os.ReadDir(filepath.Dir(o.Out)); len(left) != 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}
