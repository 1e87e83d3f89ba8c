package jobs_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/internal/postgres"
	"quire/internal/sqlite"
	"quire/repository/jobs"
)

// database opens the database of a queue for the test.
func database(t *testing.T, p jobs.Place) *numbered {
	t.Helper()
	var db *sql.DB
	var err error
	if p.Database != nil {
		db, err = postgres.Open(*p.Database, "test", false)
	} else {
		db, err = sqlite.Open(p.File, sqlite.Options{Immediate: true})
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return &numbered{db, p.Database != nil}
}

// numbered is a database that takes a ? for each value, as the catalogue does.
type numbered struct {
	db   *sql.DB
	need bool
}

func (n *numbered) text(s string) string {
	if n.need {
		return postgres.Numbered(s)
	}
	return s
}

func (n *numbered) QueryRowContext(ctx context.Context, s string, values ...any) *sql.Row {
	return n.db.QueryRowContext(ctx, n.text(s), values...)
}

func (n *numbered) ExecContext(ctx context.Context, s string, values ...any) (sql.Result, error) {
	return n.db.ExecContext(ctx, n.text(s), values...)
}

func (n *numbered) exec(t *testing.T, s string, values ...any) {
	t.Helper()
	if _, err := n.ExecContext(t.Context(), s, values...); err != nil {
		t.Fatal(err)
	}
}

// lose makes a job look as if a worker without a lease ran it.
func lose(t *testing.T, p jobs.Place, id int64) {
	t.Helper()
	by := `jsonb('["gone"]')`
	if p.Database != nil {
		by = "ARRAY['gone']"
	}
	database(t, p).exec(t, "UPDATE river_job SET state = 'running', attempt = attempt + 1, attempted_by = "+by+
		", attempted_at = CURRENT_TIMESTAMP WHERE id = ?", id)
}

// TestLost: the job of a worker without a lease goes on as another one. The old process has lost it, and cannot
// end it.
func TestLost(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q := opened(t, p)
		file := filepath.Join(t.TempDir(), "written")
		id := submitted(t, q, a("write", file))[0].Job
		lose(t, p, id)
		old := jobs.Held{Job: id, Attempt: 1, Repository: p.Root}
		db := database(t, p)
		if err := old.Holds(t.Context(), db); err != nil {
			t.Errorf("before it was taken: %v", err)
		}
		if err := (&jobs.Held{Job: id, Attempt: 2}).Holds(t.Context(), db); !errors.Is(err, jobs.ErrTaken) {
			t.Errorf("another attempt: %v", err)
		}
		l := drain(t, q)
		if !l.has("rescued") || !there(file) {
			t.Errorf("log %+v", l.all)
		}
		was := job(t, q, id)
		next := job(t, q, was.Continued)
		if was.State != jobs.Lost || next.State != jobs.Done || next.Follows != id ||
			next.Submission != was.Submission {
			t.Errorf("was %+v, next %+v", was, next)
		}
		if err := old.Holds(t.Context(), db); !errors.Is(err, jobs.ErrTaken) {
			t.Errorf("after: %v", err)
		}
		if err := old.Done(t.Context(), db); !errors.Is(err, jobs.ErrTaken) {
			t.Errorf("ending it: %v", err)
		}
		if j := job(t, q, id); j.State != jobs.Lost {
			t.Errorf("then %+v", j)
		}
	})
}

// TestGivenUp: a call that cost five workers costs no other one.
func TestGivenUp(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q := opened(t, p)
		file := filepath.Join(t.TempDir(), "written")
		first := submitted(t, q, a("write", file))[0].Job
		id := first
		for n := 1; ; n++ {
			lose(t, p, id)
			// A worker of another queue takes over, and does not run it.
			drain(t, q, func(o *jobs.WorkOptions) { o.Queues = []string{"others"} })
			j := job(t, q, id)
			if j.Continued == 0 {
				if n != 5 || j.State != jobs.Failed || j.Report == nil || there(file) {
					t.Errorf("after %d workers: %+v", n, j)
				}
				break
			}
			id = j.Continued
		}
		drain(t, q)
		if there(file) {
			t.Error("it ran")
		}
	})
}

// TestDone ends a job in a transaction, once; the worker then leaves it as it is.
func TestDone(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q := opened(t, p)
		id := submitted(t, q, a("status", "0"))[0].Job
		db := database(t, p)
		held := &jobs.Held{Job: id, Attempt: 1}
		if err := held.Done(t.Context(), db); !errors.Is(err, jobs.ErrTaken) {
			t.Errorf("of a job that waits: %v", err)
		}
		lose(t, p, id)
		if err := held.Done(t.Context(), db); err != nil {
			t.Error(err)
		}
		if err := held.Done(t.Context(), db); !errors.Is(err, jobs.ErrTaken) {
			t.Errorf("again: %v", err)
		}
		if err := held.Holds(t.Context(), db); err != nil {
			t.Errorf("its own end: %v", err)
		}
		drain(t, q)
		if j := job(t, q, id); j.State != jobs.Done || j.Ended.IsZero() {
			t.Errorf("%+v", j)
		}
	})
}

// TestLeaseEnds: a worker that was silent for too long kills its commands, and begins again under another name.
func TestLeaseEnds(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q := opened(t, p)
		file := filepath.Join(t.TempDir(), "go")
		id := submitted(t, q, a("wait", file))[0].Job
		l := &log{}
		o := options(l)
		o.Lease = 3 * time.Second
		start(t, q, o)
		until(t, func() bool { return there(file + ".began") })
		database(t, p).exec(t, "UPDATE jobs_workers SET until = 0")
		until(t, func() bool { return l.has("lost") })
		if err := os.WriteFile(file, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		until(t, func() bool {
			for j := job(t, q, id); ; j = job(t, q, j.Continued) {
				if j.Continued == 0 {
					return j.State == jobs.Done
				}
			}
		})
	})
}

// TestRestore: with a new catalogue, the jobs that had not ended are there again, and no others.
func TestRestore(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q := opened(t, p)
		later := a("status", "0", "waits")
		later.Queue = "others"
		twin := a("status", "0", "ended")
		submitted(t, q, a("status", "0", "ended"), later, a("status", "1"), a("status", "0", "cancelled"), twin)
		drain(t, q, func(o *jobs.WorkOptions) { o.Concurrency = 1 })
		alone := submitted(t, q, a("status", "0", "alone"))[0].Job
		if _, err := q.Cancel(t.Context(), alone); err != nil {
			t.Fatal(err)
		}
		if err := q.Close(); err != nil {
			t.Fatal(err)
		}
		if p.Database == nil {
			p.File += ".new"
		} else {
			root := p.Root
			p = inDatabase(t)
			p.Root = root
		}
		again := opened(t, p)
		all, err := again.List(t.Context(), jobs.Query{Limit: 10})
		if err != nil || len(all) != 1 || !slices.Equal(all[0].Command, later.Command) || all[0].Queue != "others" {
			t.Errorf("%+v, %v", all, err)
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
		if all, err := opened(t, p).List(t.Context(), jobs.Query{Limit: 10}); err != nil || len(all) != 1 {
			t.Errorf("opened again: %+v, %v", all, err)
		}
	})
}

// TestSubmissionCutOff: a submission that was not acknowledged has no jobs in a new catalogue; one of which a part
// has jobs gets the others.
func TestSubmissionCutOff(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q := opened(t, p)
		folder := filepath.Join(p.Root, "jobs")
		line := `{"command":["status","0"],"directory":"/","by":"x","queue":"tests","priority":1,"attempts":1}` + "\n"
		if err := os.WriteFile(filepath.Join(folder, "one.submitting"), []byte(line), 0o666); err != nil {
			t.Fatal(err)
		}
		if all, err := opened(t, p).List(t.Context(), jobs.Query{Limit: 10}); err != nil || len(all) != 0 {
			t.Errorf("not acknowledged: %+v, %v", all, err)
		}
		two := line + strings.ReplaceAll(line, `"0"`, `"1"`)
		if err := os.WriteFile(filepath.Join(folder, "two.jsonl"), []byte(two), 0o666); err != nil {
			t.Fatal(err)
		}
		database(t, p).exec(t, "INSERT INTO jobs_submissions (id, lines, inserted) VALUES ('two', 2, 1)")
		all, err := opened(t, p).List(t.Context(), jobs.Query{Limit: 10})
		if err != nil || len(all) != 1 || !slices.Equal(all[0].Command, []string{"status", "1"}) {
			t.Errorf("half: %+v, %v", all, err)
		}
		_ = q
	})
}

// TestHostileSubmission: a file that is no submission is named each time, and the others have jobs.
func TestHostileSubmission(t *testing.T) {
	p := jobs.Place{Root: t.TempDir(), File: filepath.Join(t.TempDir(), "c.db")}
	submitted(t, opened(t, p), a("status", "0"))
	p.File += ".new"
	good := `{"command":["status","0"],"directory":"/","by":"x","queue":"tests","priority":1,"attempts":1}` + "\n"
	for _, text := range []string{"{", "[]\n", good + `{"command":[]}` + "\n", "\x00", good + good[:20],
		strings.Repeat("a", 20<<20)} {
		if err := os.WriteFile(filepath.Join(p.Root, "jobs", "0bad.jsonl"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			q := opened(t, p)
			if d := q.Damaged(); len(d) != 1 || !strings.Contains(d[0].Error(), "0bad.jsonl") {
				t.Errorf("%.20q: %v", text, d)
			}
			if all, err := q.List(t.Context(), jobs.Query{Limit: 10}); err != nil || len(all) != 1 {
				t.Errorf("%.20q: %+v, %v", text, all, err)
			}
		}
	}
}

// TestPressure: jobs wait for room, and for others of their source.
func TestPressure(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q := opened(t, p)
		dir := t.TempDir()
		first, second, other := a("wait", filepath.Join(dir, "1")), a("wait", filepath.Join(dir, "2")), a("status", "0")
		first.Source, second.Source = "share", "share"
		made := submitted(t, q, first)
		l := &log{}
		o := options(l)
		o.PerSource = 1
		full := false
		o.Room = func() error {
			if full {
				return errors.New("the disk is full")
			}
			return nil
		}
		o.Concurrency = 1
		stop := start(t, q, o)
		until(t, func() bool { return there(filepath.Join(dir, "1.began")) })
		more := &log{}
		o.Log = more.add
		stopOther := start(t, opened(t, p), o)
		made = append(made, submitted(t, q, second, other)...)
		until(t, func() bool { return more.has("waits") && job(t, q, made[2].Job).State == jobs.Done })
		if there(filepath.Join(dir, "2.began")) {
			t.Error("two jobs of one source ran at once")
		}
		stopOther()
		stop()
		full = true
		l = drainUntilItWaits(t, q, o)
		if there(filepath.Join(dir, "2.began")) {
			t.Errorf("a job ran without room: %+v", l.all)
		}
	})
}

func drainUntilItWaits(t *testing.T, q *jobs.Queue, o jobs.WorkOptions) *log {
	t.Helper()
	l := &log{}
	o.Log = l.add
	submitted(t, q, a("status", "0", "for room"))
	stop := start(t, q, o)
	until(t, func() bool { return l.has("waits") })
	stop()
	return l
}

// TestNewerTables refuses tables of a later program.
func TestNewerTables(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		opened(t, p)
		database(t, p).exec(t, "UPDATE jobs_schema SET version = 99")
		if q, err := jobs.Open(t.Context(), p); err == nil {
			_ = q.Close()
			t.Error("they were read")
		}
	})
}

// TestHeldIn: a repository is the same by each of its paths.
func TestHeldIn(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	held := &jobs.Held{Job: 1, Attempt: 1, Repository: dir}
	for path, want := range map[string]bool{dir: true, ".": true, link: true, "..": false, "nowhere": false} {
		if held.In(path) != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
}
