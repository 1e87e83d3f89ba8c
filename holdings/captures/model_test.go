package captures

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

// synthetic is a repository whose containers are lists of lines. The tests compare results of the
// index with counts made directly from these lists.
type synthetic map[string]map[string][]Line // by package and path

func (s synthetic) add(ctx context.Context, x *Index, pkg string) error {
	var all []Container
	for path := range s[pkg] {
		all = append(all, Container{Path: path, SHA512: path})
	}
	slices.SortFunc(all, func(a, b Container) int { return strings.Compare(a.Path, b.Path) })
	return x.Add(ctx, pkg, all, func(_ context.Context, c *Container, line func(*Line) error) error {
		for _, l := range s[pkg][c.Path] {
			if err := line(&l); err != nil {
				return err
			}
		}
		return nil
	})
}

var hosts = []string{"example.org", "www.example.org", "sub.example.org", "example.org:8080", "example.com",
	"examples.org"}

func someLines(r *rand.Rand, n int) []Line {
	var all []Line
	for i := range n {
		l := Line{Capture: Capture{Type: "response", Status: 200,
			Timestamp: fmt.Sprintf("20%02d%02d%02d%02d0000", r.IntN(30), 1+r.IntN(12), 1+r.IntN(28), r.IntN(24)),
			URL: fmt.Sprintf("http://%s/p%d%s", hosts[r.IntN(len(hosts))], r.IntN(5),
				[]string{"", "/", "/q", "?a"}[r.IntN(4)])}}
		l.Key, l.Record.Order = keyOf(l.URL, nil), int64(i+1)
		if r.IntN(50) == 0 {
			l.URL += strings.Repeat("x", r.IntN(20000))
			l.Key = keyOf(l.URL, nil)
		}
		all = append(all, l)
	}
	return all
}

// mean returns the captures that a query selects, computed in the simplest way.
func (s synthetic) mean(q Query) []string {
	type found struct{ key, timestamp, name string }
	var all []found
	ranges, _ := stretchesOf(&Query{URL: q.URL, Match: q.Match})
	for pkg, containers := range s {
		for _, lines := range containers {
			for _, l := range lines {
				in := slices.ContainsFunc(ranges, func(s stretch) bool {
					line := []byte(l.Key + " " + l.Timestamp + " {")
					return bytes.Compare(line, s.from) >= 0 && bytes.Compare(line, s.to) < 0
				})
				wanted := q.Packages == nil || slices.Contains(q.Packages, pkg)
				if in && wanted && l.Timestamp[:len(q.From)] >= q.From && l.Timestamp[:len(q.To)] <= q.To {
					all = append(all, found{l.Key, l.Timestamp, l.Key + " " + l.Timestamp})
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b found) int {
		if q.Closest != "" {
			x, at := func(f found) int64 {
				return abs(seconds([]byte(f.timestamp)) - seconds([]byte(q.Closest)))
			}, strings.Compare(a.timestamp, b.timestamp)
			if x(a) != x(b) {
				return int(x(a) - x(b))
			}
			return at
		}
		order := strings.Compare(a.name, b.name)
		if q.Reverse {
			return -order
		}
		return order
	})
	var names []string
	for _, f := range all {
		names = append(names, f.name)
	}
	return names
}

// TestModel: after packages are added, changed and removed, every query gives the same result as a
// plain list, also in pages.
func TestModel(t *testing.T) {
	for seed := range uint64(2) {
		r := rand.New(rand.NewPCG(seed, 7))
		s, x := synthetic{}, open(t, filepath.Join(t.TempDir(), DirName))
		for step := range 30 {
			pkg := fmt.Sprintf("p%d", r.IntN(12))
			if s[pkg] = map[string][]Line{}; r.IntN(5) > 0 {
				for range 1 + r.IntN(3) {
					s[pkg][fmt.Sprintf("c%d-%d.warc", step, r.IntN(100))] = someLines(r, r.IntN(60))
				}
			}
			if err := s.add(t.Context(), x, pkg); err != nil {
				t.Fatal(err)
			}
		}
		if n := len(x.current.segments); n > 8 {
			t.Errorf("%d segments", n)
		}
		if seed == 1 { // as without file mapping
			for _, f := range x.current.segments {
				unmap(f)
			}
		}
		for range 150 {
			q := Query{URL: fmt.Sprintf("http://%s/p%d", hosts[r.IntN(len(hosts))], r.IntN(5)),
				Match: []Match{"", Exact, Prefix, Host, Domain}[r.IntN(5)]}
			if r.IntN(5) == 0 {
				q = Query{}
			}
			if r.IntN(3) == 0 {
				q.From = fmt.Sprintf("20%02d%02d", r.IntN(30), r.IntN(13))[:2+r.IntN(5)]
			}
			if r.IntN(3) == 0 {
				q.To = fmt.Sprintf("20%02d%02d", r.IntN(30), r.IntN(13))[:2+r.IntN(5)]
			}
			if r.IntN(3) == 0 {
				q.Packages = [][]string{{"p1", "p5", "p7", "px"}, {"p3"}, {"px"}}[r.IntN(3)]
			}
			q.Reverse = r.IntN(2) == 0
			if q.URL != "" && (q.Match == "" || q.Match == Exact) && r.IntN(2) == 0 {
				q.Closest, q.Reverse = fmt.Sprintf("20%02d%02d15120000", r.IntN(30), 1+r.IntN(12)), false
			}
			checkQuery(t, x, s, q)
		}
	}
}

func checkQuery(t *testing.T, x *Index, s synthetic, q Query) {
	t.Helper()
	want := s.mean(q)
	var got []string
	var captures []*Capture
	for c, err := range x.Captures(t.Context(), q) {
		if err != nil {
			t.Fatal(err)
		}
		got, captures = append(got, c.Key+" "+c.Timestamp), append(captures, c)
	}
	if q.Match == Domain { // stretch by stretch
		slices.Sort(got)
		slices.Sort(want)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%+v:\ngot %d %q\nwant %d %q", q, len(got), got[:min(len(got), 10)], len(want),
			want[:min(len(want), 10)])
	}
	paged, size := q, 3
	for at := 0; at < len(captures); {
		n := 0
		for c, err := range x.Captures(t.Context(), paged) {
			if err != nil {
				t.Fatal(err)
			}
			if w := captures[at]; c.Key != w.Key || !reflect.DeepEqual(c.Record, w.Record) ||
				c.Timestamp != w.Timestamp {
				t.Fatalf("%+v: in pages, capture %d is %+v, not %+v", q, at, c, w)
			}
			paged.After = c
			if at, n = at+1, n+1; n == size {
				break
			}
		}
		if n == 0 {
			t.Fatalf("%+v: the pages end at %d of %d", q, at, len(captures))
		}
		size *= 4
	}
}

// TestTogether checks that readers see a package completely or not at all while packages change.
func TestTogether(t *testing.T) {
	dir := filepath.Join(t.TempDir(), DirName)
	writer, other := open(t, dir), open(t, dir) // as two processes
	s := synthetic{}
	for i := range 10 {
		var lines []Line
		for n := range 20 {
			lines = append(lines, Line{Capture: Capture{Type: "response", Timestamp: fmt.Sprintf("20200101%06d", n),
				URL: url, Key: keyOf(url, nil), Record: Place{Order: int64(n)}}})
		}
		s[fmt.Sprint("p", i)] = map[string][]Line{fmt.Sprint(i, ".warc"): lines}
	}
	var wait sync.WaitGroup
	stop := make(chan struct{})
	for _, x := range []*Index{writer, other} {
		wait.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				count := map[string]int{}
				for c, err := range x.Captures(t.Context(), Query{URL: url}) {
					if err != nil {
						t.Error(err)
						return
					}
					count[c.Package]++
				}
				for pkg, n := range count {
					if n != 20 {
						t.Errorf("%d of 20 lines of %s", n, pkg)
					}
				}
			}
		})
	}
	for round := range 3 {
		for pkg := range s {
			err := s.add(t.Context(), writer, pkg)
			if round == 1 {
				err = writer.Remove(t.Context(), pkg)
			}
			if err != nil {
				t.Error(err)
			}
		}
	}
	close(stop)
	wait.Wait()
	if n := len(strings.Split(ask(t, other, Query{}), "|")); n != 200 {
		t.Errorf("%d lines", n)
	}
}
