package extract

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"quire/format/compound"
	"quire/internal/testsamples"
)

// TestSamples reads the pre-2007 Office and RTF documents in the crawl of a search test site: each
// has distinct words in its text, footer and properties.
func TestSamples(t *testing.T) {
	b, err := os.ReadFile(testsamples.Path(t, "samples", "_made", "crawls", "wget", "wget-devref-plain-nodigest.warc"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ url, begins, kind, words string }{
		{"doc.doc", compound.Signature, "document",
			"Indexing Microsoft Word Documents|RTestGood144|RtestGood143|RTestGood146"},
		{"xls.xls", compound.Signature, "spreadsheet", "Indexing Microsoft Excel Documents|RTestGood147|RTestGood148"},
		{"ppt.ppt", compound.Signature, "presentation", "Indexing PowerPoint Documents|RTestGood144|RTestGood163"},
		{"rtf.rtf", `{\rtf`, "document",
			"Indexing Rich Text Format (RTF) Documents|RTestGood159|RtestGood143|RTestGood161"},
	} {
		_, payload, ok := bytes.Cut(b, []byte("files.devref.test/"+c.url+">\r\nWARC-Date"))
		at := bytes.Index(payload, []byte(c.begins))
		if !ok || at < 0 {
			t.Errorf("%s is not in the sample", c.url)
			continue
		}
		payload, _, _ = bytes.Cut(payload[at:], []byte("\r\n\r\nWARC/1.0\r\n"))
		got := From(Content{URL: "http://files.devref.test/" + c.url, In: bytes.NewReader(payload),
			Size: int64(len(payload))})
		all := got.Title + "\n" + got.Body
		for _, d := range got.Details {
			all += "\n" + d.Value
		}
		for _, word := range strings.Split(c.words, "|") {
			if !strings.Contains(all, word) {
				t.Errorf("%s (%s): no %s in %s", c.url, got.Note, word, all)
			}
		}
		if got.Type != c.kind || got.Language != "en" {
			t.Errorf("%s: %s, %s", c.url, got.Type, got.Language)
		}
	}
}
