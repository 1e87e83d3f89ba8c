package pages

import (
	"path"
	"strings"

	"quire/holdings"
	"quire/preserve/aip"
)

// check is the result of a check of a container.
type check struct {
	File, Outcome string
	Notes         []string
}

// checksShown is the number of listed containers.
const checksShown = 500

// checks shows the results of the checks of containers, and other events.
func (s *site) checks(h *harvestPage, sums []holdings.ContainerSum) {
	for _, sum := range sums[:min(len(sums), checksShown)] {
		c := check{File: path.Base(sum.Path)}
		for i := range sum.Events {
			e := &sum.Events[i]
			if e.ID != aip.ContainerEventID(sum.Number) {
				c.Notes = append(c.Notes, s.sentence(e)+". "+strings.Join(e.Notes, "; "))
				continue
			}
			if c.Outcome = e.Outcome; s.words.Has("harvest.outcome." + e.Outcome) {
				c.Outcome = s.words.T("harvest.outcome." + e.Outcome)
			}
			if len(e.Notes) > 1 { // the first is the summary
				c.Notes = append(c.Notes, e.Notes[1:]...)
			}
		}
		if c.Outcome != "" || len(c.Notes) > 0 {
			h.Checks = append(h.Checks, c)
		}
	}
}

// fileLine is a log or document of a harvest.
type fileLine struct{ Path, URL, Use, Size, Restricted string }

// filesOf lists the logs and documents of a harvest; the first harvest also shows those that belong
// to none.
func (s *site) filesOf(h *harvestPage, p *holdings.Package, n int) {
	for i := range p.Files {
		f := &p.Files[i]
		if f.Harvest != n && (f.Harvest != 0 || n != 1) || f.Hidden {
			continue
		}
		line := fileLine{Path: f.Path, Use: f.Use, Size: s.words.Size(f.Size)}
		if key := "harvest.use." + f.Use; s.words.Has(key) {
			line.Use = s.words.T(key)
		}
		if f.Allowed {
			line.URL = s.ui.File(p.ID, f.Path)
		} else {
			line.Restricted, line.Size = s.verdict(f.Decision), ""
		}
		h.Files = append(h.Files, line)
	}
}
