package warcmeta

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/metadata/oclc"
	"quire/model"
	"quire/preserve/describe"
	"quire/preserve/inspect"
	"quire/source/records"
	"quire/source/records/lookup"
)

// In a copy of each WARC among the samples, the first page is described in place in all four forms.
// The original content stays, the additions can be read, and the file has no new errors; or the
// file is refused and unchanged.
func TestSamples(t *testing.T) {
	if testing.Short() {
		t.Skip("the whole form, without the race detector, describes all samples")
	}
	described, refused, files := 0, map[string]int{}, 0
	for _, sample := range testsamples.Samples(t, "warc") {
		info, err := os.Stat(sample)
		if err != nil || info.Size() > 8<<20 {
			continue
		}
		content := read(t, sample)
		url := firstPage(t, content)
		if url == "" {
			continue
		}
		files++
		path := filepath.Join(t.TempDir(), filepath.Base(sample))
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		before := verdict(t, path)
		o := options(describe.Description{ID: "x", Level: describe.Site, Row: 2,
			Record: oclc.Record{{Element: oclc.Title, Value: "Tïtle"}, {Element: oclc.URL, Value: url}}})
		o.InPlace, o.As = true, lossless
		r, err := Run(t.Context(), []string{path}, o)
		if err != nil {
			t.Errorf("%s: %v", sample, err)
			continue
		}
		after := read(t, path)
		if r.Written == 0 {
			if !bytes.Equal(after, content) || len(r.Missing) == 0 {
				t.Errorf("%s: neither written nor reported: %+v", sample, r)
				continue
			}
			_, why, _ := strings.Cut(r.Missing[0].Why, " stays unchanged: ")
			why, _, _ = strings.Cut(why, ",")
			refused[why]++
			continue
		}
		described++
		now := verdict(t, path)
		if !bytes.HasPrefix(after, content) || now.Outcome != before.Outcome ||
			now.Records.Total != before.Records.Total+5 || now.FindingsTotal != before.FindingsTotal {
			t.Errorf("%s: %s with %d records and %d findings became %s with %d and %d", sample, before.Outcome,
				before.Records.Total, before.FindingsTotal, now.Outcome, now.Records.Total, now.FindingsTotal)
		}
		all := list(t, path)
		if len(all) != 4 || all[0].Problem != "" || all[3].RefersTo != r.Described[0].RecordID {
			t.Errorf("%s: %+v", sample, all)
		}
		if r := run(t, path, o); r.Written != 0 || r.Unchanged != 4 {
			t.Errorf("%s: again: %+v", sample, r)
		}
	}
	t.Logf("%d of %d files were described in place; the others were refused: %v", described, files, refused)
	if described < 50 {
		t.Errorf("%d files were described", described)
	}
}

func verdict(t *testing.T, path string) *model.Container {
	t.Helper()
	c, err := inspect.File(t.Context(), path, inspect.Options{MaxFindings: 1})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// firstPage returns the URL of the first captured page, or "" if no page has a URL for a sheet.
func firstPage(t *testing.T, content []byte) (url string) {
	t.Helper()
	in := records.NewReader(bytes.NewReader(content), nil)
	for {
		r, err := in.Next()
		if err != nil {
			return ""
		}
		c, ok, err := lookup.Of(r, 0)
		if err == nil && ok && c.Status == 200 && strings.HasPrefix(c.URI, "http") {
			return c.URI
		}
	}
}
