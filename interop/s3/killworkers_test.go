//go:build interop && linux

package s3

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"quire/internal/pgtest"
	"quire/internal/prove"
	"quire/repository/jobs"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// TestKillWorkers: three workers store packages by jobs, with a catalogue in PostgreSQL, two folders and two S3
// servers, while workers, the database and a server are killed at random moments. Each worker is on a machine of
// its own, a network namespace: machines lose the network, and end without a word to the database. Each package is
// stored once, with its events, and no job is lost.
func TestKillWorkers(t *testing.T) {
	machines, done := onMachines(t)
	if done {
		return
	}
	seed, began := uint64(time.Now().UnixNano()), time.Now()
	packages, kills := prove.Rounds(20, 20, 2000), prove.Rounds(8, 8, 100)
	t.Logf("seed %d", seed)
	f := newFleet(t, seed, machines)
	f.must("init", "repo", "--copy", "one", "--copy", "two", "--copy", "s3://archive/quire", "--copy",
		"s3://second/quire", "--require", "2", "--catalogue", pgtest.Address())
	var some []string
	for n := 1; n <= packages; n++ {
		if some = append(some, f.pack(n)); len(some) == 100 || n == packages {
			f.submit(some...)
			some = nil
		}
	}
	for i := range f.workers {
		if machines != nil {
			f.machines[i] = machines.machine()
		}
		f.start(i)
	}
	for n := 0; n < kills; n++ {
		time.Sleep(time.Duration(f.random.Int64N(int64(2 * time.Second))))
		if f.kill(); f.waiting() == 0 { // all were stored before the last kill
			packages++
			f.submit(f.pack(packages))
		}
	}
	// A worker that was off the network for longer than its lease ends some seconds later, and starts again.
	for settled := time.Now().Add(3 * lease); f.waiting() > 0 || time.Now().Before(settled); {
		time.Sleep(200 * time.Millisecond)
	}
	f.stop()
	f.ended(packages)
	f.stored(packages)
	t.Logf("%d packages, kills %v, %d jobs were taken over, in %.0f s", packages, f.killed, f.lost,
		time.Since(began).Seconds())
}

// lease is that of the workers.
const lease = 3 * time.Second

// fleet is a repository with workers.
type fleet struct {
	*program
	second   *service
	random   *rand.Rand
	network  *network // nil if the workers share that of the system
	machines [3]*machine
	workers  [3]*exec.Cmd
	logs     [3]strings.Builder
	killed   map[string]int
	lost     int
}

func newFleet(t *testing.T, seed uint64, machines *network) *fleet {
	f := &fleet{program: newProgram(t), second: newService(t), network: machines,
		random: rand.New(rand.NewPCG(seed, 0)),
		killed: map[string]int{}}
	f.second.bucket("second", false)
	places := filepath.Join(f.folder, "places.yaml")
	text := fmt.Sprintf("buckets: {second: {endpoint: %q}}\n", f.second.endpoint())
	if err := os.WriteFile(places, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("QUIRE_PLACES", places)
	t.Cleanup(func() {
		for _, w := range f.workers {
			if w != nil && w.ProcessState == nil {
				_ = w.Process.Kill()
				_ = w.Wait() // a killed process has no useful status
			}
		}
	})
	return f
}

func (f *fleet) submit(packages ...string) {
	f.t.Helper()
	f.must(append([]string{"submit", "--attempts", "50", "--repo", "repo", "ingest"}, packages...)...)
}

// start starts a worker with one processor.
func (f *fleet) start(i int) {
	f.t.Helper()
	w := f.command("work", "--concurrency", "1", "--lease", lease.String(), "--repo", "repo", "--json")
	w.Env = append(w.Env, "GOMAXPROCS=1")
	w.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	w.Stdout, w.Stderr = &f.logs[i], &f.logs[i]
	if f.machines[i] != nil {
		f.machines[i].on(w)
	}
	if err := w.Start(); err != nil {
		f.t.Fatal(err)
	}
	f.workers[i] = w
}

// kill ends a worker, the database or an S3 server with SIGKILL, and starts it again. It also takes a machine off the
// network for a time, or ends it: the database and the servers learn nothing of that, and another machine begins.
func (f *fleet) kill() {
	f.t.Helper()
	away := time.Duration(f.random.Int64N(int64(time.Second)))
	kinds := 6
	if f.network != nil {
		kinds = 12
	}
	switch n := f.random.IntN(kinds); n {
	case 0:
		f.killed["database"]++
		pgtest.Restart(f.t)
	case 1, 2:
		s := []*service{f.service, f.second}[n-1]
		f.killed["S3"]++
		s.kill()
		time.Sleep(away)
		s.start()
	case 6, 7, 8, 9:
		f.killed["cable"]++
		m := f.machines[n%3]
		m.unplug()
		time.Sleep(5 * away) // longer than a lease, in some rounds
		m.plug()
	case 10, 11:
		f.killed["machine"]++
		i := f.random.IntN(3)
		f.machines[i].unplug()
		_ = f.workers[i].Process.Kill()
		_ = f.workers[i].Wait()
		f.machines[i].gone()
		f.machines[i] = f.network.machine()
		f.start(i)
	default:
		f.killed["worker"]++
		w := f.workers[n-3]
		_ = w.Process.Kill() // it may have ended with the database
		_ = w.Wait()
		time.Sleep(away)
		f.start(n - 3)
	}
}

// read runs a command that prints JSON. Its messages are left out: they name changes that it recovered.
func (f *fleet) read(to any, args ...string) {
	f.t.Helper()
	text, err := f.command(append(args, "--json", "--repo", "repo")...).Output()
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		f.t.Fatalf("quire %s: %v: %s", strings.Join(args, " "), err, text)
	}
}

// jobsList is the output of quire jobs list.
type jobsList struct {
	Counts map[jobs.State]int
	Jobs   []jobs.Job
}

// waiting returns the number of jobs that have not ended. A worker that ended with the database starts again, as
// systemd does.
func (f *fleet) waiting() int {
	f.t.Helper()
	for i, w := range f.workers {
		var status syscall.WaitStatus
		if pid, err := syscall.Wait4(w.Process.Pid, &status, syscall.WNOHANG, nil); err == nil && pid > 0 {
			f.t.Logf("worker %d ended with %v: %s", i, status, tailOf(f.logs[i].String()))
			f.start(i)
		}
	}
	var list jobsList
	f.read(&list, "jobs", "list", "--limit", "1")
	return list.Counts[jobs.Waiting] + list.Counts[jobs.Later] + list.Counts[jobs.Running]
}

func tailOf(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-3):], " | ")
}

// stop stops the workers, as systemd does.
func (f *fleet) stop() {
	f.t.Helper()
	for i, w := range f.workers {
		if err := w.Process.Signal(syscall.SIGTERM); err != nil {
			f.t.Error(err)
		}
		if err := w.Wait(); err != nil {
			f.t.Errorf("worker %d: %v: %s", i, err, tailOf(f.logs[i].String()))
		}
	}
}

// ended checks that the call of each package has one job that is done, and none that failed.
func (f *fleet) ended(packages int) {
	f.t.Helper()
	done := map[string]int{}
	var list jobsList
	f.read(&list, "jobs", "list", "--limit", "10000")
	for _, j := range list.Jobs {
		switch j.State {
		case jobs.Done:
			done[j.Command[1]]++
		case jobs.Lost:
			f.lost++
		default:
			f.t.Errorf("job %d is %s: %+v", j.ID, j.State, j)
		}
	}
	for n := 1; n <= packages; n++ {
		if pkg := fmt.Sprint("package-", n); done[pkg] != 1 {
			f.t.Errorf("%s: %d jobs are done", pkg, done[pkg])
		}
	}
	if len(done) != packages {
		f.t.Errorf("%d packages have jobs, not %d", len(done), packages)
	}
}

// stored checks that each package is stored once, with one event of its ingest, whole in every copy.
func (f *fleet) stored(packages int) {
	f.t.Helper()
	f.must("audit", "--repair", "--owed", "--repo", "repo")
	f.must("audit", "--repo", "repo")
	if owed := f.must("list", "--owed", "--json", "--repo", "repo"); owed != "" {
		f.t.Errorf("owed: %s", owed)
	}
	listed := 0
	for line := range strings.Lines(f.must("list", "--json", "--repo", "repo")) {
		var e struct {
			ID   string
			Head int
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			f.t.Fatalf("%v: %s", err, line)
		}
		listed++
		var shown struct{ Events []struct{ Type string } }
		f.read(&shown, "show", e.ID)
		ingests := 0
		for _, event := range shown.Events {
			if event.Type == "ingestion" {
				ingests++
			}
		}
		if e.Head != 1 || ingests != 1 {
			f.t.Errorf("%s has version %d and %d events of an ingest", e.ID, e.Head, ingests)
		}
	}
	if listed != packages {
		f.t.Errorf("%d packages are stored, not %d", listed, packages)
	}
}
