package reconcile

import (
	"bytes"
	"strings"
)

// group is all sightings of one URL, by time.
type group struct {
	host, uri string
	all       []sighting
}

// hostSums holds the running counts for a host.
type hostSums struct {
	row       *sighting // of hosts-report.txt
	bytes     int64     // of the lines, with headers
	sized     bool      // each line has headers
	ofRecords int64     // the same for the records matched to the lines
	joined    int64     // lines with a matching record
}

// matchURLs processes all sightings, host by host and URL by URL.
func (r *run) matchURLs() error {
	g := &group{}
	first := true
	err := r.urls.Each(func(key, value []byte) error {
		host, rest, _ := bytes.Cut(key, []byte{0})
		uri := rest[:len(rest)-timeAndKind]
		switch {
		case first || string(host) != g.host:
			if err := r.endHost(g, first); err != nil {
				return err
			}
			first = false
			*g = group{host: string(host), uri: string(uri), all: g.all[:0]}
			r.beginHost(g.host)
		case string(uri) != g.uri || len(g.all) >= maxGroup:
			if err := r.compareURL(g); err != nil {
				return err
			}
			g.uri, g.all = string(uri), g.all[:0]
		}
		s := sighting{host: g.host, uri: g.uri}
		if err := s.parse(key, value); err != nil {
			return err
		}
		g.all = append(g.all, s)
		return nil
	})
	if err != nil {
		return err
	}
	return r.endHost(g, first)
}

// timeAndKind is the length of the key after the URL: a zero byte, the second, the source.
const timeAndKind = 10

func (r *run) beginHost(host string) {
	r.sums = hostSums{sized: true}
	if host != idHost {
		r.hosts.begin(host)
	}
}

func (r *run) endHost(g *group, first bool) error {
	if first {
		return nil
	}
	if err := r.compareURL(g); err != nil {
		return err
	}
	if now := r.hosts.now; now != nil && r.hasHosts && r.out.Witnesses.Log.Present &&
		(r.sums.row != nil || now.Fetched > 0) {
		bytes := int64(-1)
		switch {
		case r.sums.sized:
			bytes = r.sums.bytes
		case r.sums.joined == now.Fetched:
			bytes = r.sums.ofRecords
		}
		if err := r.compareHost(g.host, r.sums.row, now.Fetched, bytes); err != nil {
			return err
		}
	}
	r.hosts.end()
	return nil
}

// compareURL compares the sightings of one URL. If they exceed the limit, it compares them in
// parts, by time.
func (r *run) compareURL(g *group) error {
	if len(g.all) == 0 {
		return nil
	}
	if g.host == idHost {
		return r.compareID(g)
	}
	m := newMatch(r, g)
	for _, step := range []func() error{m.join, m.comparePairs, m.joinIndex, m.explainLines, m.explainRecords,
		m.explainEntries, m.explainUnindexed, m.compareSeeds, m.findTargets, m.comparePages, m.tellNoted} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// compareID looks for the records that revisits refer to by id.
func (r *run) compareID(g *group) error {
	there := false
	for i := range g.all {
		s := &g.all[i]
		if s.kind == ofID {
			there = true
			continue
		}
		if there {
			continue
		}
		s.uri, s.host = s.note, ""
		if err := r.differ(RevisitWithoutTarget, r.whyNoTarget(s, false),
			r.caseOf(s, "it refers to the record "+g.uri)); err != nil {
			return err
		}
	}
	return nil
}

// tellNoted reports the differences found by place.
func (m *match) tellNoted() error {
	for _, i := range m.noted {
		s := &m.g.all[i]
		code, detail, _ := strings.Cut(s.note, "\x00")
		if err := m.r.differ(Kind(s.what), reasonOf(code), m.r.caseOf(s, detail)); err != nil {
			return err
		}
	}
	return nil
}

func reasonOf(code string) *Reason {
	for _, why := range Reasons {
		if why.Code == code {
			return why
		}
	}
	return reasonNone
}
