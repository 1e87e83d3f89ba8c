package holdings

import (
	"testing"

	"quire/holdings/facts"
	"quire/holdings/rights"
	"quire/preserve/aip"
	"quire/preserve/statements"
)

// TestOriginalsNameWhatIsHidden: the originals of a mirror have URLs as paths. If a rule hides
// content, readers without access do not see these files.
func TestOriginalsNameWhatIsHidden(t *testing.T) {
	p := &pkg{own: &rights.Own{Set: &statements.Set{}}}
	d := Decision{Verdict: Restricted, Hidden: true}
	for _, c := range []struct {
		use    string
		class  Class
		hidden bool
	}{{aip.UseOriginals, Public, true}, {aip.UseOriginals, Staff, false}, {aip.UseLogs, Public, false}} {
		f := p.fileOf(&facts.File{Path: "original/a.example/hidden.html", Use: c.use, Restricted: true}, d, c.class)
		if f.Hidden != c.hidden {
			t.Errorf("%s for %s: %+v", c.use, c.class, f.Decision)
		}
	}
}
