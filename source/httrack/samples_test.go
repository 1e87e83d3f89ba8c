package httrack

import (
	"context"
	"io"
	"path/filepath"
	"testing"

	"quire/internal/shared"
	"quire/model"
	"quire/source/tree"
)

func openSample(t *testing.T, elem ...string) *Harvest {
	t.Helper()
	tr, err := tree.Open(shared.Path(t, append([]string{"samples"}, elem...)...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tr.Close() })
	return onlyHarvest(t, tr)
}

func onlyHarvest(t *testing.T, tr *tree.Tree) *Harvest {
	t.Helper()
	claims, err := Reader{}.Find(context.Background(), tr)
	if err != nil || len(claims) != 1 {
		t.Fatalf("%d mirrors, %v", len(claims), err)
	}
	h, err := claims[0].Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return h.(*Harvest)
}

func TestLook(t *testing.T) {
	for _, p := range []string{"_made/crawls/httrack/devref.tar.gz", "_made/crawls/httrack/devref-updated.tar.gz", "_made/crawls/httrack/pandas.tar.gz",
		"nla_httrack2warc/httrack/testcrawl-3.49-2.zip", "0yukikaze0_hyperledger-fabric.docs/mirror"} {
		h := openSample(t, filepath.FromSlash(p))
		a := h.About()
		t.Logf("=== %s: %s %s %s %s %v %v %s %q docs %s ua %q robots %q limits %v", p, a.Software, a.Start, a.End, a.EndReason, a.Seeds, a.Scope, a.Documentation, h.Mirror.zone, a.Documentation, a.UserAgent, a.Robots, a.Limits)
		for _, e := range a.Evidence {
			t.Logf("%+v", e)
		}
		roles := map[model.Role]int{}
		for _, f := range a.Files {
			roles[f.Role]++
		}
		t.Logf("%v %d files %d captures", roles, len(a.Files), len(h.Mirror.Captures))
		for _, f := range a.Findings {
			t.Log(f)
		}
		st := map[string]int{}
		bodies := 0
		for _, c := range h.Mirror.Captures {
			k := ""
			if c.Entry != nil {
				k += "entry "
				if c.Entry.InCache {
					b, err := h.Mirror.Body(c.Entry)
					if err != nil {
						t.Fatal(err)
					}
					n, err := io.Copy(io.Discard, b)
					if err != nil || n != c.Entry.Length {
						t.Error(c.URL, n, err)
					}
					bodies++
				}
			}
			if c.Row != nil {
				k += "row "
			}
			if c.Response != nil {
				k += "response "
			}
			if c.Request != nil {
				k += "request "
			}
			if c.File != "" {
				k += "file "
			}
			st[k]++
			if c.Status() != 200 || c.Entry == nil || c.Row == nil {
				t.Logf("%s %d %q %q %v moved %q", c.URL, c.Status(), k, c.File, c.Time, c.MovedTo)
			}
		}
		t.Log(st, bodies)
		miss := map[model.Miss]int{}
		n := 0
		for f, err := range h.Fetches(context.Background(), func(f model.Finding) { t.Log(f) }) {
			if err != nil {
				t.Fatal(err)
			}
			miss[f.Miss]++
			if n++; n < 3 || f.Miss != "" {
				t.Logf("%+v", f)
			}
		}
		t.Log(n, miss)
	}
}
