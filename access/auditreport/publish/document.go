package publish

import (
	"fmt"
	"time"

	"quire/access/auditreport"
	"quire/internal/humanize"
)

// document is a report as text, tables and charts. HTML and PDF show the same document.
type document struct {
	Title, Subtitle string
	Lead            []string
	Facts           []fact
	Sections        []section
}

// fact is a name with a value.
type fact struct{ Name, Value string }

// section is a part with a heading.
type section struct {
	ID, Title string
	Blocks    []block
}

// block is one of: a text, figures, a table, bars, a matrix.
type block struct {
	Text    string
	Warn    bool // the text is a notice
	Heading string
	Figures []fact
	Table   *table
	Bars    *bars
	Matrix  *matrix
}

// table is a table with a caption and a heading for each column. The first cell of a row heads it.
type table struct {
	Caption string
	Columns []column
	Rows    [][]cell
	More    string // rows left out; "" for none
}

type column struct {
	Name   string
	Number bool
	Weight float64 // share of the width
}

// cell is a value, with the state of a claim if it has one.
type cell struct {
	Text  string
	State auditreport.State // shown as a mark and a word; "" for none
	Code  bool              // a digest or identifier
	Refs  []string          // evidence: ids of sections with a "#", links or titles
}

// bars is a chart of horizontal bars, each of several parts.
type bars struct {
	Caption string
	Parts   []string // names of the parts; one of them has no legend
	Tones   []tone
	Items   []bar
}

// tone is the colour of a part, by its meaning.
type tone string

const (
	toneMain tone = "main"
	toneGood tone = "good"
	toneWarn tone = "warn"
	toneBad  tone = "bad"
	toneOff  tone = "off"
	toneCold tone = "cold" // good by listing
)

type bar struct {
	Name, Value string
	Parts       []float64 // of the longest bar, 0 to 1
}

// matrix shows the states of the levels of areas.
type matrix struct {
	Caption string
	Levels  []string
	Rows    []matrixRow
}

type matrixRow struct {
	Name   string
	States []auditreport.State
	Result string
}

// shownRows is the number of rows of a list on a page.
const shownRows = 100

// words are the words for states. Each has a mark of its own, so that colour is not needed.
var words = map[auditreport.State]string{
	auditreport.Shown:          "shown",
	auditreport.PartlyShown:    "shown in part",
	auditreport.NotShown:       "not met",
	auditreport.Unknown:        "unknown",
	auditreport.Attested:       "attested",
	auditreport.PartlyAttested: "attested in part",
	auditreport.Denied:         "attested: not met",
	auditreport.NotAttested:    "not attested",
}

// toneOf returns the colour of a state.
func toneOf(s auditreport.State) tone {
	switch s {
	case auditreport.Shown, auditreport.Attested:
		return toneGood
	case auditreport.PartlyShown, auditreport.PartlyAttested:
		return toneWarn
	case auditreport.NotShown, auditreport.Denied:
		return toneBad
	}
	return toneOff
}

func text(format string, args ...any) block { return block{Text: fmt.Sprintf(format, args...)} }

func warning(format string, args ...any) block {
	return block{Text: fmt.Sprintf(format, args...), Warn: true}
}

func plain(values ...string) []cell {
	row := make([]cell, 0, len(values))
	for _, v := range values {
		row = append(row, cell{Text: v})
	}
	return row
}

func n(v int64) string { return humanize.Grouped(v) }

// when formats a time, or the word for an unknown one.
func when(t time.Time, none string) string {
	if t.IsZero() {
		return none
	}
	return t.UTC().Format("2006-01-02 15:04")
}

func date(t time.Time, none string) string {
	if t.IsZero() {
		return none
	}
	return t.UTC().Format(time.DateOnly)
}

// further describes the rows left out of a list: those of the page and those of the report.
func further(shown, listed int, more int64) string {
	left := int64(listed-shown) + more
	if left == 0 {
		return ""
	}
	where := "The JSON form of the report has them."
	if more > 0 {
		where = fmt.Sprintf("The JSON form of the report has %s of them.", n(int64(listed-shown)))
	}
	return fmt.Sprintf("And %s more. %s", n(left), where)
}

// relative scales values to the largest.
func relative(values ...float64) []float64 {
	most := 0.0
	for _, v := range values {
		most = max(most, v)
	}
	out := make([]float64, len(values))
	for i, v := range values {
		if most > 0 {
			out[i] = v / most
		}
	}
	return out
}
