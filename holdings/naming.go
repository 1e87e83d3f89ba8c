package holdings

import (
	"context"
	"fmt"
	"time"

	"quire/format/surt"
	"quire/holdings/captures"
	"quire/model"
	"quire/preserve/aip"
)

// Naming says which URLs that stand in the logs of a package may be named to a reader. They are not
// captures: nobody got them, and the index does not know them. It holds for one answer, since rules
// change.
type Naming struct {
	j       *judging
	p       *pkg
	class   Class
	harvest int
	closed  Decision // of logs and documents, but for what rules hide URL by URL
	hides   bool
}

// Naming asks for one harvest of a package. The error is [captures.ErrNotFound] when the reader
// cannot be told of the package, or it has no harvest of this number.
func (h *Holdings) Naming(ctx context.Context, who Reader, id string, harvest int) (*Naming, error) {
	if err := h.current(ctx); err != nil {
		return nil, err
	}
	j := h.judging()
	p, d := j.whole(&who, id)
	if p == nil || p.isCollection() || d.Hidden || p.facts == nil || p.trouble != nil {
		return nil, fmt.Errorf("package %s: %w", id, captures.ErrNotFound)
	}
	if most := max(1, len(p.facts.Harvests)); harvest < 1 || harvest > most {
		return nil, fmt.Errorf("package %s has no harvest %d: they are numbered from 1 to %d: %w", id, harvest, most,
			captures.ErrNotFound)
	}
	n := &Naming{j: j, p: p, class: who.In(id), harvest: harvest}
	n.closed = j.open(&who, p)
	n.hides = n.class != Staff && j.hides(p)
	return n, nil
}

// All says whether no rule hides anything from this reader that may be in the package: then numbers
// and names of hosts can be told, too.
func (n *Naming) All() bool { return !n.hides }

// Open says whether the reader may have logs of the package at all: one of them can still be
// marked.
func (n *Naming) Open() bool { return n.closed.Allowed }

// File says whether what stands in a log may be told: not where the log is marked, or the package
// is closed. "" is a log that is not known: then all of the harvest must be open, containers too,
// for some logs are records of these.
func (n *Naming) File(path string) bool {
	if !n.closed.Allowed {
		return false
	}
	known := false
	for i := range n.p.facts.Files {
		f := &n.p.facts.Files[i]
		if path != "" && f.Path != path || path == "" &&
			(f.Use != aip.UseLogs || f.Harvest != n.harvest && f.Harvest != 0) {
			continue
		}
		known = true
		if !n.p.fileOf(f, n.closed, n.class).Allowed {
			return false
		}
	}
	if path != "" && known {
		return true
	}
	for _, c := range n.p.facts.Containers {
		if (c.Path == path || path == "" && (c.Harvest == n.harvest || c.Harvest == 0)) && c.Never != "" &&
			n.class != Staff {
			return false
		}
	}
	return path == "" || n.p.facts.Containers[path] != nil
}

// URL says whether a URL may be named that was asked for at a moment, which may be zero. What is
// denied may be named; what is hidden may not.
func (n *Naming) URL(url string, at time.Time) bool {
	if !n.hides {
		return true
	}
	n.j.h.mu.RLock()
	defer n.j.h.mu.RUnlock()
	a := &about{place: &captures.Place{}, pkg: n.p.card.ID, url: url, key: surt.Key(url), harvest: n.harvest,
		capture: &captures.Capture{}}
	if !at.IsZero() {
		a.timestamp = at.UTC().Format("20060102150405")
	}
	d := n.j.Decide(n.j.question(n.p, model.ScanNotDone, a))
	return !d.Hidden || n.class.May(d.Verdict)
}
