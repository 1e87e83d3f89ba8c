package inspect

import (
	"strings"
	"unicode/utf8"

	"quire/format/fault"
	"quire/internal/secret"
	"quire/model"
)

// DefaultMaxFindings is the default number of findings of one code that are listed for a container.
const DefaultMaxFindings = 100

// maxMessage and maxRecord bound the texts of a finding, in bytes. A hostile record name may have a
// megabyte, and occur in a hundred findings of each kind.
const (
	maxMessage = 2 << 10
	maxRecord  = 1 << 10
)

// Shorten returns a copy of the first n bytes of s. It does not split a character. Invalid bytes
// stay unchanged.
func Shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	end := n
	for end > max(n-utf8.UTFMax+1, 0) && !utf8.RuneStart(s[end]) {
		end--
	}
	if !utf8.RuneStart(s[end]) {
		end = n // no character is split
	}
	return strings.Clone(s[:end]) + "…"
}

// limit returns how many findings of a code are listed.
func (o Options) limit() int {
	if o.MaxFindings == 0 {
		return DefaultMaxFindings
	}
	return o.MaxFindings
}

// findings collects the findings of the pass. All are counted; a limited number of each code is
// kept.
type findings struct {
	limit   int
	kept    []model.Finding
	counts  map[fault.Code]int64
	total   int64
	errors  int64
	lacking int64 // errors that end if further files are inspected with this one
	all     func(model.Finding)
	options Options
	flaws   flaws
}

func newFindings(o Options) *findings {
	return &findings{limit: o.limit(), counts: map[fault.Code]int64{}, all: o.Finding, kept: []model.Finding{},
		options: o, flaws: flaws{wanted: o.Record != nil}}
}

// add adds a fault with its severity.
func (f *findings) add(x fault.Fault) {
	finding := model.Finding{Code: string(x.Code), Severity: f.options.severityOf(x.Code), Offset: x.Offset}
	if f.counts[x.Code] < int64(f.limit) || f.all != nil {
		finding.Message = Shorten(secret.Conceal(x.Detail), maxMessage)
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

// count counts a finding. It also keeps the finding, until the limit for its code is reached.
func (f *findings) count(x model.Finding) {
	code := fault.Code(x.Code)
	f.total++
	f.counts[code]++
	if x.Severity == model.Error {
		f.errors++
		if code == FaultSegmentMissing {
			f.lacking++
		}
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

// outcome returns the outcome of a sound container with these findings.
func (f *findings) outcome() model.Outcome {
	switch {
	case f.errors > f.lacking:
		return model.Invalid
	case f.errors > 0:
		return model.Incomplete
	}
	return model.Valid
}
