package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/internal/prove"
)

// TestKill kills an ingesting process with SIGKILL at random moments. Sometimes it kills twice in a
// row, which also kills recovery. After each kill the repository must open, hold every confirmed
// package, and be undamaged.
func TestKill(t *testing.T) {
	kills := prove.Rounds(4, 16, 400)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	k := &killer{t: t, random: rand.New(rand.NewPCG(seed, 0)), acked: map[string]int{}}
	k.newRepository()
	whole := k.measure()
	t.Logf("an ingest of %d packages that is left alone takes %v", packagesPerChild, whole)
	for n := range kills {
		if n%20 == 19 {
			k.newRepository() // the cost of the checks grows with the repository
		}
		k.kill(time.Duration(k.random.Int64N(int64(whole))))
		if k.random.IntN(4) > 0 {
			k.check()
		}
		if t.Failed() {
			t.Fatalf("after kill %d, seed %d", n, seed)
		}
	}
	k.check()
	t.Logf("%d kills: %d packages were acknowledged in time, %d changes dropped, %d finished by recovery", kills,
		k.acks, k.dropped, k.finished)
}

// packagesPerChild is the number of packages for each child: new packages, and new versions of old
// packages.
const packagesPerChild = 3

type killer struct {
	t        *testing.T
	random   *rand.Rand
	root     string
	serial   int
	acked    map[string]int // id → confirmed version
	acks     int
	dropped  int
	finished int
}

func (k *killer) newRepository() {
	k.root = filepath.Join(fastDir(k.t), "repo")
	k.acked = map[string]int{}
	s, err := Init(context.Background(), k.root, InitOptions{Describe: testDescribe})
	if err != nil {
		k.t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		k.t.Fatal(err)
	}
}

// packages creates the packages for a child: two ids in turn get new versions, one is new.
func (k *killer) packages() []string {
	k.serial++
	text := make([]byte, 300_000)
	for i := range text {
		text[i] = byte(k.random.Uint32())
	}
	files := content{"data/a.warc": string(text), "data/b.warc": fmt.Sprint("b ", k.serial),
		"logs/same.log": "the same in all versions"}
	return []string{
		makePackage(k.t, "urn:test:new-"+fmt.Sprint(k.serial), files),
		makePackage(k.t, "urn:test:even", files),
		makePackage(k.t, "urn:test:odd", files),
	}
}

// measure runs a child to its end, in a separate repository of the same kind.
func (k *killer) measure() time.Duration {
	start := time.Now()
	lines := startChild(k.t, "ingest", k.root, k.packages()...).rest()
	took := time.Since(start)
	if len(lines) != packagesPerChild {
		k.t.Fatalf("the child says %q", lines)
	}
	k.remember(lines)
	return took
}

func (k *killer) kill(after time.Duration) {
	c := startChild(k.t, "ingest", k.root, k.packages()...)
	timer := time.AfterFunc(after, func() { _ = c.cmd.Process.Kill() }) // it may have ended by itself
	lines := c.rest()
	timer.Stop()
	k.remember(lines)
}

// remember records the confirmed packages. A truncated line would confirm nothing, but that does
// not happen: the child writes each line at once.
func (k *killer) remember(lines []string) {
	for _, line := range lines {
		var id string
		var version int
		if strings.HasPrefix(line, "error") {
			k.t.Errorf("the child says %s", line)
		}
		if n, _ := fmt.Sscanf(line, "ack %s %d", &id, &version); n == 2 {
			k.acked[id] = version
			k.acks++
		}
	}
}

// check opens the repository like the next command.
func (k *killer) check() {
	k.t.Helper()
	ctx := context.Background()
	s, err := Open(ctx, k.root, Options{Describe: testDescribe})
	if err != nil {
		k.t.Fatalf("it does not open: %v", err)
	}
	defer func() { _ = s.Close() }()
	for _, r := range s.Recovered() {
		switch r.Outcome {
		case Dropped:
			k.dropped++
		case Finished:
			k.finished++
		case Pending:
			k.t.Errorf("recovery: %v", r)
		}
	}
	for id, version := range k.acked {
		card, err := s.card(ctx, id)
		if err != nil || card.Head < version {
			k.t.Errorf("%s version %d was acknowledged; the repository has %d (%v)", id, version, card.Head, err)
		}
	}
	mustBeSound(k.t, s)
}
