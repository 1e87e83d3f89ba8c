package browser

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// shortSites and shortPages are the amounts without QUIRE_PROVE=1.
var shortSites = []string{"01-tables", "07-routes", "08-modules"}

const shortPages, allPages = 4, 40

// comparison is a run, with the programs and the machine that made it.
type comparison struct {
	Date, Quire, Pywb, Wabac, Chromium string
	Processors                         int
	Pages                              []compared
}

// compared is a page with its measures by each engine.
type compared struct {
	Name, Page, File string
	Live             measure // of our own sites
	By               map[string]measure
}

// TestBeside shows pages of the samples, and websites of our own, by Quire, pywb and wabac.js in the
// same Chromium. Outside hosts lead to a listener. It fails if Quire is worse than another engine on
// the sum of a measure or on a page, without a reason in testdata/beside/reasons.txt.
//
// QUIRE_PROVE=1 takes all pages and sites, and writes docs/explanation/717_replay-comparison.md. The
// pictures and measures are below build/interop/beside. QUIRE_BESIDE_FROM=…/measures.json judges an
// earlier run again. QUIRE_BESIDE_ONLY=s07,21-endless visits these pages alone.
func TestBeside(t *testing.T) {
	shared := os.Getenv("QUIRE_SHARED")
	if shared == "" {
		t.Skip("QUIRE_SHARED is not set")
	}
	prove, only := os.Getenv("QUIRE_PROVE") != "", os.Getenv("QUIRE_BESIDE_ONLY")
	most := shortPages
	own := newOwnSites()
	if prove || only != "" {
		most = allPages
	}
	if only != "" {
		own.sites = slices.DeleteFunc(own.sites, func(s ownSite) bool { return !strings.Contains(only, s.name) })
	} else if !prove {
		own.sites = slices.DeleteFunc(own.sites, func(s ownSite) bool { return !slices.Contains(shortSites, s.name) })
	}
	var run comparison
	if earlier := os.Getenv("QUIRE_BESIDE_FROM"); earlier != "" {
		run = measured(t, earlier)
	} else {
		run = thisRun(t)
		run.Pages = compareAll(t, own, shared, most, only)
		keep(t, &run)
	}
	mine, theirs := run.parts()
	why := reasons(t)
	worse := append(judge(t, "own sites", mine, why, prove), judge(t, "samples", theirs, why, prove)...)
	if prove && only == "" {
		why.allUsed(t)
		writeComparison(t, &run, worse, why)
	}
}

// parts returns our own sites, and the pages of the samples.
func (c *comparison) parts() (mine, theirs []compared) {
	for _, p := range c.Pages {
		if p.File == "" {
			mine = append(mine, p)
		} else {
			theirs = append(theirs, p)
		}
	}
	return mine, theirs
}

// compareAll visits the websites live and archived, and the pages of the samples.
func compareAll(t *testing.T, own *ownSites, shared string, most int, only string) (compare []compared) {
	t.Helper()
	file, live := crawlOwn(t, own.sites, own)
	for _, s := range own.sites {
		if m := live[s.name]; len(m.Errors)+len(m.Left) > 0 || m.NoPage || m.Blank {
			t.Errorf("%s is not right on the live web: %q, requests for other hosts %q", s.name, m.Errors, m.Left)
		}
	}
	pages, containers := samplePages(t, shared, most)
	if len(pages) < most {
		t.Errorf("the samples have %d pages, not %d", len(pages), most)
	}
	all := engines(t, append(containers, file)...)
	for _, s := range own.sites {
		c := compareBy(t, all, s.name, visit{"20260304050600", s.front})
		c.Live = live[s.name]
		for name, m := range c.By {
			m.Differs = 1
			if m.pictured != nil && c.Live.pictured != nil {
				m.Differs = differs(m.pictured, c.Live.pictured)
			}
			m.Missing = without(m.Missing, c.Live.Missing)
			c.By[name] = m
		}
		compare = append(compare, c)
	}
	for i, p := range pages {
		name := fmt.Sprintf("s%02d", i+1)
		if only != "" && !strings.Contains(only, name) {
			continue
		}
		c := compareBy(t, all, name, p.visit)
		c.File = p.file
		compare = append(compare, c)
	}
	return compare
}

// measured reads the measures of an earlier run.
func measured(t *testing.T, file string) (run comparison) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &run); err != nil {
		t.Fatal(err)
	}
	return run
}

// compareBy visits a page by all engines at once: each has a browser of its own.
func compareBy(t *testing.T, all []*engine, name string, p visit) compared {
	t.Helper()
	c := compared{Name: name, Page: p.url, By: map[string]measure{}}
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, e := range all {
		wg.Go(func() {
			m := e.v.measure(t, e.address(p.timestamp, p.url), p.url, e.l)
			mu.Lock()
			defer mu.Unlock()
			c.By[e.name] = m
		})
	}
	wg.Wait()
	arrived := map[string]bool{}
	for _, m := range c.By {
		for _, part := range m.Loaded {
			arrived[part] = true
		}
	}
	for name, m := range c.By {
		m.Lacks = without(without(slices.Sorted(maps.Keys(arrived)), m.Loaded), m.Missing)
		c.By[name] = m
	}
	return c
}

func without(list, others []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(others, s) })
}

// column is a measure of the comparison.
type column struct {
	name   string
	value  func(measure) float64
	margin float64 // a larger value by this much is no worse
}

const didNotLoad = "pages that did not load"

var columns = []column{
	{"parts missing", func(m measure) float64 { return float64(len(m.Missing)) }, 0},
	{"console errors", func(m measure) float64 { return float64(len(m.Errors)) }, 0},
	{didNotLoad, func(m measure) float64 {
		if m.NoPage {
			return 1
		}
		return 0
	}, 0},
	{"requests that left the archive", func(m measure) float64 { return float64(m.Came) }, 0},
	{"pixels that differ", func(m measure) float64 { return m.Differs }, 0.001},
}

// worseThan is a page on which Quire is worse than another engine by a measure.
type worseThan struct{ page, where, measure, text string }

// judge reports where Quire is worse, on the sum and on each page. A page that one of two engines did
// not load counts as such alone: without it, there is nothing to miss.
func judge(t *testing.T, of string, pages []compared, why *excuses, whole bool) (worse []worseThan) {
	t.Helper()
	for _, c := range columns {
		mine, others := map[string]float64{}, map[string]float64{} // by the other engine
		for _, p := range pages {
			q := p.By[ofQuire]
			for _, name := range engineNames[1:] {
				o := p.By[name]
				if (q.NoPage || o.NoPage) && c.name != didNotLoad {
					continue
				}
				mine[name] += c.value(q)
				others[name] += c.value(o)
				if c.value(q) > c.value(o)+c.margin {
					text := fmt.Sprintf("%s: %.4g, by %s %.4g", c.name, c.value(q), name, c.value(o))
					worse = append(worse, worseThan{p.Name, p.where(), c.name, text})
				}
			}
		}
		for _, name := range engineNames[1:] {
			if whole && mine[name] > others[name]+c.margin {
				text := fmt.Sprintf("%s: %.4g, by %s %.4g", c.name, mine[name], name, others[name])
				sum := "sum, " + of
				worse = append(worse, worseThan{sum, sum, c.name, text})
			}
			t.Logf("%s: %.4g, by %s %.4g", c.name, mine[name], name, others[name])
		}
	}
	slices.SortStableFunc(worse, func(a, b worseThan) int { return strings.Compare(a.page, b.page) })
	for _, w := range worse {
		if why.of(w) == "" {
			t.Errorf("%s has no reason: %s", w.page, w.text)
		}
	}
	return worse
}

// where names a page in the list of reasons: our own sites by name, pages of the samples by URL.
func (c *compared) where() string {
	if c.File == "" {
		return c.Name
	}
	return c.Page
}

// excuses are the reasons why Quire is worse on a page by a measure.
type excuses struct {
	reason map[[2]string]string // by page and measure
	used   map[[2]string]bool
}

// reasons reads the reasons: the site, URL or sum, the measure, and the reason, with tabs between.
func reasons(t *testing.T) *excuses {
	t.Helper()
	e := &excuses{map[[2]string]string{}, map[[2]string]bool{}}
	for line := range strings.Lines(besideFile("reasons.txt")) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(strings.TrimSpace(line), "\t")
		if len(parts) != 3 || !slices.ContainsFunc(columns, func(c column) bool { return c.name == parts[1] }) {
			t.Fatalf("reasons.txt: %q has no page, measure and reason", line)
		}
		e.reason[[2]string{parts[0], parts[1]}] = parts[2]
	}
	return e
}

func (e *excuses) of(w worseThan) string {
	key := [2]string{w.where, w.measure}
	e.used[key] = true
	return e.reason[key]
}

// allUsed reports reasons that excuse nothing any more.
func (e *excuses) allUsed(t *testing.T) {
	t.Helper()
	for key := range e.reason {
		if !e.used[key] {
			t.Errorf("reasons.txt: Quire is not worse on %s by %s", key[0], key[1])
		}
	}
}

// keep writes the measures and pictures for people.
func keep(t *testing.T, run *comparison) {
	t.Helper()
	dir := cmp.Or(os.Getenv("QUIRE_BESIDE_OUT"), "../../build/interop/beside")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	save := func(name string, content []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Error(err)
		}
	}
	for _, c := range run.Pages {
		if c.Live.Shot != nil {
			save(c.Name+".live.png", c.Live.Shot)
		}
		for name, m := range c.By {
			save(c.Name+"."+name+".png", m.Shot)
		}
	}
	text, err := json.MarshalIndent(run, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	save("measures.json", text)
}
