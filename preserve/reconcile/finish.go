package reconcile

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"quire/internal/extsort"
	"quire/internal/humanize"
)

// maxTold limits the listed containers.
const maxTold = 1000

// finish writes the result.
func (r *run) finish() error {
	out := r.out
	out.Differences = r.diffs.list()
	out.Outcome = out.Totals.worst()
	out.Hosts, out.HostsRest, out.HostsTotal = r.hosts.list(), r.hosts.rest, r.hosts.total
	if out.Witnesses.Index.Files == nil {
		out.Witnesses.Index.Files = []File{}
	}
	if out.Witnesses.Pages == nil {
		out.Witnesses.Pages = []File{}
	}
	slices.SortFunc(out.Witnesses.Lists, func(a, b List) int { return strings.Compare(a.File, b.File) })
	out.Witnesses.Log.First, out.Witnesses.Log.Last = span(r.log.first, r.log.last)
	out.Witnesses.Records.First, out.Witnesses.Records.Last = span(r.records.first, r.records.last)
	r.tellContainers()
	r.noteWitnesses()
	if r.noHeaders {
		r.note("the log has no content-size, but reports include HTTP headers: bytes in reports are " +
			"compared only where records supply the sizes")
	}
	if r.shelf.present() == 0 && !r.isMirror {
		r.note("no container: no fetched content is present")
	}
	return r.tellForeign()
}

// noteWitnesses notes the missing sources.
func (r *run) noteWitnesses() {
	log, index := r.out.Witnesses.Log.Present, r.out.Witnesses.Index.Entries > 0
	switch {
	case !log && !index:
		r.note("no log and no index: records cannot be compared")
	case !log:
		r.note("no log: records compared with the index only")
	case !index && !r.isMirror:
		r.note("no index: records compared with the log only")
	}
}

func span(first, last int64) (from, to *time.Time) {
	if first == math.MaxInt64 || last == math.MinInt64 {
		return nil, nil
	}
	a, b := time.UnixMilli(first).UTC(), time.UnixMilli(last).UTC()
	return &a, &b
}

// tellContainers lists the containers with differences, those with the most losses first.
func (r *run) tellContainers() {
	r.out.Containers = []ContainerResult{}
	for _, c := range r.shelf.all {
		if !c.odd() || !c.present && len(c.listings) == 0 && c.entries == 0 && c.lost == 0 {
			continue
		}
		listed := int64(-1)
		for _, l := range c.listings {
			listed = max(listed, l.size)
		}
		r.out.Containers = append(r.out.Containers, ContainerResult{
			Name: c.name, Path: c.path, Within: c.within, ListedBy: c.listedBy(), Size: c.size, Listed: listed,
			Records: c.records, Entries: c.entries,
			LostURLs: c.lost, Damage: c.broken, Outcome: c.outcome, CutReason: c.cut,
		})
	}
	slices.SortStableFunc(r.out.Containers, func(a, b ContainerResult) int {
		return cmp.Compare(b.LostURLs, a.LostURLs)
	})
	r.out.Containers = r.out.Containers[:min(len(r.out.Containers), maxTold)]
}

// tellForeign lists the containers of other harvests with content of this one.
func (r *run) tellForeign() error {
	r.out.DependsOn = []Foreign{}
	return r.away.Each(func(name string, n extsort.Count) error {
		if len(r.out.DependsOn) < maxTold {
			r.out.DependsOn = append(r.out.DependsOn, Foreign{name, n.N})
		}
		return nil
	})
}

func bytesOf(n int64) string { return humanize.Number(n, "byte", "bytes") }
