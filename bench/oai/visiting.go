package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"time"
)

// visitors is the effect of a harvest on visitors: the 95th percentile of the page load time.
type visitors struct {
	Idle, During time.Duration
	PerSecond    [2]float64 // pages a second, idle and during a harvest
	CRATEs       float64    // CRATEs per second, meanwhile
}

// Times returns the ratio of the load time during a harvest to the idle time.
func (v visitors) Times() float64 { return v.During.Seconds() / v.Idle.Seconds() }

// Goal reports whether the ratio is below two.
func (v visitors) Goal() string {
	if v.Times() < 2 {
		return "met"
	}
	return "**missed**"
}

const visitFor = 8 * time.Second

func measureVisitors(o options, folder string) (best visitors, err error) {
	for round := range o.rounds {
		s, err := start(o, folder, withPRONOM)
		if err != nil {
			return best, err
		}
		v, err := visitOnce(s, o.files)
		if err := errors.Join(err, s.stop()); err != nil {
			return best, err
		}
		progress("visitors, round %d: p95 %v idle, %v during a harvest", round+1, v.Idle, v.During)
		if best.Idle == 0 || v.Times() < best.Times() {
			best = v
		}
	}
	return best, nil
}

// visitOnce measures visits alone, then visits while one harvester requests everything.
func visitOnce(s *server, files int) (v visitors, err error) {
	if v.Idle, v.PerSecond[0], err = visit(s, files); err != nil {
		return v, err
	}
	ctx, stop := context.WithCancel(context.Background())
	var taken int
	var failed error
	done := make(chan struct{})
	begun := time.Now()
	go func() {
		defer close(done)
		for failed == nil {
			var n int
			n, _, failed = takeAll(ctx, s.base, "oai_crate")
			taken += n
		}
	}()
	v.During, v.PerSecond[1], err = visit(s, files)
	took := time.Since(begun)
	stop()
	<-done
	if !errors.Is(failed, context.Canceled) {
		err = errors.Join(err, failed)
	}
	v.CRATEs = float64(taken) / took.Seconds()
	return v, err
}

// visit has two visitors request pages one after the other.
func visit(s *server, files int) (p95 time.Duration, perSecond float64, err error) {
	var all []time.Duration
	var mu sync.Mutex
	var group sync.WaitGroup
	begun := time.Now()
	for visitor := range uint64(2) {
		group.Go(func() {
			times, failed := oneVisitor(s, files, visitor, begun.Add(visitFor))
			mu.Lock()
			defer mu.Unlock()
			all, err = append(all, times...), errors.Join(err, failed)
		})
	}
	group.Wait()
	slices.Sort(all)
	return all[len(all)*95/100], float64(len(all)) / time.Since(begun).Seconds(), err
}

func oneVisitor(s *server, files int, seed uint64, until time.Time) (times []time.Duration, err error) {
	r := rand.New(rand.NewPCG(seed, 6)) //nolint:gosec // which pages are visited
	var page bytes.Buffer
	for time.Now().Before(until) {
		i := r.IntN(files)
		begun := time.Now()
		if err := get(context.Background(), fmt.Sprintf("%s%02d/file-%05d.%s", s.root, i%50, i, pick(i).ending),
			&page); err != nil {
			return times, err
		}
		times = append(times, time.Since(begun))
	}
	return times, nil
}

// progress prints progress messages for the person at the terminal.
func progress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...)
}
