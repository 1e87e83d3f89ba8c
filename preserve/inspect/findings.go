package inspect

import (
	"strings"
	"unicode/utf8"

	"quire/format/fault"
	"quire/model"
)

// DefaultMaxFindings is how many findings of one code are listed for a container, unless Options
// says otherwise.
const DefaultMaxFindings = 100

// maxMessage and maxRecord bound the texts of a finding, in bytes: a header may hold a megabyte
// where a record's name should be, and name it in a hundred findings of each kind.
const (
	maxMessage = 2 << 10
	maxRecord  = 1 << 10
)

// Shorten keeps the first n bytes of s, in memory of their own. It cuts no character in two; bytes
// that are none stay as they are.
func Shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	end := n
	for end > max(n-utf8.UTFMax+1, 0) && !utf8.RuneStart(s[end]) {
		end--
	}
	if !utf8.RuneStart(s[end]) {
		end = n // there is no character to be cut
	}
	return strings.Clone(s[:end]) + "…"
}

// limit is how many findings of a code are listed.
func (o Options) limit() int {
	if o.MaxFindings == 0 {
		return DefaultMaxFindings
	}
	return o.MaxFindings
}

// findings collects what the pass noticed. All are counted; of each code, so many are kept.
type findings struct {
	limit   int
	kept    []model.Finding
	counts  map[fault.Code]int64
	total   int64
	errors  int64
	all     func(model.Finding)
	options Options
	flaws   flaws
}

func newFindings(o Options) *findings {
	return &findings{limit: o.limit(), counts: map[fault.Code]int64{}, all: o.Finding, kept: []model.Finding{},
		options: o, flaws: flaws{wanted: o.Record != nil}}
}

// add takes a fault and gives it its severity.
func (f *findings) add(x fault.Fault) {
	finding := model.Finding{Code: string(x.Code), Severity: f.options.severityOf(x.Code), Offset: x.Offset}
	if f.counts[x.Code] < int64(f.limit) || f.all != nil {
		finding.Message = Shorten(x.Detail, maxMessage)
		if x.Record != "" {
			record := Shorten(x.Record, maxRecord)
			finding.Record = &record
		}
	}
	if finding.Severity == model.Error {
		f.flaws.add(x)
	}
	f.count(finding)
}

// count counts a finding, and keeps it when few of its code were kept.
func (f *findings) count(x model.Finding) {
	code := fault.Code(x.Code)
	f.total++
	f.counts[code]++
	if x.Severity == model.Error {
		f.errors++
	}
	if f.counts[code] <= int64(f.limit) {
		f.kept = append(f.kept, x)
	}
	if f.all != nil {
		f.all(x)
	}
}

func (f *findings) byCode() map[string]int64 {
	counts := make(map[string]int64, len(f.counts))
	for code, n := range f.counts {
		counts[string(code)] = n
	}
	return counts
}
