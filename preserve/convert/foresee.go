package convert

import (
	"context"

	"quire/internal/atomicdir"
	"quire/model"
	"quire/source/detect"
)

// Forecast describes the expected results of Run.
type Forecast struct {
	Out           string           `json:"out"`
	Harvests      []HarvestRef     `json:"harvests"`
	WARCs         []Foreseen       `json:"would_make"`
	Files         map[Action]int64 `json:"files"`   // files of the source, by planned action
	Bytes         int64            `json:"to_read"` // of the source
	Outcome       model.Outcome    `json:"outcome"` // invalid when something of the source cannot be read
	Findings      []model.Finding  `json:"findings"`
	FindingsTotal int64            `json:"findings_total"`
}

// Foreseen is a WARC that would be made.
type Foreseen struct {
	Path   string `json:"path"` // below Forecast.Out
	Source string `json:"source"`
	Action Action `json:"action"`
	// size of the WARC, if the source already has it; null if the WARC is made from other data
	Bytes *int64 `json:"bytes"`
}

// Foresee returns the results that Run would have, from the same plan, and writes nothing. It reads
// logs, lists and the first bytes of each container. Later damage in a container is found only by
// Run.
func Foresee(ctx context.Context, s *detect.Source, o Options) (*Forecast, error) {
	if err := atomicdir.Check(o.Out); err != nil {
		return nil, err
	}
	plan, err := Make(ctx, s)
	if err != nil {
		return nil, err
	}
	r := newRun(plan, o)
	r.source()
	f := &Forecast{Out: o.Out, Harvests: r.result.Harvests, WARCs: []Foreseen{}, Files: r.result.Files,
		Bytes: plan.Bytes, Outcome: r.result.Outcome, Findings: r.result.Findings,
		FindingsTotal: r.result.FindingsTotal}
	for step := range plan.Steps() {
		f.step(step)
	}
	if len(f.WARCs) == 0 {
		return nil, nothing(s)
	}
	return f, nil
}

func (f *Forecast) step(s Step) {
	if s.Mirror == nil { // a mirror is counted by its files
		f.Files[s.Action]++
	}
	if s.Output == "" {
		return
	}
	w := Foreseen{Path: s.Output, Source: s.Name, Action: s.Action}
	if s.Action == KeepWARC {
		w.Bytes = &s.File.Size
	}
	f.WARCs = append(f.WARCs, w)
}
