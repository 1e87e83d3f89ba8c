package inspect

import (
	"quire/format/fault"
	"quire/model"
)

// DefaultMaxFindings is how many findings of one code are listed for a container, unless Options says otherwise.
const DefaultMaxFindings = 100

// findings collects what the pass noticed. All are counted; of each code, so many are kept.
type findings struct {
	limit  int
	kept   []model.Finding
	counts map[fault.Code]int64
	total  int64
	errors int64
	all    func(model.Finding)
}

func newFindings(o Options) *findings {
	limit := o.MaxFindings
	if limit == 0 {
		limit = DefaultMaxFindings
	}
	return &findings{limit: limit, counts: map[fault.Code]int64{}, all: o.Finding, kept: []model.Finding{}}
}

// add takes a fault and gives it its severity.
func (f *findings) add(x fault.Fault) {
	severity := SeverityOf(x.Code)
	f.total++
	f.counts[x.Code]++
	if severity == model.Error {
		f.errors++
	}
	if f.counts[x.Code] > int64(f.limit) && f.all == nil {
		return
	}
	finding := model.Finding{Code: string(x.Code), Severity: severity, Offset: x.Offset, Message: x.Detail}
	if x.Record != "" {
		record := x.Record
		finding.Record = &record
	}
	if f.counts[x.Code] <= int64(f.limit) {
		f.kept = append(f.kept, finding)
	}
	if f.all != nil {
		f.all(finding)
	}
}

func (f *findings) byCode() map[string]int64 {
	counts := make(map[string]int64, len(f.counts))
	for code, n := range f.counts {
		counts[string(code)] = n
	}
	return counts
}
