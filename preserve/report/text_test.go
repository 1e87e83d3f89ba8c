package report

import (
	"bytes"
	"strings"
	"testing"

	"quire/model"
	"quire/model/finding"
)

// Each line fits on the screen, except texts for copying.
func TestTextFitsTheScreen(t *testing.T) {
	var out bytes.Buffer
	c := made(0)
	c.Findings[0].Message = strings.Repeat("a long reason ", 20)
	c.Software = strings.Repeat("Heritrix and others ", 20)
	explain := func(string) (finding.Entry, bool) {
		return finding.Entry{Meaning: strings.Repeat("the meaning of it ", 20)}, true
	}
	if err := Text(&out, c, TextOptions{Explain: explain, Width: 80}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(out.String(), "\n") {
		if len([]rune(line)) > 80 && !strings.Contains(line, "SHA-512") {
			t.Errorf("%d characters: %s", len([]rune(line)), line)
		}
	}
	if got := strings.Join(strings.Fields(out.String()), " "); !strings.Contains(got,
		strings.TrimSpace(c.Findings[0].Message)) {
		t.Errorf("words are lost:\n%s", out.String())
	}
}

// A policy sets the severity of a code; the report shows the severity of the findings, not of the
// catalogue.
func TestSeverityIsThatOfTheFindings(t *testing.T) {
	var out bytes.Buffer
	c := made(0)
	for i := range c.Findings {
		c.Findings[i].Severity = model.Info
	}
	explain := func(string) (finding.Entry, bool) { return finding.Entry{Severity: model.Error}, true }
	if err := Text(&out, c, TextOptions{Explain: explain}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), ": 6 infos") || strings.Contains(out.String(), "error") {
		t.Errorf("got:\n%s", out.String())
	}
}

func TestBetween(t *testing.T) {
	var out bytes.Buffer
	c := &model.Container{Findings: []model.Finding{
		{Code: "REF-X", Severity: model.Info, Path: "a.warc", Offset: 1000, Message: "x"},
		{Code: "REF-Y", Severity: model.Error, Path: "b.warc", Offset: 5, Message: "y"},
	}, FindingCounts: map[string]int64{"REF-X": 4000, "REF-Y": 1}}
	if err := Between(&out, c, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	want := `between the files: 1 error, 4,000 infos
  error    REF-Y  × 1
           b.warc byte 5: y
  info     REF-X  × 4,000
           a.warc byte 1,000: x
           and 3,999 more
`
	if out.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", out.String(), want)
	}
	out.Reset()
	if err := Between(&out, &model.Container{}, TextOptions{}); err != nil || out.Len() != 0 {
		t.Errorf("of nothing: %v, %s", err, out.String())
	}
}
