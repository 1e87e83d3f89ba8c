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

// Only holdings decides about access, capture by capture. A response counts thousands of captures,
// so the decisions are cached for each class of readers. They stay valid until their basis changes:
// rules, packages, verdicts or the day. The stamp of holdings changes with the basis. Captures that
// are shown are decided once more, with all data of the index of captures.

// classes are the classes of readers, by number.
var classes = []holdings.Class{holdings.Public, holdings.OnSite, holdings.Staff}

// judgement caches the decisions about the captures of one table at one stamp.
type judgement struct {
	table *table
	stamp any
	known [3][]uint32 // a bit per capture, by class: decided
	seen  [3][]uint32 // and open
}

// judgements keeps the latest one.
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
		n.known[c] = make([]uint32, t.captures.len()/bits+1)
		n.seen[c] = make([]uint32, t.captures.len()/bits+1)
	}
	j.latest = n
	return n
}

// readerView is the view of one reader on a table.
type readerView struct {
	*judgement
	judge   func(holdings.Reader, *captures.Capture) holdings.Decision
	byClass []uint8 // the reader's class for each package
}

// sightOf returns the view of a reader. Outside their assigned packages, readers count as the
// public.
func (s *Search) sightOf(ctx context.Context, who holdings.Reader, t *table) (*readerView, error) {
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
	v := &readerView{
		judgement: s.judged.of(t, stamp), judge: s.house.Judging(), byClass: make([]uint8, len(t.packages)),
	}
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

// sees reports whether a capture is open to the reader.
func (v *readerView) sees(i int32) bool {
	if i < 0 || int(i) >= v.table.captures.len() {
		return false
	}
	return v.seesOf(i, v.table.captures.at(i).pkg)
}

// seesOf reports whether a capture of a package is open to the reader. A wrong package, of a damaged table, has the
// class of another package of the reader at most; what is shown is decided once more.
func (v *readerView) seesOf(i, pkg int32) bool {
	if i < 0 || int(i) >= v.table.captures.len() || pkg < 0 || int(pkg) >= len(v.byClass) {
		return false
	}
	class := v.byClass[pkg]
	word, bit := i/32, uint32(1)<<(i%32)
	if atomic.LoadUint32(&v.known[class][word])&bit == 0 {
		if v.judge(holdings.Reader{Class: classes[class]}, v.table.whole(i)).Allowed {
			atomic.OrUint32(&v.seen[class][word], bit)
		}
		atomic.OrUint32(&v.known[class][word], bit)
	}
	return atomic.LoadUint32(&v.seen[class][word])&bit != 0
}

// whole returns a capture in the form that holdings judges.
func (t *table) whole(i int32) *captures.Capture {
	c := t.captures.at(i)
	u, d := t.urls.at(c.url), t.documents.at(c.document)
	full := &captures.Capture{
		Key: t.text(u.key), URL: t.text(u.url), Timestamp: timestamp(c.time), Digest: t.text(d.digest),
		MIME: name(t.mimes, c.mime), Type: "response",
		Package: name(t.packages, c.pkg), Harvest: int(c.harvest),
		Record: captures.Place{Package: name(t.packages, c.pkg), Container: name(t.containers, c.container),
			Order: c.order, SHA256: hex.EncodeToString(t.captures.sum(i))},
	}
	if c.written.length > 0 {
		full.URL = t.text(c.written)
	}
	if full.Digest, _, _ = strings.Cut(full.Digest, " "); strings.HasPrefix(full.Digest, noDigest) {
		full.Digest = ""
	}
	if origin := t.place(c.origin); origin != nil {
		full.Type, full.Payload = "revisit", origin
	}
	return full
}

// timestamp formats a time as a timestamp.
func timestamp(time int64) string {
	const digits = 14
	s := strconv.FormatInt(time, 10)
	for len(s) < digits {
		s = "0" + s
	}
	return s
}
