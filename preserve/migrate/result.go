package migrate

import (
	"fmt"
	"maps"
	"slices"

	"quire/model"
	"quire/preserve/aip"
)

// Result is what was made.
type Result struct {
	Package   string             `json:"package"` // the old one
	Out       string             `json:"out"`     // the new one; "" when there was nothing to migrate
	ID        string             `json:"id"`      // of both
	Rule      string             `json:"rule"`
	Tool      Tool               `json:"tool"`
	Container string             `json:"container"` // the WARC with the conversions, within the package
	METS      string             `json:"mets"`
	Outcome   model.EventOutcome `json:"outcome"`   // success; warning when some conversions failed; fail when all did
	Selected  int64              `json:"selected"`  // records whose payload has the format
	Converted int64              `json:"converted"` // conversion records made
	Failed    int64              `json:"failed"`
	Left      map[string]int64   `json:"left"`     // those not tried, by the reason
	Failures  []Failure          `json:"failures"` // at most MaxFailures; the METS has them all
	// what is to be told of conversions, with the number of those that it holds for
	Notes map[string]int64 `json:"notes"`
}

// Tool is what converts.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Failure is a conversion that failed.
type Failure struct {
	Container string `json:"container"`
	Record    string `json:"record"` // its id
	URI       string `json:"uri"`
	Reason    string `json:"reason"`
}

// MaxFailures is how many failures a Result lists.
const MaxFailures = 1000

// Why a record whose payload has the format is not tried.
const (
	leftConverted = "converted already"
	leftUnneeded  = "already what it should become"
	leftEmpty     = "empty"
	leftPartial   = "an answer with a part of the bytestream (206)"
)

// left counts a record that is not tried.
func (r *Result) left(why string) { r.Left[why]++ }

// tally counts what is told of conversions, so many different texts.
type tally map[string]int64

const maxNotes = 100

func (t tally) add(text string) {
	if _, known := t[text]; !known && len(t) >= maxNotes {
		text = "and other things"
	}
	t[text]++
}

// lines writes what was counted, in the order of the texts.
func lines(counts map[string]int64) []string {
	var all []string
	for _, text := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, fmt.Sprintf("%s: %d", text, counts[text]))
	}
	return all
}

// conclude says how it went.
func (j *job) conclude() {
	r := &j.result
	r.Package, r.Out, r.ID, r.Rule = j.pkg, j.o.Out, j.old.ID, j.o.Rule.Name
	r.Tool, r.Container, r.METS = Tool{j.tool.agent().Name, j.tool.agent().Version}, j.name, aip.METSName
	r.Notes = j.notes
	switch {
	case r.Failed == 0:
		r.Outcome = model.Success
	case r.Converted > 0:
		r.Outcome = model.Warned
	default:
		r.Outcome = model.Fail
	}
}
