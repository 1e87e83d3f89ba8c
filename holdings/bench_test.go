package holdings_test

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/holdings/holdingstest"
)

// many builds a package with one page captured many times, and another package with rights of
// parts.
func many(b *testing.B, n int, rights, rules string) (*holdings.Holdings, *holdingstest.Repository) {
	b.Helper()
	r := holdingstest.New(b)
	var text strings.Builder
	for i := range n {
		date := fmt.Sprintf("20%02d-%02d-%02dT%02d:%02d:%02dZ", 10+i/20000, 1+i/2000%10, 1+i/100%20, i/10%10, i%10,
			i%60)
		text.WriteString(gzipped(b, holdingstest.Response(fmt.Sprint(i), "http://a.example/", date, "text/html",
			fmt.Sprintf("<p>%d %s", i, strings.Repeat("x", 10_000)))))
	}
	r.Ingest(holdingstest.Package{ID: "a", Rights: rights, Containers: map[string]string{"a.warc.gz": text.String()}})
	o := holdings.Options{}
	if rules != "" {
		o.Rules = r.Rules(rules)
	}
	return r.Open(o), r
}

func gzipped(b testing.TB, record string) string {
	b.Helper()
	var out strings.Builder
	w := gzip.NewWriter(&out)
	if _, err := io.WriteString(w, record); err != nil {
		b.Fatal(err)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return out.String()
}

func BenchmarkJudge(b *testing.B) {
	for name, c := range map[string][2]string{
		"plain": {"access: open", ""},
		"parts": {"access: open\nrules:\n  - urls: [http://b.example/, c.example, http://*.d.example/*.pdf]\n    " +
			"access: restricted\n", ""},
		"rules": {"access: open", manyRules(1000)},
	} {
		b.Run(name, func(b *testing.B) {
			h, r := many(b, 1, c[0], c[1])
			j := r.Find(h, public, "http://a.example/")[0]
			b.ReportAllocs()
			for b.Loop() {
				if d := h.Judge(public, j.Capture); !d.Allowed {
					b.Fatal(d)
				}
			}
		})
	}
}

// manyRules returns rules about URLs outside this test.
func manyRules(n int) string {
	var s strings.Builder
	s.WriteString("rules:\n")
	for i := range n {
		fmt.Fprintf(&s, "  - urls: [http://host-%d.example/private/, other-%d.example]\n    access: restricted\n", i, i)
	}
	return s.String()
}

func BenchmarkList(b *testing.B) {
	h, _ := many(b, 2000, "access: open",
		"rules: [{packages: z, access: blocked}, {younger-than: 1 year, access: onsite}]")
	b.ResetTimer()
	for b.Loop() {
		n := 0
		for c, err := range h.Captures(context.Background(), public, captures.Query{URL: "http://a.example/"}) {
			if err != nil || !c.Allowed {
				b.Fatal(err, c)
			}
			n++
		}
	}
}

func BenchmarkRead(b *testing.B) {
	h, r := many(b, 200, "access: open", "")
	all := r.Find(h, public, "http://a.example/")
	b.ReportAllocs()
	b.ResetTimer()
	i := 0
	for b.Loop() {
		c, err := h.Read(context.Background(), public, all[i%len(all)].Capture)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, holdings.Decoded(c)); err != nil {
			b.Fatal(err)
		}
		_ = c.Body.Close()
		i++
	}
}
