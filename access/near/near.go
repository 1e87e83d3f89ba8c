// Package near finds what an archive has near a URL without a capture, for readers of the page that
// says so: the same URL in other collections, the URL with or without its query, other pages of its
// host; and whether a crawler wanted the URL and did not capture it.
package near

import (
	"context"
	"errors"
	"iter"
	"net/url"
	"slices"
	"strings"
	"time"

	"quire/access/address"
	"quire/access/missed"
	"quire/holdings"
	"quire/holdings/captures"
)

// Archive is the source of captures: *holdings.Holdings.
type Archive interface {
	Captures(ctx context.Context, who holdings.Reader, q captures.Query) iter.Seq2[holdings.Judged, error]
}

// Question is a URL without a capture.
type Question struct {
	URL       string
	Timestamp string   // of 1 to 14 digits; "" means the newest
	Packages  []string // of the collection; nil means all
}

// Group is a kind of captures near a URL. Its text is the key of a UI string.
type Group string

// The groups, in the order of their use for readers.
const (
	Elsewhere Group = "near.elsewhere" // the same URL in other collections
	Alike     Group = "near.alike"     // the URL with another query, or without
	Host      Group = "near.host"      // other pages of the host
)

// Found is a capture near a URL.
type Found struct {
	Group          Group
	URL, Timestamp string
}

// Limits of a search: captures shown in a group, and captures examined.
const (
	maxShown    = 6
	maxExamined = 200
)

// Captures returns captures near a URL that are open to the reader, group by group, each URL once.
// It examines only a few, so it costs little.
func Captures(ctx context.Context, a Archive, who holdings.Reader, q Question) (all []Found) {
	closest := "99991231235959"
	if t, ok := address.Time(q.Timestamp); ok {
		closest = address.Timestamp(t)
	}
	seen := map[string]int{} // by key: the place in all
	add := func(group Group, query captures.Query) {
		shown, examined := 0, 0
		for j, err := range a.Captures(ctx, who, query) {
			if examined++; err != nil || examined > maxExamined {
				return
			}
			page := j.MIME == "text/html" || j.MIME == "application/xhtml+xml"
			if !j.Allowed || group != Elsewhere && (!page || j.Status >= 300) {
				continue
			}
			f := Found{group, j.URL, j.Timestamp}
			at, known := seen[j.Key]
			switch {
			case known && group != Elsewhere:
				if all[at].Group == group && distance(f.Timestamp, closest) < distance(all[at].Timestamp, closest) {
					all[at] = f
				}
			case shown == maxShown:
				return
			default:
				seen[j.Key] = len(all)
				all = append(all, f)
				shown++
			}
		}
	}
	if q.Packages != nil {
		add(Elsewhere, captures.Query{URL: q.URL, Closest: closest})
	}
	bare, _, asked := strings.Cut(q.URL, "?")
	if asked {
		add(Alike, captures.Query{URL: bare, Closest: closest, Packages: q.Packages})
	}
	add(Alike, captures.Query{URL: bare + "?", Match: captures.Prefix, Packages: q.Packages})
	add(Host, captures.Query{URL: q.URL, Match: captures.Host, Packages: q.Packages})
	return all
}

// distance returns the seconds between two timestamps. A Duration is too short for the year 9999.
func distance(a, b string) int64 {
	from, _ := address.Time(a)
	to, _ := address.Time(b)
	return max(from.Unix()-to.Unix(), to.Unix()-from.Unix())
}

// Want is an attempt of a crawler that captured nothing.
type Want struct {
	Package string
	Harvest int
	missed.Row
}

// Limits of the search for attempts: packages, and the newest harvests of each.
const (
	maxPackages = 4
	maxHarvests = 3
)

// Wait is the time for that search. Lists that are not yet made continue to be made, for later
// readers.
const Wait = 300 * time.Millisecond

// Wanted returns the newest attempt of each harvest to capture a URL, from the logs that the reader
// may see. It asks the packages with captures of the host. An attempt that it does not find in time
// is left out.
func Wanted(ctx context.Context, h *holdings.Holdings, lists *missed.Lists, who holdings.Reader,
	q Question) (all []Want, err error) {
	ctx, cancel := context.WithTimeout(ctx, Wait)
	defer cancel()
	for _, id := range candidates(ctx, h, who, q) {
		p, err := h.Package(ctx, who, id)
		if err != nil {
			continue // it was removed, or is hidden
		}
		for n := len(p.Harvests); n > 0 && n > len(p.Harvests)-maxHarvests; n-- {
			row, err := attempt(ctx, h, lists, who, id, n, q.URL)
			if ctx.Err() != nil {
				return all, nil
			}
			if err != nil && !errors.Is(err, captures.ErrNotFound) {
				return all, err
			}
			if row != nil {
				all = append(all, Want{id, n, *row})
			}
		}
	}
	return all, nil
}

func attempt(ctx context.Context, h *holdings.Holdings, lists *missed.Lists, who holdings.Reader, id string, n int,
	archived string) (*missed.Row, error) {
	names, err := h.Naming(ctx, who, id, n)
	if err != nil || !names.Open() {
		return nil, err
	}
	list, err := lists.Of(ctx, id, n)
	if err != nil {
		return nil, err
	}
	defer func() { _ = list.Close() }() // only read
	return list.For(names).Find(ctx, archived)
}

// candidates returns packages with captures of the host of a URL; of a small collection, all its
// packages.
func candidates(ctx context.Context, h *holdings.Holdings, who holdings.Reader, q Question) (ids []string) {
	if len(q.Packages) > 0 && len(q.Packages) <= maxPackages {
		return q.Packages
	}
	if u, err := url.Parse(q.URL); err != nil || u.Host == "" {
		return nil
	}
	examined := 0
	for j, err := range h.Captures(ctx, who, captures.Query{URL: q.URL, Match: captures.Host, Packages: q.Packages}) {
		if examined++; err != nil || examined > maxExamined || len(ids) == maxPackages {
			break
		}
		if !slices.Contains(ids, j.Package) {
			ids = append(ids, j.Package)
		}
	}
	return ids
}
