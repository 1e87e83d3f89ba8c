package reconcile

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/model"
	"quire/preserve/inspect"
	"quire/source/detect"
)

// completed compares a job as a pass over its containers does.
func (j *job) completed(t *testing.T) *Complete {
	t.Helper()
	ctx, dir := context.Background(), j.write(t)
	s, err := detect.Open(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var all []detect.Harvest
	for h, err := range s.Harvests(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, h)
	}
	c, err := NewCompleteness(ctx, s, all, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for f, err := range all[0].Fetches(ctx, nil) {
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Fetch(0, &f); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range all[0].About().Files {
		if f.Role != model.RoleContainer {
			continue
		}
		in, err := os.Open(filepath.Join(dir, f.Path))
		if err != nil {
			t.Fatal(err)
		}
		read, err := inspect.Reader(ctx, in, inspect.Options{Name: f.Path,
			Record: func(r model.Record) error { return c.Record(0, f.Path, &r) }})
		if err != nil {
			t.Fatal(err)
		}
		c.Container(0, f.Path, read, read.InflatedBytes)
		in.Close()
	}
	results, err := c.Results()
	if err != nil {
		t.Fatal(err)
	}
	return results[0]
}

// The comparison finds absent containers and URLs, by each of the sources.
func TestCompleteness(t *testing.T) {
	without := func(name string) func(*job) {
		return func(j *job) { delete(j.containers, name) }
	}
	for _, c := range []struct {
		name   string
		change func(*job)
		want   string // outcome, expected, present, absent, gaps, unlisted, sizes, URLs, missing, late
	}{
		{"complete", func(j *job) { j.report() }, "success 2 2 0 0 0 0 3 0 0"},
		{"compressed", func(j *job) { j.report(); j.gzipped = true }, "success 2 2 0 0 0 0 3 0 0"},
		{"no container", func(j *job) { j.report(); j.containers = nil }, "fail 2 0 2 0 0 0 3 3 0"},
		{"absent by its list", func(j *job) { j.report(); j.index = nil; without(other)(j) }, "fail 2 1 1 0 0 0 3 1 1"},
		{"absent by the index", without(other), "fail 2 1 1 0 0 0 3 1 1"},
		{"absent and empty", func(j *job) {
			j.report()
			j.files["reports/archivefiles-report.txt"] += "T-20200101000000-00002-h.arc 2020-01-01T00:00:09.000Z 0\n"
		}, "success 3 2 0 0 0 0 3 0 0"},
		{"a gap in the numbers", func(j *job) {
			j.index = nil
			j.containers["T-20200101000000-00002-h.arc"] = j.containers[other]
			without(other)(j)
		}, "warning 0 0 0 1 0 0 3 0 0"},
		{"in no list", func(j *job) {
			j.report()
			j.index = nil
			list := strings.SplitAfter(j.files["reports/archivefiles-report.txt"], "\n")
			j.files["reports/archivefiles-report.txt"] = list[0] + list[1]
		}, "warning 1 1 0 0 1 0 3 0 0"},
		{"another size", func(j *job) {
			j.report()
			j.containers[other] = append(j.containers[other], "\n")
		}, "warning 2 2 0 0 0 1 3 0 0"},
		{"a URL in no record", func(j *job) {
			j.line(capture{"http://example.org/lost", "20200101000001500", 200, "x"})
		}, "warning 2 2 0 0 0 0 4 1 0"},
		{"a URL after the last record", func(j *job) {
			j.line(capture{"http://example.org/lost", "20200101000007500", 200, "x"})
		}, "fail 2 2 0 0 0 0 4 1 1"},
		{"a duplicate, and a URL that was not written", func(j *job) {
			j.line(capture{"http://example.org/b", "20200101000001500", 200, "x"}, `duplicate:"y.arc,5"`)
			j.line(capture{"http://example.org/c", "20200101000001500", 200, "x"}, "unwritten:size")
		}, "success 2 2 0 0 0 0 3 0 0"},
		{"other spelling", func(j *job) {
			j.line(capture{"HTTP://EXAMPLE.org:80/a.png", "20200101000001500", 200, "x"})
		}, "success 2 2 0 0 0 0 3 0 0"},
	} {
		j := whole()
		c.change(j)
		r := j.completed(t)
		got := fmt.Sprintf("%s %d %d %d %d %d %d %d %d %d", r.Outcome, r.Expected, r.Present, r.Absent, len(r.Gaps),
			len(r.Unlisted), len(r.Sizes), r.URLs, r.Missing, r.Late)
		if got != c.want {
			t.Errorf("%s: %s, want %s; %+v", c.name, got, c.want, r)
		}
		if (r.Summary() == "") != (r.Outcome == model.Success) {
			t.Errorf("%s: outcome %s, but %q", c.name, r.Outcome, r.Summary())
		}
	}
}

// An absent container is described with the sources that name it.
func TestAbsentee(t *testing.T) {
	j := whole()
	j.report()
	delete(j.containers, other)
	missed := j.completed(t).Missed
	if len(missed) != 1 {
		t.Fatalf("%d absent containers", len(missed))
	}
	want := other + "; 287 bytes; listed by reports/archivefiles-report.txt; 1 entry of the index"
	if got := missed[0].String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
