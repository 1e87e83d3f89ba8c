package collection

import "strconv"

func text(n int64) string { return strconv.FormatInt(n, 10) }

// found counts an expected container if it is held.
func (v *validation) found(_ entry, h *Held) {
	v.report.Present++
	v.seen[keyOf(h.Package)] = true
	if h.SHA512 != "" {
		v.last[h.SHA512] = true
	}
}

// foundUnverified counts a container that is held under its expected name, but has no digest to
// compare.
func (v *validation) foundUnverified(e entry, h *Held) {
	v.found(e, h)
	v.report.Unverified++
}

// foundRenamed counts an expected container that is held under another name.
func (v *validation) foundRenamed(e entry, h *Held) {
	v.found(e, h)
	v.report.Renamed = listed(v.report.Renamed, &v.report.RenamedTotal, Differ{Item: itemOf(e), There: *h})
}

func (v *validation) differs(e entry, h *Held) {
	v.tallies[e.Group-1].missing++
	v.seen[keyOf(h.Package)] = true
	v.report.Differs = listed(v.report.Differs, &v.report.DiffersTotal, Differ{Item: itemOf(e), There: *h})
}

func (v *validation) missing(e entry) {
	v.tallies[e.Group-1].missing++
	v.report.Missing = listed(v.report.Missing, &v.report.MissingTotal, itemOf(e))
}

// extra reports an unexpected container in a package of the collection. Other packages are ignored,
// because a repository holds more.
func (v *validation) extra(h *Held) {
	if k := keyOf(h.Package); v.seen[k] || v.named[k] {
		v.report.Extra = listed(v.report.Extra, &v.report.ExtraTotal, *h)
	}
}

// again removes duplicates: containers with a digest that this pile already matched.
func (p *pile) again(v *validation) {
	taken := map[int]bool{}
	for i, h := range p.held {
		if v.last[h.Held.SHA512] {
			taken[i] = true
			v.report.Again++
		}
	}
	clear(v.last)
	p.drop(taken)
}

func itemOf(e entry) Item {
	i := Item{Name: e.Expected.Name, Size: e.Expected.Size, group: e.Group}
	if !e.Expected.Digest.IsZero() {
		i.Digest = e.Expected.Digest.String()
	}
	return i
}
