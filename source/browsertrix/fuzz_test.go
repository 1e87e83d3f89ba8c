package browsertrix

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"quire/internal/lines"
	"quire/model"
	"quire/source/internal/facts"
)

func FuzzJobLog(f *testing.F) {
	f.Add([]byte(crawl()["logs/crawl-1.log"]))
	f.Add([]byte("{\"logLevel\":\"fatal\",\"message\":\"x\",\"details\":[1]}\n{\"message\":5}\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		r := &reading{Harvest: &Harvest{}, counts: map[string]int{}}
		r.facts = facts.New(&r.about)
		last := int64(0)
		err := readJobLog(bytes.NewReader(b), func(g *logLine, raw []byte) bool {
			r.logLine(g, raw, "x.log")
			if fetch, ok := logFetch(g); ok && fetch.URI == "" || g.Line <= last || g.Offset > int64(len(b)) {
				t.Errorf("%+v", g)
			}
			last = g.Line
			return true
		}, func(*lines.Reader, string) {})
		if err != nil {
			t.Error(err)
		}
		r.statistics()
		r.times()
	})
}

func FuzzPageInfo(f *testing.F) {
	f.Add([]byte(firstInfo))
	f.Add([]byte(`{"urls":{"a":{},"":{},"b":null},"x":[{}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		n := 0
		err := parsePageInfo(bytes.NewReader(b), "http://p/", time.Time{}, func(f model.Fetch) bool {
			if n++; f.URI == "" || f.Via != "http://p/" {
				t.Errorf("%+v", f)
			}
			return n < 3
		})
		if n == 3 && !errors.Is(err, errEnough) {
			t.Error(err)
		}
	})
}

func FuzzConfiguration(f *testing.F) {
	f.Add([]byte(crawl()["crawls/crawl-2.yaml"]))
	f.Add([]byte("a: &x [*x]\nseeds: *x\nstate: {queued: [{url: y}]}\n"))
	f.Fuzz(func(_ *testing.T, b []byte) {
		n, err := parseYAML(b)
		if err != nil {
			return
		}
		r := &reading{Harvest: &Harvest{}, counts: map[string]int{}}
		r.facts = facts.New(&r.about)
		r.secretsIn(n, "x.yaml")
		r.configuration(n, "x.yaml")
		for range r.queued(n) {
			continue
		}
		for range oldPages(n) {
			continue
		}
	})
}
