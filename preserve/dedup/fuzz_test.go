package dedup

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"quire/format/warc"
)

// FuzzHeader makes revisit headers from any header. The result has the required fields and can be
// reversed; reversing any header never panics.
func FuzzHeader(f *testing.F) {
	whole := rec{date: later, body: "body"}.String()
	header := whole[:bytes.Index([]byte(whole), []byte("\r\n\r\n"))+4]
	for _, seed := range []string{
		header, "WARC/1.0\r\n\r\n", "WARC/1.0\r\nContent-Length: 1\r\n\r\n", header[:len(header)-2] + "X:\r\n\r\n",
		header[:len(header)-2] + "a\r\n b\r\n\r\n",
		"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: <>\r\nWARC-Date: 2020\r\nWARC-Record-ID: <a:b>\r\n" +
			"Content-Length: 4\r\n\r\n",
		"WARC/1.1\r\nwarc-type:response\t\r\nWARC-Target-URI: < >\r\nWARC-Date: x\r\nWARC-Record-ID:\r\n" +
			"Content-Length: 4\r\nWARC-Block-Digest: md5:x\r\n\r\n",
	} {
		f.Add([]byte(seed), []byte("HTTP/1.1 200 OK\r\n\r\n"))
	}
	f.Fuzz(func(t *testing.T, raw, head []byte) {
		_, _ = formerHeader(raw) // its error has the reason
		o := &Original{URI: "http://a.org/", Date: "2019-01-01T00:00:00Z", ID: "<urn:x:o>", Container: "c.warc",
			Evidence: ByRecord}
		kept := bytes.Clone(raw)
		made, err := revisitHeader(warc.ParseHeader(raw), head, &recordFacts{}, o)
		if !bytes.Equal(kept, raw) {
			t.Fatal("the header was written over")
		}
		if err != nil {
			return
		}
		back, err := formerHeader(made)
		if err != nil || !bytes.Equal(back, raw) {
			t.Fatalf("%q leads back to %q, %v", made, back, err)
		}
		h := warc.ParseHeader(made)
		for name, want := range map[string]string{
			warc.FieldType: warc.TypeRevisit, warc.FieldProfile: warc.ProfileIdenticalPayload11,
			warc.FieldRefersTo:          o.ID,
			warc.FieldRefersToTargetURI: o.URI, warc.FieldRefersToDate: o.Date,
		} {
			if h.Count(name) != 1 || h.Get(name) != want {
				t.Errorf("%s is %q, %d times, in\n%q", name, h.Get(name), h.Count(name), made)
			}
		}
		if h.Count(warc.FieldContentLength) != 1 || h.Count(warc.FieldPayloadDigest) != 1 ||
			h.Count(warc.FieldBlockDigest) != 1 {
			t.Errorf("fields are twice or missing in\n%q", made)
		}
	})
}

// FuzzThereAndBack deduplicates any file against one with its payloads, and restores it.
func FuzzThereAndBack(f *testing.F) {
	one := rec{date: later, body: "the same bytes"}.String()
	for _, seed := range []string{
		info + one, info + "junk" + one + one, one[:len(one)-9],
		info + rec{date: later, body: "the same bytes", length: 999}.String() + one,
		string(member(info)) + string(member(one)), string(member(info + one)),
		string(member(info))[:30] + string(member(one)),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		dir := t.TempDir()
		stored := file(t, filepath.Join(dir, "old.warc"), rec{body: "the same bytes"})
		source := filepath.Join(dir, "new", "new.warc")
		write(t, source, content)
		o := options(t, stored)
		r, err := Run(t.Context(), source, o)
		if err != nil {
			return // an ARC
		}
		back := options(t, stored)
		u := undo(t, o.Out, back)
		if u.Replaced != r.Replaced || u.LostAll != 0 {
			t.Fatalf("%d replaced, %d brought back, lost %v", r.Replaced, u.Replaced, u.Lost)
		}
		if r.Replaced == 0 && !r.Containers[0].MembersMade {
			made, err := os.ReadFile(filepath.Join(o.Out, "new.warc"))
			if err != nil || !bytes.Equal(made, content) {
				t.Fatalf("nothing was replaced, and the file is another (%v)", err)
			}
		}
		if !bytes.Equal(inflated(t, source), inflated(t, filepath.Join(back.Out, "new.warc"))) {
			t.Fatal("it comes back otherwise")
		}
	})
}
