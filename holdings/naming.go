package holdings

import (
	"context"
	"fmt"
	"time"

	"quire/format/surt"
	"quire/holdings/captures"
	"quire/holdings/facts"
	"quire/model"
	"quire/preserve/aip"
)

// Naming decides which URLs in the logs of a package may be shown to a reader. They were not
// captured, so they are not in the index. It is valid for one response, because rules change.
type Naming struct {
	j       *judging
	p       *pkg
	facts   *facts.Facts
	class   Class
	harvest int
	closed  Decision // for logs and documents, apart from rules that hide single URLs
	hides   bool
}

// Naming returns the Naming of one harvest of a package. The error is [captures.ErrNotFound] if the
// package is hidden from the reader, or has no harvest of this number.
func (h *Holdings) Naming(ctx context.Context, who Reader, id string, harvest int) (*Naming, error) {
	if err := h.current(ctx); err != nil {
		return nil, err
	}
	j := h.judging()
	p, d := j.whole(&who, id)
	if p == nil || p.isCollection || d.Hidden || p.trouble() != nil {
		return nil, fmt.Errorf("package %s: %w", id, captures.ErrNotFound)
	}
	in, err := h.details(ctx, p)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("package %s is unreadable: %w", id, captures.ErrNotFound)
	}
	if most := max(1, len(in.Harvests)); harvest < 1 || harvest > most {
		return nil, fmt.Errorf("package %s has no harvest %d: they are numbered from 1 to %d: %w", id, harvest, most,
			captures.ErrNotFound)
	}
	n := &Naming{j: j, p: p, facts: in.Facts, class: who.In(id), harvest: harvest}
	n.closed = j.open(&who, p)
	n.hides = n.class != Staff && j.hides(p)
	return n, nil
}

// All reports whether no rule hides content of the package from this reader: then numbers and host
// names may be shown, too.
func (n *Naming) All() bool { return !n.hides }

// Open reports whether logs of the package are generally open to the reader; a single log can still
// be restricted.
func (n *Naming) Open() bool { return n.closed.Allowed }

// File reports whether the content of a log may be shown: not if the log is restricted, or the
// package is closed. An empty path means an unknown log: then the whole harvest must be open,
// including containers, because some logs are records in these.
func (n *Naming) File(path string) bool {
	if !n.closed.Allowed {
		return false
	}
	known := false
	for i := range n.facts.Files {
		f := &n.facts.Files[i]
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
	for _, c := range n.facts.Containers {
		if (c.Path == path || path == "" && (c.Harvest == n.harvest || c.Harvest == 0)) && c.Never != "" &&
			n.class != Staff {
			return false
		}
	}
	return path == "" || n.facts.Containers[path] != nil
}

// URL reports whether a URL may be shown. at is the requested moment; it may be zero. A URL whose
// capture is denied may be shown. A URL whose capture is hidden may not.
func (n *Naming) URL(url string, at time.Time) bool {
	if !n.hides {
		return true
	}
	n.j.h.mu.RLock()
	defer n.j.h.mu.RUnlock()
	a := &about{place: &captures.Place{}, pkg: n.p.id, url: url, key: surt.Key(url), harvest: n.harvest,
		capture: &captures.Capture{}}
	if !at.IsZero() {
		a.timestamp = at.UTC().Format("20060102150405")
	}
	d := n.j.Decide(n.j.question(n.p, model.ScanNotDone, a))
	return !d.Hidden || n.class.May(d.Verdict)
}
