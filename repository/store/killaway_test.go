package store

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/internal/prove"
)

// TestKillWithACopyAway kills three processes in each round, at random moments: an ingest and a repair
// while copy-3 is away, and the refill after it is back. Two of three copies are required. After each
// kill, the repository opens, and every acknowledged package is there.
func TestKillWithACopyAway(t *testing.T) {
	rounds := prove.Rounds(2, 6, 120)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	k := &killer{t: t, random: rand.New(rand.NewPCG(seed, 0))}
	mended := 0
	for n := range rounds {
		if n%10 == 0 {
			k.root, k.acked = filepath.Join(fastDir(t), "repo"), map[string]int{}
			s, err := Init(context.Background(), k.root, InitOptions{Describe: testDescribe, Rules: Rules{Require: 2}})
			if err != nil {
				t.Fatal(err)
			}
			_ = s.Close()
		}
		mended += k.round()
		if t.Failed() {
			t.Fatalf("round %d, seed %d", n, seed)
		}
	}
	t.Logf("%d rounds: %d packages were acknowledged in time, %d mended in time, %d changes dropped, %d finished by "+
		"recovery", rounds, k.acks, mended, k.dropped, k.finished)
}

// round makes the three kills, and returns the number of packages that the killed repairs mended.
func (k *killer) round() (mended int) {
	k.t.Helper()
	ctx := context.Background()
	third := &copyFolder{name: "copy-3", path: filepath.Join(k.root, "copy-3")}
	back := takeAway(k.t, third)
	k.killChild("ingest", k.packages()...)
	s := k.open()
	var ids []string
	for p, err := range s.Packages(ctx) {
		if err != nil {
			k.t.Fatal(err)
		}
		ids = append(ids, p.ID)
		remove(k.t, filepath.Join(s.copies[k.random.IntN(2)].object(p.Path), "v1/content/data/a.warc"))
	}
	_ = s.Close()
	mended += k.killChild("repair", ids...)
	_ = k.open().Close()
	back()
	mended += k.killChild("refill")
	s = k.open()
	for _, id := range ids {
		if _, err := s.Repair(ctx, id, RepairOptions{}); err != nil {
			k.t.Error(err)
		}
	}
	mustBeSound(k.t, s)
	_ = s.Close()
	return mended
}

// killChild runs a child and kills it at a random moment.
func (k *killer) killChild(mode string, args ...string) (mended int) {
	k.t.Helper()
	c := startChild(k.t, mode, k.root, args...)
	timer := time.AfterFunc(time.Duration(k.random.Int64N(int64(400*time.Millisecond))), func() {
		_ = c.cmd.Process.Kill() // it may have ended by itself
	})
	lines := c.rest()
	timer.Stop()
	k.remember(lines)
	for _, line := range lines {
		if strings.HasPrefix(line, "mended ") {
			mended++
		}
	}
	return mended
}

// open opens the repository like the next command, and checks the acknowledged packages.
func (k *killer) open() *Store {
	k.t.Helper()
	s, err := Open(context.Background(), k.root, Options{Describe: testDescribe})
	if err != nil {
		k.t.Fatalf("it does not open: %v", err)
	}
	for _, r := range s.Recovered() {
		switch r.Outcome {
		case Dropped:
			k.dropped++
		case Finished:
			k.finished++
		default:
			k.t.Errorf("recovery: %v", r)
		}
	}
	for id, version := range k.acked {
		card, err := s.card(context.Background(), id)
		if err != nil || card.Head < version {
			k.t.Errorf("%s version %d was acknowledged; the repository has %d (%v)", id, version, card.Head, err)
		}
	}
	return s
}
