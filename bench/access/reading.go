package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// latency is the response time of one kind of request.
type latency struct {
	What      string
	Count     int
	PerSecond float64
	Median    time.Duration
	P95       time.Duration
	Asked     string // goal in the issue
	Met       bool
}

// Goal reports whether the goal is reached.
func (a latency) Goal() string {
	switch {
	case a.Asked == "":
		return ""
	case a.Met:
		return "met"
	}
	return "**missed**"
}

// reader is a client with one connection. It uses little of the machine.
type reader struct {
	conn net.Conn
	in   *bufio.Reader
	host string
}

// get requests a URL from the connected host and reads the answer.
func (r *reader) get(address string) (status int, size int64, err error) {
	host, path, _ := strings.Cut(strings.TrimPrefix(address, "http://"), "/")
	for again := range 2 {
		if r.conn == nil || r.host != host {
			if r.conn, err = net.Dial("tcp", host); err != nil {
				return 0, 0, err
			}
			r.in, r.host = bufio.NewReaderSize(r.conn, 64<<10), host
		}
		if _, err = fmt.Fprintf(r.conn, "GET /%s HTTP/1.1\r\nHost: %s\r\nUser-Agent: bench\r\n\r\n", path,
			host); err == nil {
			var answer *http.Response
			if answer, err = http.ReadResponse(r.in, nil); err == nil {
				size, err = io.Copy(io.Discard, answer.Body)
				if answer.Close {
					_ = r.conn.Close() // as announced
					r.conn = nil
				}
				return answer.StatusCode, size, errors.Join(err, answer.Body.Close())
			}
		}
		_ = r.conn.Close() // the server may have closed it: try again
		r.conn = nil
		if again == 1 {
			break
		}
	}
	return 0, 0, err
}

// ask has several readers request one URL after the other, for the given time.
func ask(what string, readers int, during time.Duration, address func(r *rand.Rand) string) (latency, error) {
	a := latency{What: what}
	var all []time.Duration
	var failed error
	var mu sync.Mutex
	var group sync.WaitGroup
	begun := time.Now()
	for n := range readers {
		group.Go(func() {
			var client reader
			var times []time.Duration
			var err error
			choose := rand.New(rand.NewPCG(uint64(n), 8)) //nolint:gosec // which pages are asked for
			for err == nil && time.Since(begun) < during {
				url := address(choose)
				start := time.Now()
				var status int
				if status, _, err = client.get(url); err == nil && status != http.StatusOK {
					err = fmt.Errorf("%s answers %d", url, status)
				}
				times = append(times, time.Since(start))
			}
			mu.Lock()
			defer mu.Unlock()
			all, failed = append(all, times...), errors.Join(failed, err)
		})
	}
	group.Wait()
	if len(all) == 0 || failed != nil {
		return a, errors.Join(fmt.Errorf("%s: %d answers", what, len(all)), failed)
	}
	slices.Sort(all)
	a.Count, a.PerSecond = len(all), float64(len(all))/time.Since(begun).Seconds()
	a.Median, a.P95 = all[len(all)/2], all[len(all)*95/100]
	return a, nil
}

// throughput is the number of pages and look-ups that a server answers per second.
type throughput struct {
	Who        string
	Pages, CDX latency
	Memory     int64
	CPUPerPage time.Duration
}

func measureGiving(o options, repo, container string) (all []throughput, err error) {
	starts := []func() (*server, error){func() (*server, error) { return serveQuire(o, repo) }}
	if o.wayback != "" {
		starts = append(starts, func() (*server, error) { return servePywb(o, container) })
	}
	for _, start := range starts {
		s, err := start()
		if err != nil {
			return nil, err
		}
		g, err := giveOne(o, s)
		if err := errors.Join(err, s.stop()); err != nil {
			return nil, err
		}
		all = append(all, g)
	}
	all[0].Pages.Asked, all[0].Pages.Met = "1,500/s", all[0].Pages.PerSecond >= 1500
	return all, nil
}

func giveOne(o options, s *server) (g throughput, err error) {
	g.Who = s.name
	some := min(o.pages, 2000)
	for range o.rounds {
		before, err := s.cpu()
		if err != nil {
			return g, err
		}
		pages, err := ask("rewritten pages", 4, o.each, func(r *rand.Rand) string {
			i := r.IntN(some)
			return s.archive + capturedAt(i) + "mp_/" + pageURL(i)
		})
		if err != nil {
			return g, err
		}
		after, err := s.cpu()
		if err != nil {
			return g, err
		}
		lookups, err := ask("look-ups by the CDX server", 4, o.each/2, func(r *rand.Rand) string {
			return s.archive + "cdx?limit=1&url=" + url.QueryEscape(pageURL(r.IntN(o.pages)))
		})
		if err != nil {
			return g, err
		}
		progress("%s: %.0f pages/s, %.0f look-ups/s", s.name, pages.PerSecond, lookups.PerSecond)
		if pages.PerSecond > g.Pages.PerSecond {
			g.Pages, g.CPUPerPage = pages, (after-before)/time.Duration(pages.Count)
		}
		if lookups.PerSecond > g.CDX.PerSecond {
			g.CDX = lookups
		}
	}
	g.Memory, _, err = s.memory()
	return g, err
}

// capturedAt returns the capture time of a page as a timestamp.
func capturedAt(i int) string {
	return time.Date(2010, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(i) * time.Minute).Format("20060102150405")
}

// indexing is the cost of making an index.
type indexing struct {
	What  string
	Clock time.Duration
	CPU   time.Duration
}

// measureIndexing builds the indexes from scratch.
func measureIndexing(o options, repo string) ([]indexing, error) {
	cmd := exec.Command(o.quire, "index", "--repo", repo, "--rebuild") //nolint:gosec // our own program
	begun := time.Now()
	said, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("quire index: %w: %s", err, said)
	}
	return []indexing{{"capture index and text index", time.Since(begun),
		cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}}, nil
}

// measureSearch searches for words of every frequency with one reader. It measures response times,
// not throughput.
func measureSearch(o options, s *server) (all []latency, err error) {
	frequency := func(r *rand.Rand) string { return word(int(rand.NewZipf(r, 1.1, 4, 20_000).Uint64())) }
	for _, q := range []struct {
		what string
		make func(r *rand.Rand) string
	}{
		{"one word", frequency},
		{"two words", func(r *rand.Rand) string { return frequency(r) + " " + frequency(r) }},
		{"a phrase", func(r *rand.Rand) string { return `"` + word(r.IntN(20)) + " " + word(r.IntN(20)) + `"` }},
		{"a word on one host", func(r *rand.Rand) string {
			return fmt.Sprintf("%s host:host-%02d.example", frequency(r), r.IntN(hosts))
		}},
	} {
		a, err := ask("search: "+q.what, 1, o.each, func(r *rand.Rand) string {
			return s.ui + "/search?q=" + url.QueryEscape(q.make(r))
		})
		if err != nil {
			return nil, err
		}
		a.Asked, a.Met = "p95 < 50 ms", a.P95 < 50*time.Millisecond
		progress("%s: median %v, p95 %v of %d", a.What, a.Median, a.P95, a.Count)
		all = append(all, a)
	}
	return all, nil
}

// onlySearch measures only searches. It uses the index of an earlier run, and rebuilds it if its
// version differs.
func onlySearch(o options, repo string) (err error) {
	if said, err := exec.Command(o.quire, "index", "--repo",
		repo).CombinedOutput(); err != nil { //nolint:gosec // our own program
		return fmt.Errorf("quire index: %w: %s", err, said)
	}
	s, err := serveQuire(o, repo)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	for range o.rounds {
		if _, err := measureSearch(o, s); err != nil {
			return err
		}
	}
	return nil
}

// measureTimeline requests the timeline page of the URL with many captures.
func measureTimeline(o options, s *server) (all []latency, err error) {
	for _, p := range []struct{ what, path string }{
		{"all years", "/versions/all/" + often},
		{"its TimeMap, first page", ""},
	} {
		a, err := ask(p.what, 1, o.each/2, func(*rand.Rand) string {
			if p.path == "" {
				return s.archive + "timemap/link/" + often
			}
			return s.ui + p.path
		})
		if err != nil {
			return nil, err
		}
		if p.path != "" {
			a.Asked, a.Met = "< 200 ms", a.P95 < 200*time.Millisecond
		}
		progress("%s: p95 %v", a.What, a.P95)
		all = append(all, a)
	}
	return all, nil
}
