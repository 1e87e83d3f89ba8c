package search

import (
	"context"
	"encoding/hex"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"quire/holdings"
	"quire/holdings/captures"
)

// What a reader may see is judged by holdings, capture by capture, and by nobody else. An answer
// counts thousands of captures; so what was judged is remembered, for each class of readers, until
// something changes that judgement depends on: rules, packages, verdicts, the day. Holdings says
// when, by its stamp. What is shown in the end is judged once more, by all that the index of
// captures knows of it.

// classes are the kinds of readers, by number.
var classes = []holdings.Class{holdings.Public, holdings.OnSite, holdings.Staff}

// judgement is what was judged of the captures of one table at one stamp.
type judgement struct {
	table *table
	stamp any
	known [3][]uint32 // a bit for each capture, by class: it was judged
	seen  [3][]uint32 // and it may be seen
}

// judgements keeps the latest.
type judgements struct {
	mu     sync.Mutex
	latest *judgement
}

func (j *judgements) of(t *table, stamp any) *judgement {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.latest != nil && j.latest.table == t && j.latest.stamp == stamp {
		return j.latest
	}
	const bits = 32
	n := &judgement{table: t, stamp: stamp}
	for c := range classes {
		n.known[c] = make([]uint32, len(t.captures)/bits+1)
		n.seen[c] = make([]uint32, len(t.captures)/bits+1)
	}
	j.latest = n
	return n
}

// sight is what one reader sees of a table.
type sight struct {
	*judgement
	judge   func(holdings.Reader, *captures.Capture) holdings.Decision
	byClass []uint8 // the class that he has for each package
}

// sightOf is that of a reader. One who is bound to some packages is of the public for all others.
func (s *Search) sightOf(ctx context.Context, who holdings.Reader, t *table) (*sight, error) {
	stamp, err := s.house.Stamp(ctx)
	if err != nil {
		return nil, err
	}
	own := uint8(0)
	for i, c := range classes {
		if c == who.Class {
			own = uint8(i) //nolint:gosec // there are three
		}
	}
	v := &sight{judgement: s.judged.of(t, stamp), judge: s.house.Judging(), byClass: make([]uint8, len(t.packages))}
	bound := map[string]bool{}
	for _, p := range who.Packages {
		bound[p] = true
	}
	for i, name := range t.packages {
		if who.Packages == nil || bound[name] {
			v.byClass[i] = own
		}
	}
	return v, nil
}

// sees says whether the reader may see a capture.
func (v *sight) sees(i int32) bool {
	c := &v.table.captures[i]
	class := v.byClass[c.pkg]
	word, bit := i/32, uint32(1)<<(i%32)
	if atomic.LoadUint32(&v.known[class][word])&bit == 0 {
		if v.judge(holdings.Reader{Class: classes[class]}, v.table.whole(c)).Allowed {
			atomic.OrUint32(&v.seen[class][word], bit)
		}
		atomic.OrUint32(&v.known[class][word], bit)
	}
	return atomic.LoadUint32(&v.seen[class][word])&bit != 0
}

// whole is a capture as holdings judges it.
func (t *table) whole(c *capture) *captures.Capture {
	u := &t.urls[c.url]
	full := &captures.Capture{
		Key: u.key, URL: u.url, Timestamp: timestamp(c.time), Digest: t.documents[c.document].digest,
		MIME: t.mimes[c.mime], Type: "response",
		Package: t.packages[c.pkg], Harvest: int(c.harvest),
		Record: captures.Place{Package: t.packages[c.pkg], Container: t.containers[c.container], Order: c.order,
			SHA256: hex.EncodeToString(c.sha256[:])},
	}
	if c.written != "" {
		full.URL = c.written
	}
	if full.Digest, _, _ = strings.Cut(full.Digest, " "); strings.HasPrefix(full.Digest, noDigest) {
		full.Digest = ""
	}
	if c.origin != nil {
		full.Type, full.Payload = "revisit", c.origin
	}
	return full
}

// timestamp is a time as timestamps are written.
func timestamp(time int64) string {
	const digits = 14
	s := strconv.FormatInt(time, 10)
	for len(s) < digits {
		s = "0" + s
	}
	return s
}
