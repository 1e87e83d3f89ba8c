package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"time"
)

// load is a mixed load and its effect on memory.
type load struct {
	When    string
	During  time.Duration
	Answers latency
	Samples []sample
	Most    int64   // process memory in bytes, per sample
	Mapped  int64   // bytes of mapped files, at the end
	Growth  float64 // mean of the last quarter over mean of the second
}

// sample is the memory at one moment.
type sample struct {
	After time.Duration
	Bytes int64
}

// Goal reports whether memory stayed constant. The first quarter does not count, because it fills
// caches.
func (l load) Goal() string {
	if l.Growth < 1.1 {
		return "met"
	}
	return "**missed**"
}

// measureLoad runs eight readers that mix all requests: pages, raw records, look-ups, searches,
// timelines, TimeMaps.
func measureLoad(o options, s *server) (l load, err error) {
	l.When, l.During = time.Now().UTC().Format("2006-01-02"), o.load
	stop, done := make(chan struct{}), make(chan struct{})
	begun := time.Now()
	go func() {
		defer close(done)
		tick := time.NewTicker(max(o.load/60, time.Second))
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				if now, _, err := s.memory(); err == nil {
					l.Samples = append(l.Samples, sample{time.Since(begun), now})
				}
			}
		}
	}()
	l.Answers, err = ask("mixed load", 8, o.load, func(r *rand.Rand) string {
		i := r.IntN(o.pages)
		switch r.IntN(20) {
		case 0:
			return s.ui + "/search?q=" + url.QueryEscape(word(r.IntN(5000)))
		case 1:
			return s.ui + "/versions/all/" + pageURL(i)
		case 2:
			return s.archive + "timemap/link/" + pageURL(i)
		case 3, 4, 5:
			return s.archive + "cdx?limit=10&url=" + url.QueryEscape(pageURL(i))
		case 6, 7:
			return s.archive + capturedAt(i) + "id_/" + pageURL(i)
		}
		return s.archive + capturedAt(i) + "mp_/" + pageURL(i)
	})
	close(stop)
	<-done
	if err != nil {
		return l, err
	}
	for _, one := range l.Samples {
		l.Most = max(l.Most, one.Bytes)
	}
	_, l.Mapped, err = s.memory()
	quarter := len(l.Samples) / 4
	if quarter == 0 {
		return l, fmt.Errorf("the load was too short to judge memory: %v", o.load)
	}
	l.Growth = mean(l.Samples[3*quarter:]) / mean(l.Samples[quarter:2*quarter])
	return l, err
}

func mean(samples []sample) (sum float64) {
	for _, s := range samples {
		sum += float64(s.Bytes)
	}
	return sum / float64(len(samples))
}

// onlyLoad measures only the load. Memory needs half an hour of load, but not a quiet machine.
func onlyLoad(o options, repo string) (err error) {
	s, err := serveQuire(o, repo)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	_, err = loadOf(o, s)
	return err
}

// loadOf measures the load, or reads the result of the last one.
func loadOf(o options, s *server) (l load, err error) {
	kept := filepath.Join(o.work, "load.json")
	if o.load == 0 {
		text, err := os.ReadFile(kept)
		if errors.Is(err, fs.ErrNotExist) {
			return l, nil
		}
		return l, errors.Join(err, json.Unmarshal(text, &l))
	}
	if l, err = measureLoad(o, s); err != nil {
		return l, err
	}
	text, err := json.Marshal(l)
	return l, errors.Join(err, os.WriteFile(kept, text, 0o600))
}
