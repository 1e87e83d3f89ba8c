package client

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// For any answer, reading ends. Each record is inside the answer, no two records overlap, and the
// returned metadata can be read again.
func FuzzRead(f *testing.F) {
	whole := head + record("a", good) + record("b", "<x>\x03</x>") + record("c", "<![CDATA[") + foot
	for _, s := range []string{whole, head, "", "<OAI-PMH/>", head + strings.Repeat("<record><header>", 20),
		head +
			`<record xmlns:a='b"'><header><identifier>x</identifier></header><metadata><a:b/></metadata><about><c/>` +
			`</about></record>` + foot,
		strings.ReplaceAll(whole, "record", "header"),
		"<a:OAI-PMH xmlns:a=''><a:ListSets><a:set><a:setSpec>x</a:setSpec></a:set>",
		head + "<!-- <record> --><?x <record>?>" + foot} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, _ := answer(t, text)
		_ = a.NextToken()
		end := int64(0)
		r, err := a.Read(Visitor{Record: func(r *Record) error {
			if r.Offset() < end || r.Size() <= 0 || r.Offset()+r.Size() > int64(len(text)) {
				t.Fatalf("record at %d, %d bytes, behind %d", r.Offset(), r.Size(), end)
			}
			end = r.Offset() + r.Size()
			raw, err := io.ReadAll(r.Raw())
			if err != nil || string(raw) != text[r.Offset():end] {
				t.Fatalf("raw %q, %v", raw, err)
			}
			if r.Refused == "" && r.HasMetadata() {
				m, err := io.ReadAll(r.Metadata())
				if err != nil || int64(len(m)) < r.MetadataSize() || m[0] != '<' || r.Root() == "" {
					t.Fatalf("metadata %q, %v", m, err)
				}
			}
			return nil
		}, Set: func(string, string) error { return nil }})
		if err != nil && !errors.Is(err, ErrCut) && !errors.Is(err, ErrNotOAI) {
			t.Fatal(err)
		}
		if err == nil && r == nil {
			t.Fatal("neither an answer nor an error")
		}
	})
}
