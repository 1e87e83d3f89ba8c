package jobs

import (
	"context"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/repository/place"
)

// newWorker returns a worker of a new queue, which runs nothing.
func newWorker(t *testing.T) *worker {
	t.Helper()
	dir := t.TempDir()
	q, err := Open(t.Context(), Place{Root: dir, File: filepath.Join(dir, "catalogue.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = q.Close() })
	return &worker{queue: q, running: map[int64]*run{}}
}

// TestProgressAfterEnd: progress that is stored late leaves the report of the end as it is.
func TestProgressAfterEnd(t *testing.T) {
	w := newWorker(t)
	status := 1
	end := Report{ExitStatus: &status, Output: "the output", Messages: "the message"}
	for job, report := range map[int64]Report{1: {}, 2: end} {
		if err := w.queue.said(t.Context(), job, report); err != nil {
			t.Fatal(err)
		}
		w.running[job] = &run{progress: Progress{Phase: "reading", Done: 3, Total: 4}}
	}
	if err := w.writeProgress(t.Context()); err != nil {
		t.Fatal(err)
	}
	all, err := w.queue.reports(t.Context(), []any{1, 2, 3})
	if err != nil || len(all) != 2 {
		t.Fatalf("%v, %v", all, err)
	}
	if r := all[1]; r.Phase != "reading" || r.Done != 3 || r.Total != 4 || r.ExitStatus != nil {
		t.Errorf("of a job that runs: %+v", r)
	}
	if r := all[2]; r.Phase != "" || r.ExitStatus == nil || *r.ExitStatus != 1 || r.Output != end.Output ||
		r.Messages != end.Messages {
		t.Errorf("of a job that ended: %+v", r)
	}
}

// TestPeriodic: of several workers, one submits each call that is due, again when its time has come.
func TestPeriodic(t *testing.T) {
	w := newWorker(t)
	call := func(name string) Call {
		return Call{Command: []string{name}, Directory: "/", By: "test", Queue: "tests", Priority: 1, Attempts: 1}
	}
	w.options.Periodic = []Periodic{{"hourly", time.Hour, call("a")}, {"daily", day, call("b")}}
	other := &worker{queue: w.queue, options: w.options}
	due := func(want ...string) {
		t.Helper()
		for _, w := range []*worker{w, other} {
			if err := w.submitDue(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		all, err := w.queue.List(t.Context(), Query{States: []State{Waiting}, Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, j := range all {
			got = append(got, j.Command[0])
			if _, err := w.queue.Cancel(t.Context(), j.ID); err != nil {
				t.Fatal(err)
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("submitted %q, want %q", got, want)
		}
	}
	due("a", "b")
	due()
	if _, err := w.queue.exec(t.Context(), "UPDATE jobs_periodic SET next = 0 WHERE name = 'daily'"); err != nil {
		t.Fatal(err)
	}
	due("b")
}

// TestFilesOf sorts the files of the folder by submission.
func TestFilesOf(t *testing.T) {
	p := Place{Root: t.TempDir()}
	if err := os.Mkdir(p.folder(), 0o777); err != nil {
		t.Fatal(err)
	}
	const one, two = "20260101T000000.000000-00000000", "20260102T000000.000000-00000000"
	for name, text := range map[string]string{one + ".jsonl": "", one + ".w.1.ended": "3\n5\n7",
		one + ".v.ended": "4\nx\n", two + ".submitting": "", "other.txt": ""} {
		if err := os.WriteFile(filepath.Join(p.folder(), name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	all, err := p.files()
	if err != nil || len(all) != 2 {
		t.Fatalf("%v, %v", all, err)
	}
	if of := all[two]; of.submitting != two+".submitting" || of.calls != "" || len(of.ended) != 0 {
		t.Errorf("%+v", of)
	}
	of := all[one]
	if of.calls != one+".jsonl" || of.submitting != "" || len(of.ended) != 2 {
		t.Errorf("%+v", of)
	}
	lines, err := p.ended(of)
	if err != nil || len(lines) != 3 || !lines[3] || !lines[4] || !lines[5] {
		t.Errorf("lines %v, %v", lines, err)
	}
	if err := p.remove(of); err != nil {
		t.Fatal(err)
	}
	if all, err := p.files(); err != nil || len(all) != 1 {
		t.Errorf("after the removal: %v, %v", all, err)
	}
}

// strange is a place with files of any names, all with one text.
type strange struct {
	place.Place
	names []string
}

func (s strange) URL() string { return "s3://strange" }

func (s strange) List(_ context.Context, prefix string) iter.Seq2[place.Entry, error] {
	return func(yield func(place.Entry, error) bool) {
		for _, name := range s.names {
			if strings.HasPrefix(name, prefix) && !yield(place.Entry{Name: name, Size: 4}, nil) {
				return
			}
		}
	}
}

func (s strange) Open(context.Context, string, int64) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader("text")), nil
}

// TestStrangeNames: names that no folder can have are errors, and nothing is written outside of the spool.
func TestStrangeNames(t *testing.T) {
	for _, names := range [][]string{{"d/../../x"}, {"d/../x"}, {"d/a", "d/a/b"}, {"d/\x00"}, {"d//"}, {"d"}, {"d/.."},
		{"../x"}, {"..\\x"}, {"d", "d/a"}} {
		home := t.TempDir()
		spool := filepath.Join(home, "one", "two", "spool")
		p := strange{names: names}
		base, _, _ := strings.Cut(names[0], "/")
		d := newInPlace(p, base, spool)
		for _, name := range names {
			d.add(place.Entry{Name: name, Size: 4})
		}
		state, newest, _ := d.state()
		o := WatchOptions{Complete: Completeness{kind: byAge, age: time.Second}}
		_, err := o.localOf(t.Context(), d, state, newest)
		if good := len(names) == 1 && names[0] == "d"; (err == nil) != good {
			t.Errorf("%q: %v", names, err)
		}
		err = filepath.WalkDir(home, func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() && !strings.HasPrefix(path, spool+string(filepath.Separator)) {
				t.Errorf("%q: there is %s", names, path)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}
