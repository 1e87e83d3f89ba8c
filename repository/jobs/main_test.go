package jobs_test

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"quire/internal/pgtest"
	"quire/internal/postgres"
	"quire/repository/jobs"
)

// TestMain runs the tests, or, as the program of a worker, a command.
func TestMain(m *testing.M) {
	if jobs.Here() != nil && len(os.Args) > 1 && os.Args[1] == "command" {
		ctx, _ := signal.NotifyContext(context.Background(), os.Interrupt)
		os.Exit(command(jobs.WhileWorker(ctx), os.Args[2:]))
	}
	os.Exit(pgtest.Main(m))
}

// command is a command of the tests: "write FILE", "status N", "wait FILE", "environment",
// "garbage".
func command(ctx context.Context, args []string) int {
	switch args[0] {
	case "write":
		f, err := os.OpenFile(args[1], os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
		_, err = fmt.Fprintln(f, "written")
		fmt.Println("wrote", args[1])
		if err != nil || f.Close() != nil {
			return 2
		}
		return 0
	case "status":
		fmt.Fprintln(os.Stderr, "the reason")
		n, _ := strconv.Atoi(args[1])
		return n
	case "environment":
		fmt.Print(jobs.ToWorker() != nil, os.Getenv("QUIRE_JOB"), os.Getenv("QUIRE_PROGRESS"))
		return 0
	case "garbage": // in its last message
		_, _ = os.Stderr.WriteString("a\x00b\xff\n")
		return 2
	case "wait": // until a file exists, or the worker ends
		if err := os.WriteFile(args[1]+".began", nil, 0o666); err != nil {
			return 2
		}
		report := jobs.ToWorker()
		for ctx.Err() == nil {
			report.Report(jobs.Progress{Phase: "waiting", Done: 1, Total: 4})
			if _, err := os.Stat(args[1]); err == nil {
				return 0
			}
			time.Sleep(10 * time.Millisecond)
		}
		_ = os.WriteFile(args[1]+".left", nil, 0o666)
		return 2
	}
	return 2
}

// eachPlace runs a test with a catalogue in a file, and in a database if there is one.
func eachPlace(t *testing.T, test func(t *testing.T, p jobs.Place)) {
	t.Helper()
	t.Parallel()
	t.Run("file", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		test(t, jobs.Place{Root: dir, File: filepath.Join(dir, "catalogue.db")})
	})
	t.Run("database", func(t *testing.T) {
		t.Parallel()
		test(t, inDatabase(t))
	})
}

func inDatabase(t *testing.T) jobs.Place {
	t.Helper()
	p := pgtest.Place(t)
	db, err := postgres.Open(p, "test", false)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if err := postgres.Create(t.Context(), db, p.Schema); err != nil {
		t.Fatal(err)
	}
	return jobs.Place{Root: t.TempDir(), Database: &p}
}

func opened(t *testing.T, p jobs.Place) *jobs.Queue {
	t.Helper()
	q, err := jobs.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = q.Close() })
	return q
}

// a returns a call of a command.
func a(words ...string) jobs.Call {
	return jobs.Call{Command: words, Directory: os.TempDir(), By: "test", Queue: "tests", Priority: 2, Attempts: 3}
}

func submitted(t *testing.T, q *jobs.Queue, calls ...jobs.Call) []jobs.Submitted {
	t.Helper()
	made, err := q.Submit(t.Context(), calls)
	if err != nil {
		t.Fatal(err)
	}
	if len(made) != len(calls) {
		t.Fatalf("%d jobs of %d calls", len(made), len(calls))
	}
	return made
}

func job(t *testing.T, q *jobs.Queue, id int64) jobs.Job {
	t.Helper()
	j, err := q.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// log keeps the log of a worker.
type log struct {
	mu  sync.Mutex
	all []jobs.Entry
}

func (l *log) add(e jobs.Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, e)
}

func (l *log) has(event string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.all, func(e jobs.Entry) bool { return e.Event == event })
}

// options returns the settings of a worker of the tests.
func options(l *log) jobs.WorkOptions {
	return jobs.WorkOptions{Program: []string{os.Args[0], "command"}, Queues: []string{"tests"}, Concurrency: 2,
		Lease: 10 * time.Second, Grace: 10 * time.Second, Log: l.add}
}

// drain runs all jobs.
func drain(t *testing.T, q *jobs.Queue, change ...func(*jobs.WorkOptions)) *log {
	t.Helper()
	l := &log{}
	o := options(l)
	o.Drain = true
	for _, f := range change {
		f(&o)
	}
	if err := q.Work(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	return l
}

// start runs a worker until the function that it returns is called.
func start(t *testing.T, q *jobs.Queue, o jobs.WorkOptions) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- q.Work(ctx, o) }()
	once := sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(once)
	return once
}

// until waits for a condition. One that never holds fails this test, and not all tests after half an hour.
func until(t *testing.T, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); !condition(); {
		if t.Context().Err() != nil || time.Now().After(end) {
			t.Fatal("the condition does not hold after 5 minutes")
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
