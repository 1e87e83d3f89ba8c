//go:build interop

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

	"quire/internal/prove"
)

// TestKillMixed kills quire, versitygw or both, at random moments, while quire stores, amends, copies, repairs and
// purges. Two copies are folders, one is in a bucket, and further ones of both kinds are added. After each kill,
// nothing acknowledged is lost, and no change is half.
func TestKillMixed(t *testing.T) {
	seed, kills, began := uint64(time.Now().UnixNano()), prove.Rounds(10, 10, 300), time.Now()
	t.Logf("seed %d", seed)
	m := &mixed{program: newProgram(t), random: rand.New(rand.NewPCG(seed, 0)), takes: map[string]time.Duration{},
		kills: map[string]int{}}
	for n := 0; m.killed < kills; n++ {
		if n == 10*kills {
			t.Fatalf("only %d of %d commands were killed", m.killed, n)
		}
		if n%25 == 0 {
			m.end()
			m.begin()
		}
		m.round(n)
		m.check()
		if n%8 == 7 {
			m.valid()
		}
		if t.Failed() {
			t.Fatalf("after round %d, %s, seed %d", n, m.last, seed)
		}
	}
	m.end()
	t.Logf("%d kills in %.0f s: %v; versitygw was killed %d times; %d changes acknowledged; findings after kills: %v",
		m.killed, time.Since(began).Seconds(), m.kills, m.servers, m.acks, m.found)
}

// mixed is a repository whose commands are killed.
type mixed struct {
	*program
	random      *rand.Rand
	generation  int
	serial      int
	held        map[int]*holding
	adding      string                   // the place of a copy that is being added
	harmed      map[string]bool          // "package copy" with damage made by the test
	takes       map[string]time.Duration // command → its usual time
	kills       map[string]int           // command → kills
	found       map[string]int           // code → findings
	last        string                   // the last command
	killed      int
	servers     int
	acks        int
	interrupted bool // the last command did not end by itself, or failed
}

// holding is a package that was stored, by its number.
type holding struct {
	version int             // acknowledged; 0: none
	copies  map[string]bool // that have this version
}

func identifier(n int) string { return fmt.Sprint("urn:test:", n) }

// begin makes a new repository.
func (m *mixed) begin() {
	m.generation++
	m.held, m.harmed, m.adding = map[int]*holding{}, map[string]bool{}, ""
	if m.found == nil {
		m.found = map[string]int{}
	}
	m.must("init", m.repo(), "--copy", m.place("one"), "--copy", m.place("two"), "--copy", m.place("s3"), "--require",
		"2")
	for range 3 {
		m.must("ingest", m.fresh(), "--repo", m.repo())
	}
	m.check()
}

func (m *mixed) repo() string { return fmt.Sprint("repo-", m.generation) }

// place returns a place of this repository: a folder, or a bucket if the name begins with s3.
func (m *mixed) place(name string) string {
	if strings.HasPrefix(name, "s3") {
		return fmt.Sprintf("s3://archive/g%d-%s", m.generation, name)
	}
	return fmt.Sprintf("g%d-%s", m.generation, name)
}

// fresh packs a new package, and returns its folder.
func (m *mixed) fresh() string {
	m.serial++
	m.held[m.serial] = &holding{copies: map[string]bool{}}
	return m.pack(m.serial)
}

// anyOf returns one of the packages that are certainly there; 0 if there is none.
func (m *mixed) anyOf() int {
	var list []int
	for n := range m.serial + 1 {
		if h := m.held[n]; h != nil && h.version > 0 {
			list = append(list, n)
		}
	}
	if len(list) == 0 {
		return 0
	}
	return list[m.random.IntN(len(list))]
}

// round runs one command, and kills it.
func (m *mixed) round(n int) {
	m.t.Helper()
	id := m.anyOf()
	if id == 0 {
		m.must("ingest", m.fresh(), "--repo", m.repo())
		m.check()
		id = m.anyOf()
	}
	switch n % 5 {
	case 0:
		m.kill("ingest", m.fresh(), "--json")
	case 1:
		m.kill("amend", identifier(id), "--title", fmt.Sprint("title ", n), "--because", "test", "--json")
	case 2:
		if m.adding == "" {
			m.adding = m.place(fmt.Sprintf("%s-%d", []string{"s3", "folder"}[n/5%2], n))
		}
		if out := m.kill("copy", "add", m.adding, "--json"); !m.interrupted && out != "" {
			m.adding = ""
		}
	case 3:
		m.harm(id)
		m.kill("audit", "--repair", "--json")
	default:
		m.purge(identifier(id))
	}
}

// purge requests a purge, and kills the request or its approval.
func (m *mixed) purge(id string) {
	m.t.Helper()
	request := []string{"purge", "request", id, "--because", "test", "--authority", "board", "--by", "Ada", "--repo",
		m.repo()}
	if token := m.requested(id); token != "" { // the package may have changed since
		m.must("purge", "cancel", token, "--because", "test", "--by", "Ada", "--repo", m.repo())
	}
	if m.random.IntN(4) == 0 {
		m.kill(request[0], request[1:len(request)-2]...)
		return
	}
	m.must(request...)
	token := m.requested(id)
	m.kill("purge", "approve", token, "--by", "Bob", "--json")
}

// requested returns the token of a request that is not approved.
func (m *mixed) requested(id string) string {
	m.t.Helper()
	for _, p := range m.purges() {
		if p.Package == id && p.State == "requested" {
			return p.Token
		}
	}
	return ""
}

// kill runs a command, and ends it, versitygw, or both after some time. It keeps the acknowledgements, and returns
// the output.
func (m *mixed) kill(name string, args ...string) string {
	m.t.Helper()
	usual := m.takes[name]
	if usual == 0 {
		usual = 100 * time.Millisecond
	}
	after, victims := time.Duration(m.random.Int64N(int64(usual))), m.random.IntN(5)
	server, program := victims < 2, victims != 0 // both: 1
	cmd := m.command(append(append([]string{name}, args...), "--repo", m.repo())...)
	m.last = strings.Join(cmd.Args[1:], " ")
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	began := time.Now()
	if err := cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // its status is in cmd
		close(ended)
	}()
	select {
	case <-ended:
		server = false
	case <-time.After(after):
		if server {
			m.servers++
			m.service.kill()
		}
		if program {
			_ = cmd.Process.Kill() // it may have ended
		}
	}
	if server {
		time.Sleep(time.Duration(m.random.Int64N(int64(300 * time.Millisecond))))
		m.service.start()
	}
	m.await(cmd, ended)
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	m.interrupted = !cmd.ProcessState.Success()
	switch {
	case status.Signaled():
		m.killed++
		m.kills[name]++
		m.takes[name] = usual * 51 / 50
	case !server:
		m.takes[name] = max(time.Since(began), 20*time.Millisecond)
		if m.interrupted && name != "audit" {
			m.t.Errorf("%s: %v, %s", m.last, cmd.ProcessState, errs.String())
		}
	}
	m.acknowledge(out.String())
	return out.String()
}

// await waits for the end of a command.
func (m *mixed) await(cmd *exec.Cmd, ended <-chan struct{}) {
	m.t.Helper()
	select {
	case <-ended:
	case <-time.After(5 * time.Minute):
		_ = cmd.Process.Kill()
		m.t.Fatalf("%s hangs", m.last)
	}
}

// acknowledge keeps the versions that a command reported as stored.
func (m *mixed) acknowledge(out string) {
	m.t.Helper()
	for line := range strings.Lines(out) {
		var r struct {
			ID      string
			Version int
			Copies  []struct{ Name string }
		}
		var n int
		if json.Unmarshal([]byte(line), &r) != nil || r.Version == 0 {
			continue
		}
		if _, err := fmt.Sscanf(r.ID, "urn:test:%d", &n); err != nil || m.held[n] == nil {
			m.t.Errorf("the output names %q", r.ID)
			continue
		}
		m.acks++
		m.held[n] = &holding{version: r.Version, copies: map[string]bool{}}
		for _, c := range r.Copies {
			m.held[n].copies[c.Name] = true
		}
		if len(r.Copies) < 2 {
			m.t.Errorf("%s is acknowledged in %d copies", r.ID, len(r.Copies))
		}
	}
}

// harm damages a package in one of its copies: a file is removed or changed, or the whole object is removed.
func (m *mixed) harm(n int) {
	m.t.Helper()
	copies := m.copies()
	c := copies[m.random.IntN(len(copies))]
	object := m.object(c, n)
	if object == "" {
		return // the copy is owed the package
	}
	m.harmed[identifier(n)+" "+c.name] = true
	file := filepath.Join(object, "v1", "content", "containers", "a.warc")
	var err error
	switch m.random.IntN(3) {
	case 0:
		err = os.Remove(file)
	case 1:
		var text []byte
		if text, err = os.ReadFile(file); err == nil {
			text[m.random.IntN(len(text))] ^= 1
			_ = os.Chmod(file, 0o600) // stored files are read-only
			err = os.WriteFile(file, text, 0o600)
		}
	default:
		err = os.RemoveAll(object)
	}
	if err != nil {
		m.t.Fatal(err)
	}
}
