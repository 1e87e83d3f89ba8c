package formats

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"quire/access/export"
	"quire/holdings"
	"quire/holdings/holdingstest"
)

// TestNothingOpen: no format exports a package whose rights leave nothing to the readers, neither as a
// plan. Formats with documents export those.
func TestNothingOpen(t *testing.T) {
	const date = "2015-01-02T03:04:05Z"
	open := func(rights, rules string) (*holdingstest.Repository, *holdings.Holdings) {
		r := holdingstest.New(t)
		r.Ingest(holdingstest.Package{ID: "site-1", Rights: rights, Logs: map[string]string{"crawl.log": "a line\n"},
			Containers: map[string]string{"a.warc": holdingstest.Response("1", "http://a.example/", date,
				"text/html", "x")}})
		return r, r.Open(holdings.Options{Rules: r.Rules(rules)})
	}
	for _, c := range []struct {
		name, rights, rules string
		made                []string // formats that have something to export
	}{
		{"embargo", "access: open\nembargo:\n  until: 2090-12-31\n", "rules: []\n", nil},
		{"closed captures", "access: open", "rules:\n  - urls: [http://a.example/]\n    access: restricted\n",
			[]string{"eark"}},
		{"hidden captures", "access: open", "rules:\n  - urls: [http://a.example/]\n    access: restricted\n" +
			"    hidden: true\n", nil},
	} {
		r, h := open(c.rights, c.rules)
		for _, f := range All() {
			for _, as := range []struct {
				who  holdings.Class
				made bool
			}{{holdings.Public, slices.Contains(c.made, f.Name)}, {holdings.Staff, true}} {
				q := export.Request{ID: "site-1", As: f.Name, For: as.who, Out: filepath.Join(t.TempDir(), "out")}
				_, planned := export.Plan(t.Context(), r.Store, h, q, All())
				_, err := export.Run(t.Context(), r.Store, h, q, All())
				var empty *export.EmptyError
				if errors.As(err, &empty) == as.made || errors.As(planned, &empty) == as.made || as.made && err != nil {
					t.Errorf("%s as %s for %s: %v; planned: %v", c.name, f.Name, as.who, err, planned)
				}
				if _, err := os.Stat(q.Out); (err == nil) != as.made {
					t.Errorf("%s as %s for %s: output: %v", c.name, f.Name, as.who, err)
				}
				if empty != nil && c.name == "hidden captures" && empty.Kept[export.ByRights] > 2 { // log and rights
					t.Errorf("%s: %v counts what is hidden", f.Name, empty)
				}
			}
		}
	}
}
