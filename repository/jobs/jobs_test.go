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

// TestWork runs commands that end in each way.
func TestWork(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q := opened(t, p)
		file := filepath.Join(t.TempDir(), "written")
		once := a("status", "2")
		once.Attempts = 1
		made := submitted(t, q, a("write", file), a("status", "1"), once)
		drain(t, q)
		want := []struct {
			state    jobs.State
			status   int
			failures int
			said     string
		}{{jobs.Done, 0, 0, "wrote " + file + "\n"}, {jobs.Problems, 1, 0, "the reason\n"},
			{jobs.Failed, 2, 1, "the reason\n"}}
		for i, w := range want {
			j := job(t, q, made[i].Job)
			if j.State != w.state || j.Report == nil || j.Report.ExitStatus == nil ||
				*j.Report.ExitStatus != w.status || len(j.Failures) != w.failures ||
				j.Report.Output+j.Report.Messages != w.said {
				t.Errorf("%v: %+v, report %+v", j.Command, j, j.Report)
			}
			if j.Started.IsZero() || j.Ended.IsZero() || j.By != "test" || j.Worker == "" {
				t.Errorf("%v: %+v", j.Command, j)
			}
		}
		if f := job(t, q, made[2].Job).Failures; !strings.Contains(f[0].Error, "exit status 2: the reason") {
			t.Errorf("failure %q", f[0].Error)
		}
		if files, _ := os.ReadDir(filepath.Join(p.Root, "jobs")); slices.ContainsFunc(files, func(e os.DirEntry) bool {
			return strings.HasSuffix(e.Name(), ".jsonl") || strings.HasSuffix(e.Name(), ".ended")
		}) {
			t.Errorf("files of a submission that ended: %v", files)
		}
	})
}

// TestUnique: a call that waits has no second job; one that ended may have another.
func TestUnique(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q := opened(t, p)
		first := submitted(t, q, a("status", "0"))[0]
		again := submitted(t, q, a("status", "0"))[0]
		if first.Already || !again.Already || again.Job != first.Job {
			t.Errorf("first %+v, again %+v", first, again)
		}
		one, other := a("status", "0", "x"), a("status", "0", "y")
		one.Unique, other.Unique = "package 1", "package 1"
		if made := submitted(t, q, one, other); made[0].Already || !made[1].Already || made[1].Job != made[0].Job {
			t.Errorf("one package: %+v", made)
		}
		drain(t, q)
		if third := submitted(t, q, a("status", "0"))[0]; third.Already || third.Job == first.Job {
			t.Errorf("after its end: %+v", third)
		}
	})
}

// TestRetry submits a call again, with a new number.
func TestRetry(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q := opened(t, p)
		id := submitted(t, q, a("status", "1"))[0].Job
		if _, err := q.Retry(t.Context(), id, ""); !errors.Is(err, jobs.ErrOpen) {
			t.Errorf("of a job that waits: %v", err)
		}
		drain(t, q)
		again, err := q.Retry(t.Context(), id, "")
		if err != nil || again.Job == id || again.Already {
			t.Fatalf("%+v, %v", again, err)
		}
		if other, err := q.Retry(t.Context(), id, "Ada"); err != nil || !other.Already {
			t.Errorf("while it waits again: %+v, %v", other, err)
		}
		if j := job(t, q, again.Job); j.State != jobs.Waiting || j.By != "test" ||
			!slices.Equal(j.Command, []string{"status", "1"}) {
			t.Errorf("%+v", j)
		}
		if _, err := q.Cancel(t.Context(), again.Job); err != nil {
			t.Fatal(err)
		}
		if last, err := q.Retry(t.Context(), id, "Ada"); err != nil || job(t, q, last.Job).By != "Ada" {
			t.Errorf("by another person: %+v, %v", last, err)
		}
		if _, err := q.Retry(t.Context(), 12345, ""); !errors.Is(err, jobs.ErrNoJob) {
			t.Errorf("of no job: %v", err)
		}
	})
}

// TestAttempts repeats a command with status 2, until it is cancelled.
func TestAttempts(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q := opened(t, p)
		id := submitted(t, q, a("status", "2"))[0].Job
		l := &log{}
		start(t, q, options(l))
		until(t, func() bool { return job(t, q, id).State == jobs.Later })
		if j := job(t, q, id); len(j.Failures) == 0 || j.NotBefore.IsZero() {
			t.Errorf("%+v", j)
		}
		j, err := q.Cancel(t.Context(), id)
		if err != nil || j.State != jobs.Cancelled {
			t.Errorf("%+v, %v", j, err)
		}
	})
}

// TestCancel ends a job that waits, and one that runs.
func TestCancel(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q := opened(t, p)
		file := filepath.Join(t.TempDir(), "go")
		made := submitted(t, q, a("status", "0"), a("wait", file))
		if j, err := q.Cancel(t.Context(), made[0].Job); err != nil || j.State != jobs.Cancelled {
			t.Errorf("%+v, %v", j, err)
		}
		start(t, q, options(&log{}))
		until(t, func() bool { return there(file + ".began") })
		until(t, func() bool { // its progress is seen
			r := job(t, q, made[1].Job).Report
			return r != nil && r.Phase == "waiting" && r.Total == 4
		})
		if j, err := q.Cancel(t.Context(), made[1].Job); err != nil || j.State != jobs.Running {
			t.Errorf("%+v, %v", j, err)
		}
		until(t, func() bool { return job(t, q, made[1].Job).State == jobs.Cancelled })
		if !there(file + ".left") {
			t.Error("the command was not asked to end")
		}
	})
}

// TestPause: a paused queue gives no job.
func TestPause(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q := opened(t, p)
		drain(t, q) // the queue is known now
		if err := q.Pause(t.Context(), "tests"); err != nil {
			t.Fatal(err)
		}
		id := submitted(t, q, a("status", "0"))[0].Job
		other := a("status", "0", "elsewhere")
		other.Queue = "others"
		o := options(&log{})
		o.Queues = append(o.Queues, "others")
		start(t, q, o)
		then := submitted(t, q, other)[0].Job
		until(t, func() bool { return job(t, q, then).State == jobs.Done })
		if j := job(t, q, id); j.State != jobs.Waiting {
			t.Errorf("in a paused queue: %s", j.State)
		}
		if err := q.Resume(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
		until(t, func() bool { return job(t, q, id).State == jobs.Done })
	})
}

// TestPauseStays: River removes queues without use for a day. A worker of another queue keeps one that is
// paused.
func TestPauseStays(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q := opened(t, p)
		drain(t, q, func(o *jobs.WorkOptions) { o.Queues = []string{"paused", "unused"} })
		if err := q.Pause(t.Context(), "paused"); err != nil {
			t.Fatal(err)
		}
		db := database(t, p)
		db.exec(t, "UPDATE river_queue SET updated_at = '2020-01-01 00:00:00'")
		start(t, q, options(&log{}))
		rows := func(name string) (n int) {
			err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM river_queue WHERE name = ?", name).Scan(&n)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		until(t, func() bool { return rows("unused") == 0 })
		if rows("paused") != 1 {
			t.Error("the pause is forgotten")
		}
	})
}

// TestStop: a worker that is stopped interrupts its commands, and the jobs wait again, with all attempts.
func TestStop(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q := opened(t, p)
		file := filepath.Join(t.TempDir(), "go")
		id := submitted(t, q, a("wait", file))[0].Job
		stop := start(t, q, options(&log{}))
		until(t, func() bool { return there(file + ".began") })
		stop()
		j := job(t, q, id)
		if j.State != jobs.Waiting && j.State != jobs.Later || j.Attempt != 0 || !there(file+".left") {
			t.Errorf("%+v", j)
		}
		if err := os.WriteFile(file, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		drain(t, q)
		if j := job(t, q, id); j.State != jobs.Done {
			t.Errorf("then: %+v", j)
		}
	})
}

// TestList selects jobs, the newest first.
func TestList(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q := opened(t, p)
		other := a("status", "0", "elsewhere")
		other.Queue = "others"
		made := submitted(t, q, a("status", "0"), a("status", "1"), other)
		drain(t, q)
		for _, c := range []struct {
			by   jobs.Query
			want []int64
		}{
			{jobs.Query{Limit: 10}, []int64{made[2].Job, made[1].Job, made[0].Job}},
			{jobs.Query{Limit: 1}, []int64{made[2].Job}},
			{jobs.Query{Limit: 10, Before: made[2].Job}, []int64{made[1].Job, made[0].Job}},
			{jobs.Query{Limit: 10, Queues: []string{"others"}}, []int64{made[2].Job}},
			{jobs.Query{Limit: 10, States: []jobs.State{jobs.Done}}, []int64{made[0].Job}},
			{jobs.Query{Limit: 10, States: []jobs.State{jobs.Problems, jobs.Waiting}},
				[]int64{made[2].Job, made[1].Job}},
			{jobs.Query{Limit: 10, States: []jobs.State{jobs.Lost}}, nil},
		} {
			all, err := q.List(t.Context(), c.by)
			if err != nil {
				t.Fatal(err)
			}
			var got []int64
			for _, j := range all {
				got = append(got, j.ID)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%+v: %v, want %v", c.by, got, c.want)
			}
		}
		counts, err := q.Counts(t.Context())
		if err != nil || counts[jobs.Done] != 2 || counts[jobs.Waiting] != 1 {
			t.Errorf("%v, %v", counts, err)
		}
	})
}

// TestRefuses calls that no worker could run.
func TestRefuses(t *testing.T) {
	q := opened(t, jobs.Place{Root: t.TempDir(), File: filepath.Join(t.TempDir(), "c.db")})
	for name, change := range map[string]func(*jobs.Call){
		"no command": func(c *jobs.Call) { c.Command = nil },
		"NUL":        func(c *jobs.Call) { c.Command = []string{"a\x00"} },
		"long":       func(c *jobs.Call) { c.Command = []string{strings.Repeat("a", 1<<20+1)} },
		"no queue":   func(c *jobs.Call) { c.Queue = "" },
		"queue":      func(c *jobs.Call) { c.Queue = "*" },
		"priority":   func(c *jobs.Call) { c.Priority = 5 },
		"attempts":   func(c *jobs.Call) { c.Attempts = 0 },
	} {
		c := a("status", "0")
		change(&c)
		if _, err := q.Submit(t.Context(), []jobs.Call{a("status", "0"), c}); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	if all, err := q.List(t.Context(), jobs.Query{Limit: 10}); err != nil || len(all) > 0 {
		t.Errorf("%v, %v", all, err)
	}
}

// TestQueues counts jobs, and names the job that waits longest.
func TestQueues(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q := opened(t, p)
		if all, err := q.Queues(t.Context()); err != nil || len(all) != 0 {
			t.Fatalf("%+v, %v", all, err)
		}
		other := a("status", "1")
		other.Queue = "other"
		made := submitted(t, q, a("status", "0"), a("status", "0", "x"), other)
		if _, err := q.Cancel(t.Context(), made[0].Job); err != nil {
			t.Fatal(err)
		}
		if _, err := q.Cancel(t.Context(), made[2].Job); err != nil {
			t.Fatal(err)
		}
		all, err := q.Queues(t.Context())
		if err != nil || len(all) != 2 {
			t.Fatalf("%+v, %v", all, err)
		}
		one, two := all[0], all[1]
		if one.Queue == "other" {
			one, two = two, one
		}
		if want := job(t, q, made[1].Job).Submitted; !one.Oldest.Equal(want) || one.Counts[jobs.Waiting] != 1 ||
			one.Counts[jobs.Cancelled] != 1 {
			t.Errorf("%+v, oldest %v", one, want)
		}
		if !two.Oldest.IsZero() || two.Counts[jobs.Cancelled] != 1 || two.Counts[jobs.Waiting] != 0 {
			t.Errorf("%+v", two)
		}
	})
}
