package policy

import (
	"strings"
	"testing"

	"quire/model"
)

// BenchmarkRecord measures a rule about records, for each record.
func BenchmarkRecord(b *testing.B) {
	for _, c := range []struct{ name, when string }{
		{"number", "record.status >= 400"},
		{"text", "record.host == 'example.com'"},
		{"format", `format.puid == "fmt/4" && record.date.year < 2000`},
		{"pattern", `record.uri.matches("^https?://[^/]+/private/")`},
	} {
		b.Run(c.name, func(b *testing.B) {
			p, err := Read(strings.NewReader(ruleOf("record", c.when)))
			if err != nil {
				b.Fatal(err)
			}
			j, err := NewJudge(p, b.TempDir())
			if err != nil {
				b.Fatal(err)
			}
			defer j.Close()
			r := model.Record{Type: "response", URI: "http://example.org/images/a.gif", Host: "example.org",
				Date: day(1999), Status: "200", Format: model.Format{PUID: "fmt/4"}}
			b.ReportAllocs()
			for b.Loop() {
				if err := j.Record(1, "containers/a.warc.gz", r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
