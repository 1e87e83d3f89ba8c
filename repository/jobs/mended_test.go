package jobs_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/repository/jobs"
)

// TestCancelledAndLost: a job that a person cancelled does not go on when its worker is lost.
func TestCancelledAndLost(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q := opened(t, p)
		file := filepath.Join(t.TempDir(), "written")
		id := submitted(t, q, a("write", file))[0].Job
		lose(t, p, id)
		if _, err := q.Cancel(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		drain(t, q)
		if j := job(t, q, id); j.State != jobs.Cancelled || there(file) {
			t.Errorf("%+v", j)
		}
	})
}

// TestNULInMessages: a command whose last message no database stores keeps no other job from its end.
func TestNULInMessages(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q := opened(t, p)
		bad := a("garbage")
		bad.Attempts = 1
		made := submitted(t, q, bad, a("status", "0"), a("status", "1"))
		drain(t, q)
		for i, want := range []jobs.State{jobs.Failed, jobs.Done, jobs.Problems} {
			if j := job(t, q, made[i].Job); j.State != want {
				t.Errorf("%v: %s, want %s", j.Command, j.State, want)
			}
		}
	})
}

// TestHalfInserted: a submission of which a part has jobs is complete afterwards, and its files go with its end.
func TestHalfInserted(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		opened(t, p)
		line := `{"command":["status","0"],"directory":"/","by":"x","queue":"tests","priority":1,"attempts":1}` + "\n"
		const id = "20260101T000000.000000-00000000"
		path := filepath.Join(p.Root, "jobs", id+".jsonl")
		if err := os.WriteFile(path, []byte(line+line), 0o666); err != nil {
			t.Fatal(err)
		}
		db := database(t, p)
		db.exec(t, "INSERT INTO jobs_submissions (id, lines, inserted) VALUES (?, 2, 1)", id)
		q := opened(t, p)
		var lines, inserted int
		if err := db.QueryRowContext(t.Context(), "SELECT lines, inserted FROM jobs_submissions").Scan(&lines,
			&inserted); err != nil || lines != 2 || inserted != 2 {
			t.Errorf("%d lines, %d inserted, %v", lines, inserted, err)
		}
		drain(t, q)
		if there(path) {
			t.Error("the file is still there")
		}
	})
}

// TestListBeforeLimit: the limit counts the jobs in the state asked for.
func TestListBeforeLimit(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q := opened(t, p)
		once := a("status", "2")
		once.Attempts = 1
		made := submitted(t, q, a("status", "1"), once, a("status", "0", "x"), a("status", "0", "y"))
		gone := submitted(t, q, a("status", "0", "gone"))[0].Job
		lose(t, p, gone)
		drain(t, q)
		for state, want := range map[jobs.State]int64{jobs.Problems: made[0].Job, jobs.Failed: made[1].Job,
			jobs.Lost: gone} {
			all, err := q.List(t.Context(), jobs.Query{States: []jobs.State{state}, Limit: 1})
			if err != nil || len(all) != 1 || all[0].ID != want || all[0].State != state {
				t.Errorf("%s: %+v, %v", state, all, err)
			}
		}
	})
}

// TestRefusedTexts: texts that a database would change are refused, and so are names that River does not take. In the
// file of a submission they are damage, which stops nothing else.
func TestRefusedTexts(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q := opened(t, p)
		for name, change := range map[string]func(*jobs.Call){
			"word": func(c *jobs.Call) { c.Command = []string{"caf\xe9"} },
			"by":   func(c *jobs.Call) { c.By = "\x00" },
			"path": func(c *jobs.Call) { c.Directory = "/caf\xe9" },
			"name": func(c *jobs.Call) { c.Queue = "a--b" },
		} {
			c := a("status", "0")
			change(&c)
			if _, err := q.Submit(t.Context(), []jobs.Call{c}); err == nil {
				t.Errorf("%s was taken", name)
			}
		}
		for name, line := range map[string]string{
			"1": `{"command":["x"],"directory":"/","by":"x","queue":"a--b","priority":1,"attempts":1}`,
			"2": `{"command":["x"],"directory":"/","by":"\u0000","queue":"a","priority":1,"attempts":1}`,
		} {
			if err := os.WriteFile(filepath.Join(p.Root, "jobs", name+".jsonl"), []byte(line+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Mkdir(filepath.Join(p.Root, "jobs", "3.jsonl"), 0o777); err != nil {
			t.Fatal(err)
		}
		again := opened(t, p)
		if d := again.Damaged(); len(d) != 3 {
			t.Errorf("%v", d)
		}
		submitted(t, again, a("status", "0"))
	})
}

// TestCheck: a command that no worker runs does not run, wherever its submission comes from.
func TestCheck(t *testing.T) {
	q := opened(t, jobs.Place{Root: t.TempDir(), File: filepath.Join(t.TempDir(), "c.db")})
	file := filepath.Join(t.TempDir(), "written")
	id := submitted(t, q, a("write", file))[0].Job
	drain(t, q, func(o *jobs.WorkOptions) {
		o.Check = func(command []string) error {
			if slices.Equal(command, []string{"write", file}) {
				return errors.New("no worker runs it")
			}
			return nil
		}
	})
	j := job(t, q, id)
	if j.State != jobs.Cancelled || there(file) || !strings.Contains(j.Report.Messages, "no worker") {
		t.Errorf("%+v", j)
	}
}

// TestSourceOrder: of two jobs of a source, the one that began first goes on, whatever its number is.
func TestSourceOrder(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q := opened(t, p)
		dir := t.TempDir()
		first, second := a("wait", filepath.Join(dir, "1")), a("wait", filepath.Join(dir, "2"))
		first.Source, second.Source, second.Queue = "share", "share", "second"
		submitted(t, q, first, second)
		l := &log{}
		o := options(l)
		o.PerSource, o.Concurrency, o.Queues = 1, 1, []string{"second"}
		start(t, q, o)
		until(t, func() bool { return there(filepath.Join(dir, "2.began")) })
		o.Queues = []string{"tests"}
		start(t, opened(t, p), o)
		until(t, func() bool { return l.has("waits") })
		if there(filepath.Join(dir, "1.began")) {
			t.Error("two jobs of one source ran at once")
		}
	})
}

// TestWatchMeanwhile: a delivery that changes while its job waits or runs is submitted again afterwards.
func TestWatchMeanwhile(t *testing.T) {
	q, dir := opened(t, jobs.Place{Root: t.TempDir(), File: filepath.Join(t.TempDir(), "c.db")}), t.TempDir()
	write(t, filepath.Join(dir, "d", "complete"), "x")
	arrivals(t, q, dir, "marker")
	write(t, filepath.Join(dir, "d", "more"), "x")
	arrivals(t, q, dir, "marker")
	drain(t, q)
	if got := arrivals(t, q, dir, "marker"); !slices.Equal(got, []string{"d"}) {
		t.Errorf("%q", got)
	}
	drain(t, q)
	if got := arrivals(t, q, dir, "marker"); len(got) != 0 {
		t.Errorf("without a change: %q", got)
	}
}

// TestManySubmissions: the end of many submissions removes their files, some at a time, and keeps the lease.
func TestManySubmissions(t *testing.T) {
	q := opened(t, jobs.Place{Root: t.TempDir(), File: filepath.Join(t.TempDir(), "c.db")})
	for range 300 {
		submitted(t, q, a("status", "0"))
		all, err := q.List(t.Context(), jobs.Query{Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := q.Cancel(t.Context(), all[0].ID); err != nil {
			t.Fatal(err)
		}
	}
	if l := drain(t, q); l.has("lost") || l.has("database") {
		t.Errorf("%+v", l.all)
	}
}
