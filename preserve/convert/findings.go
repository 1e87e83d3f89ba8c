package convert

import (
	"quire/format/fault"
	"quire/model"
	"quire/preserve/inspect"
)

// findings assigns a severity to each fault and counts all faults. It keeps only some faults of
// each code.
type findings struct {
	kept   []model.Finding
	counts map[string]int64
}

func newFindings() *findings { return &findings{kept: []model.Finding{}, counts: map[string]int64{}} }

func (f *findings) add(x fault.Fault) {
	f.finding(model.Finding{Code: string(x.Code), Severity: inspect.Catalogue.Severity(string(x.Code)),
		Offset: x.Offset, Message: x.Detail})
}

func (f *findings) finding(x model.Finding) {
	f.counts[x.Code]++
	if f.counts[x.Code] <= MaxFindings {
		f.kept = append(f.kept, x)
	}
}
