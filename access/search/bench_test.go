package search

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"quire/holdings"
	"quire/holdings/captures"
)

// vocabulary generates words with the frequencies of natural language: the n-th is about 1/n times
// as frequent as the first.
type vocabulary struct {
	zipf *rand.Zipf
	r    *rand.Rand
}

func newVocabulary(seed int64) *vocabulary {
	r := rand.New(rand.NewSource(seed))
	return &vocabulary{rand.NewZipf(r, 1.07, 2.7, 200_000), r}
}

const syllables = "kalumisotarenipobedufagojivexyzu"

func (v *vocabulary) word() string {
	n := v.zipf.Uint64()
	w := ""
	for {
		w += syllables[n%16*2 : n%16*2+2]
		if n /= 16; n == 0 {
			return w
		}
	}
}

func (v *vocabulary) text(words int) string {
	var b strings.Builder
	for i := range words {
		b.WriteString(v.word())
		if i%12 == 11 {
			b.WriteString(". ")
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// many returns a house of n captures: pages of sites, some with versions, and a few PDFs (as plain
// text, because the cost of PDF is measured elsewhere).
func many(n int) *house {
	v := newVocabulary(1)
	h := newHouse()
	for i := range n {
		site := i / 250
		url := fmt.Sprintf("http://site%d.example/", site)
		if i%250 > 0 {
			url += strings.Repeat("dir/", v.r.Intn(3)) + v.word() + fmt.Sprintf("-%d.html", i)
		}
		i, n := item{pkg: fmt.Sprintf("p%d", site/4), at: fmt.Sprintf("%d0102030405", 2005+v.r.Intn(20)), url: url,
			mime: "text/html"}, i
		i.written = func() string { // a million texts at once would be gigabytes
			v := newVocabulary(int64(n) + 3)
			return page(v.text(4), v.text(100+v.r.Intn(400)))
		}
		h.add(i)
	}
	for c := range 5 {
		for p := c; p < n/1000+1; p += 5 {
			h.collections[fmt.Sprint("c", c)] = append(h.collections[fmt.Sprint("c", c)], fmt.Sprint("p", p))
		}
	}
	return h
}

// BenchmarkQuery searches 100,000 pages (or QUIRE_PAGES) for one word, two words and phrases, with
// all facets, for readers with partial access. Each query is different. It reports the 95th
// percentile. With QUIRE_SOLR it measures Solr. QUIRE_INDEX names a folder that keeps the index for the next run.
func BenchmarkQuery(b *testing.B) {
	n := 100_000
	if _, err := fmt.Sscan(os.Getenv("QUIRE_PAGES"), &n); err != nil && os.Getenv("QUIRE_PAGES") != "" {
		b.Fatal(err)
	}
	h := many(n)
	rule := func(_ holdings.Reader, c *captures.Capture) holdings.Decision {
		return holdings.Decision{Verdict: holdings.Open, Allowed: !strings.Contains(c.URL, "7.html")}
	}
	if os.Getenv("QUIRE_INDEX") != "" {
		h.rule(rule) // an index that is kept has it
	}
	begin := time.Now()
	s := openEngineIn(b, cmp.Or(os.Getenv("QUIRE_INDEX"), b.TempDir()), h)
	took := time.Since(begin)
	b.Logf("%d pages indexed in %v: %.0f a second", n, took.Round(time.Second), float64(n)/took.Seconds())
	h.rule(rule)
	begin = time.Now()
	if engine().Engine == SolrName {
		updateIndex(b, s) // without it, nothing is counted
	}
	ask(b, s, public, Query{})
	b.Logf("the first question after rules have changed: %v", time.Since(begin))
	for _, kind := range []string{"one word", "two words", "three words", "phrase", "word and filters"} {
		b.Run(kind, func(b *testing.B) {
			v := newVocabulary(2)
			var all, cpu []time.Duration
			hits, before := 0, solrTime(b)
			for b.Loop() {
				q := Query{Text: v.text(map[string]int{"one word": 1, "two words": 2, "three words": 3, "phrase": 2,
					"word and filters": 1}[kind])}
				switch kind {
				case "phrase":
					q.Text = `"` + q.Text + `"`
				case "word and filters":
					q.Filters = []Filter{{Field: Year, Value: fmt.Sprint(2005 + v.r.Intn(20))},
						{Field: Collection, Value: fmt.Sprint("c", v.r.Intn(5))}}
				}
				begin, used := time.Now(), cpuTime()
				hits += ask(b, s, public, q).Total
				all, cpu = append(all, time.Since(begin)), append(cpu, cpuTime()-used)
			}
			slices.Sort(all)
			slices.Sort(cpu)
			b.ReportMetric((solrTime(b)-before)*1000/float64(len(all)), "solr-cpu-ms/op")
			b.ReportMetric(float64(cpu[len(cpu)*95/100].Microseconds())/1000, "cpu-ms-p95")
			b.ReportMetric(float64(all[len(all)*95/100].Microseconds())/1000, "ms-p95")
			b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, "ms-p50")
			b.ReportMetric(float64(hits)/float64(len(all)), "hits/op")
		})
	}
}

// solrTime returns the CPU time of Solr in seconds: 0 if it is not measured.
func solrTime(b *testing.B) float64 {
	if engine().Engine != SolrName {
		return 0
	}
	const key = "solr.jvm:os.processCpuTime"
	r, err := http.Get(os.Getenv("QUIRE_SOLR") + "/admin/metrics?wt=json&key=" + key)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }() // only read
	var answer struct{ Metrics map[string]float64 }
	if err := json.NewDecoder(r.Body).Decode(&answer); err != nil {
		b.Fatal(err)
	}
	return answer.Metrics[key] / 1e9
}

// cpuTime returns the CPU time of this process: on a shared machine it is more meaningful than the
// clock.
func cpuTime() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
