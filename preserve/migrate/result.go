package migrate

import (
	"fmt"
	"maps"
	"slices"

	"quire/model"
	"quire/preserve/aip"
)

// Result describes the migration.
type Result struct {
	Package   string             `json:"package"` // the old one
	Out       string             `json:"out"`     // the new one; "" if there was nothing to migrate
	ID        string             `json:"id"`      // of both
	Rule      string             `json:"rule"`
	Tool      Tool               `json:"tool"`
	Container string             `json:"container"` // the WARC with the conversions, within the package
	METS      string             `json:"mets"`
	Outcome   model.EventOutcome `json:"outcome"`   // success; warning if some conversions failed; fail if all did
	Selected  int64              `json:"selected"`  // records with a payload in the format
	Converted int64              `json:"converted"` // conversion records made
	Failed    int64              `json:"failed"`
	Would     int64              `json:"would_convert,omitempty"` // records that a dry run would try to convert
	Left      map[string]int64   `json:"left"`                    // skipped records, by reason
	Failures  []Failure          `json:"failures"`                // at most MaxFailures; the METS has all
	// remarks on conversions, with the number of conversions for each
	Notes map[string]int64 `json:"notes"`
}

// Tool is the converting tool.
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

// Why a record with a payload in the format is skipped.
const (
	leftConverted = "converted already"
	leftUnneeded  = "already what it should become"
	leftEmpty     = "empty"
	leftInfected  = "infected, as the virus check of the package found"
	leftPartial   = "an answer with a part of the bytestream (206)"
)

// left counts a skipped record.
func (r *Result) left(why string) { r.Left[why]++ }

// tally counts remarks on conversions, up to a limit of distinct texts.
type tally map[string]int64

const maxNotes = 100

func (t tally) add(text string) {
	if _, known := t[text]; !known && len(t) >= maxNotes {
		text = "and other things"
	}
	t[text]++
}

// lines returns the counts, in the order of the texts.
func lines(counts map[string]int64) []string {
	var all []string
	for _, text := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, fmt.Sprintf("%s: %d", text, counts[text]))
	}
	return all
}

// conclude sets the outcome.
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
