package inspect

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/model"
)

// A finding from comparing files is among the findings of its file, and may make the file incomplete.
func TestHeld(t *testing.T) {
	folder := t.TempDir()
	half := warcinfo + record("response", "one", target, asHTTP, "WARC-Segment-Number: 1")
	var told []string
	o := Options{MaxFindings: 1, Finding: func(f model.Finding) { told = append(told, f.Code) }}
	set := NewSet().With(o)
	held, err := Hold(set)
	if err != nil {
		t.Fatal(err)
	}
	var alone []*model.Container
	for _, file := range []struct {
		name, content string
	}{{"a.warc", warcinfo}, {"b.warc", half}, {"c.warc", warcinfo}} {
		path := filepath.Join(folder, file.name)
		if err := os.WriteFile(path, []byte(file.content), 0o666); err != nil {
			t.Fatal(err)
		}
		c, err := File(context.Background(), path, Options{Set: set, MaxFindings: 1})
		if err != nil {
			t.Fatal(err)
		}
		alone = append(alone, c)
		if err := held.Add(c); err != nil {
			t.Fatal(err)
		}
	}
	wants := []struct {
		outcome model.Outcome
		more    []string
	}{
		{model.Valid, nil},
		{model.Incomplete, []string{"REF-ID-ELSEWHERE", "REF-SEGMENT-MISSING"}},
		{model.Valid, []string{"REF-ID-ELSEWHERE"}},
	}
	i := 0
	for c, err := range held.All() {
		if err != nil {
			t.Fatal(err)
		}
		want, before := wants[i], alone[i]
		var more []string
		for _, f := range c.Findings[len(before.Findings):] {
			more = append(more, f.Code)
			if f.Path != "" || c.FindingCounts[f.Code] != before.FindingCounts[f.Code]+1 {
				t.Errorf("%s: %v is counted %d times", c.Path, f, c.FindingCounts[f.Code])
			}
		}
		slices.Sort(more)
		if c.Outcome != want.outcome || !slices.Equal(more, want.more) ||
			c.FindingsTotal != before.FindingsTotal+int64(len(more)) {
			t.Errorf("%s is %s, with %q more and %d in all", c.Path, c.Outcome, more, c.FindingsTotal)
		}
		c.Outcome, c.Findings, c.FindingsTotal, c.FindingCounts = before.Outcome, before.Findings, before.FindingsTotal,
			before.FindingCounts
		// no list and an empty list are the same
		if got, want := fmt.Sprintf("%+v", c), fmt.Sprintf("%+v", before); got != want {
			t.Errorf("it came back as\n%s, was\n%s", got, want)
		}
		i++
	}
	if i != len(wants) || !slices.Equal(told, []string{"REF-ID-ELSEWHERE", "REF-SEGMENT-MISSING", "REF-ID-ELSEWHERE"}) {
		t.Errorf("%d returned; reported %q", i, told)
	}
	if err := held.Close(); err != nil {
		t.Error(err)
	}
}

// TestSegmentsOutcome: the parts of a record are valid together. A part alone is incomplete; with another error it is
// invalid, and so are parts that contradict each other.
func TestSegmentsOutcome(t *testing.T) {
	one := warcinfo + record("response", "one", target, asHTTP, "WARC-Segment-Number: 1")
	two := strings.Replace(warcinfo, "urn:uuid:warcinfo", "urn:uuid:second", 1) +
		segmentOf(2, "two", "WARC-Segment-Total-Length: 6")
	for _, c := range []struct {
		name  string
		files []string
		want  []model.Outcome
		all   model.Outcome
	}{
		{"together", []string{one, two}, []model.Outcome{model.Valid, model.Valid}, model.Valid},
		{"the first alone", []string{one}, []model.Outcome{model.Incomplete}, model.Incomplete},
		{"the last alone", []string{two}, []model.Outcome{model.Incomplete}, model.Incomplete},
		{"the first, cut", []string{one[:len(one)-6]}, []model.Outcome{model.Invalid}, model.Incomplete},
		{"a wrong length", []string{one, strings.Replace(two, "Length: 6", "Length: 7", 1)},
			[]model.Outcome{model.Valid, model.Invalid}, model.Invalid},
	} {
		set := NewSet()
		held, err := Hold(set)
		if err != nil {
			t.Fatal(err)
		}
		for i, file := range c.files {
			r := inspectBytes(t, []byte(file), Options{Set: set, Name: fmt.Sprint(i)})
			r.Path = fmt.Sprint(i)
			if err := held.Add(r); err != nil {
				t.Fatal(err)
			}
		}
		var got []model.Outcome
		for r, err := range held.All() {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, r.Outcome)
		}
		if all := set.Between().Outcome; !slices.Equal(got, c.want) || all != c.all {
			t.Errorf("%s: %q, together %q; want %q, %q", c.name, got, all, c.want, c.all)
		}
		if err := held.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
