package holdings_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"quire/format/warc"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/holdings/holdingstest"
)

// The metadata records of a capture are open exactly to those to whom the capture is open, up to the
// first record that is not wanted.
func TestReadMetadata(t *testing.T) {
	r, o, cases := holdingstest.Matrix(t)
	h := r.Open(o)
	byURL := map[string]holdingstest.Case{}
	for _, c := range cases {
		byURL[c.URL] = c
	}
	outputs := func(m *warc.Header) bool { return m.Get("OAI-Part") == "tool-output" }
	everything := func(*warc.Header) bool { return true }
	for _, who := range []holdings.Reader{public, onsite, staff} {
		for _, judged := range holdingstest.Captures(t, h, staff, captures.Query{}) {
			c := byURL[judged.URL]
			some, _, err := h.ReadMetadata(context.Background(), who, judged.Capture, outputs)
			if c.Of(who.Class) != holdingstest.Allowed {
				if !errors.As(err, new(*holdings.DeniedError)) || len(some) > 0 {
					t.Errorf("%s, %s: %v, %v", who.Class, c.Name, some, err)
				}
				continue
			}
			all, complete, err2 := h.ReadMetadata(context.Background(), who, judged.Capture, everything)
			if err != nil || err2 != nil || len(some) != 1 || len(all) < 2 || !complete ||
				!strings.Contains(string(some[0].Block), c.Body) || all[1].Get("OAI-Part") != "document" {
				t.Errorf("%s, %s: %v, %v, %v, %v", who.Class, c.Name, some, err, all, err2)
			}
		}
	}
}
