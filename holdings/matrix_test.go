package holdings_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/holdings/holdingstest"
)

// TestMatrix: every verdict, for every class of readers, in every way of access: no byte reaches
// readers without rights, and hidden content is absent.
func TestMatrix(t *testing.T) {
	r, o, cases := holdingstest.Matrix(t)
	o.Dir = r.Path("access-of-all")
	h := r.Open(o)
	testMatrix(t, r, h, o, cases)
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	t.Run("from outlines", func(t *testing.T) { testMatrix(t, r, r.Open(o), o, cases) })
}

func testMatrix(t *testing.T, r *holdingstest.Repository, h *holdings.Holdings, o holdings.Options,
	cases []holdingstest.Case) {
	o.Dir = ""
	t.Run("capability", func(t *testing.T) { testCapability(t, r, h, cases) })
	t.Run("counts", func(t *testing.T) { testCounts(t, r, o) })
	t.Run("packages", func(t *testing.T) { testPackages(t, h) })
	everything := map[string]holdings.Judged{}
	for _, c := range holdingstest.Captures(t, h, staff, captures.Query{}) {
		everything[c.URL] = c
	}
	if len(everything) != len(cases) {
		t.Errorf("curators see %d captures, want %d", len(everything), len(cases))
	}
	for _, who := range []holdings.Reader{public, onsite, staff} {
		seen := map[string]holdings.Judged{}
		for _, c := range holdingstest.Captures(t, h, who, captures.Query{}) {
			seen[c.URL] = c
		}
		for _, c := range cases {
			t.Run(string(who.Class)+"/"+c.Name, func(t *testing.T) {
				matrixCase(t, h, who, &c, seen, everything[c.URL])
			})
		}
	}
}

func matrixCase(t *testing.T, h *holdings.Holdings, who holdings.Reader, c *holdingstest.Case,
	seen map[string]holdings.Judged, known holdings.Judged) {
	if known.Capture == nil {
		t.Fatal("it is not in the index")
	}
	want := c.Of(who.Class)
	got, listed := seen[c.URL]
	if listed != (want != holdingstest.Hidden) {
		t.Errorf("listed: %v, want %s", listed, want)
	}
	d := h.Judge(who, known.Capture)
	if listed && d != got.Decision {
		t.Errorf("Judge says %+v, Captures %+v", d, got.Decision)
	}
	if d.Allowed != (want == holdingstest.Allowed) || d.Hidden != (want == holdingstest.Hidden) ||
		d.Verdict != c.Verdict || d.Infected != c.Infected {
		t.Errorf("decision %+v, want %s, %s", d, want, c.Verdict)
	}
	if (d.Message == "") != d.Allowed {
		t.Errorf("the message is %q", d.Message)
	}
	if (d.Why != "") != (who.Class == holdings.Staff) {
		t.Errorf("%s gets the reason: %q", who.Class, d.Why)
	}
	text := read(t, h, who, known)
	switch {
	case c.Missing:
		if _, err := h.Read(context.Background(), who, known.Capture); !errors.Is(err, captures.ErrNotFound) {
			t.Errorf("read %q", text)
		}
	case want == holdingstest.Allowed:
		if text != c.Body {
			t.Errorf("read %q, want %q", text, c.Body)
		}
	case want == holdingstest.Denied:
		if text != "denied: "+string(c.Verdict) {
			t.Errorf("read %q", text)
		}
	default:
		if _, err := h.Read(context.Background(), who, known.Capture); !errors.Is(err, captures.ErrNotFound) ||
			strings.Contains(text, "denied") {
			t.Errorf("read %q", text)
		}
	}
}
