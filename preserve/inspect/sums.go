package inspect

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"quire/format/http1"
	"quire/format/warc"
	"quire/model"
)

// sums counts and sums the records, by type and for the container.
type sums struct {
	total        int64
	room         *int // for more names in the tallies
	types        map[string]*typeSum
	hosts, mime  tally
	responses    statuses
	years        map[int]*model.Count
	first, last  time.Time // of captures
	small, large int64     // smallest and largest record as stored
	stored       int64     // all records as stored
	unplaced     bool      // the stored size of a record is not known
	anyFirst     time.Time // date of any record, if there are no captures
	anyLast      time.Time
}

// maxTypes bounds the number of distinct record types. Eight are defined.
const maxTypes = 64

type typeSum struct {
	model.TypeSum
	blockFormats, payloadTypes, mime, hosts, agents, profiles tally
	responses                                                 statuses
}

func newSums() *sums {
	room := maxNames
	return &sums{room: &room, types: map[string]*typeSum{}, hosts: newTally(&room), mime: newTally(&room),
		responses: statuses{}, years: map[int]*model.Count{}}
}

func (s *sums) of(kind string) *typeSum {
	t := s.types[kind]
	if t == nil && len(s.types) >= maxTypes {
		kind = otherNames
		t = s.types[kind]
	}
	if t == nil {
		tally := func() tally { return newTally(s.room) }
		t = &typeSum{blockFormats: tally(), payloadTypes: tally(), mime: tally(), hosts: tally(), agents: tally(),
			profiles: tally(), responses: statuses{}}
		t.Type, t.Smallest = kind, -1
		s.types[kind] = t
	}
	return t
}

// end counts a record that was read. stored is the size of the record in the file, or -1 if
// unknown.
func (s *sums) end(e *entry, stored int64) {
	s.total++
	t := s.of(e.kind)
	t.Count++
	t.Bytes += e.read
	t.Payload += e.payload
	t.Largest = max(t.Largest, e.read)
	if t.Smallest < 0 || e.read < t.Smallest {
		t.Smallest = e.read
	}
	spread(&t.First, &t.Last, e.date)
	s.dates(e)
	if stored < 0 {
		s.unplaced = true
	} else {
		s.stored += stored
	}
	if stored > 0 {
		s.large = max(s.large, stored)
		if s.small == 0 || stored < s.small {
			s.small = stored
		}
	}
	if e.warc != nil {
		t.fields(e)
	}
	s.web(t, e, stored)
}

// dates keeps the earliest and latest date of captures.
func (s *sums) dates(e *entry) {
	spread(&s.anyFirst, &s.anyLast, e.date)
	switch e.kind {
	case warc.TypeResponse, warc.TypeResource, warc.TypeRequest, warc.TypeRevisit:
		spread(&s.first, &s.last, e.date)
	}
}

func spread(first, last *time.Time, t time.Time) {
	if t.IsZero() {
		return
	}
	if first.IsZero() || t.Before(*first) {
		*first = t
	}
	if t.After(*last) {
		*last = t
	}
}

// fields counts facts that only WARC headers state.
func (t *typeSum) fields(e *entry) {
	if e.contentType != "" {
		t.blockFormats.add(e.contentType, e.read)
	}
	if v := e.warc.Get(warc.FieldIdentifiedPayloadType); v != "" {
		t.payloadTypes.add(v, e.read)
	}
	if v := e.warc.Get(warc.FieldProfile); v != "" {
		t.profiles.add(strings.Trim(v, "<>"), e.read)
	}
	if e.warc.Has(warc.FieldConcurrentTo) {
		t.ConcurrentTo++
	}
	if e.warc.Has(warc.FieldRefersTo) {
		t.RefersTo++
	}
}

// web counts hosts, declared types and HTTP responses. The sums of the container include only
// captures, because requests would count each host twice.
func (s *sums) web(t *typeSum, e *entry, stored int64) {
	capture := e.isCapture()
	if capture && !e.isUndated() { // its record has the date of the conversion
		s.year(e)
	}
	if h := Host(e.uri); h != "" && !e.info {
		t.hosts.add(h, e.payload)
		if capture {
			s.hosts.add(h, e.payload)
		}
	}
	if capture {
		s.declared(t, e, stored)
	}
	switch {
	case e.http == nil:
	case e.http.Kind == http1.Request:
		if agent := e.http.Get("User-Agent"); agent != "" {
			t.agents.add(agent, e.read)
		}
	case e.http.StatusCode != 0:
		key := statusKey{strconv.Itoa(e.http.StatusCode), e.http.Version}
		t.responses.add(key, e.payload)
		s.responses.add(key, e.payload)
	}
}

// declared counts the declared type of a capture. The page of a mirror, and a capture without a
// date, have the type of their record.
func (s *sums) declared(t *typeSum, e *entry, stored int64) {
	mime := e.declaredMIME()
	if e.http == nil && (e.kind == warc.TypeConversion || e.kind == warc.TypeMetadata) {
		mime = bareMIME(e.servedType())
	}
	if mime == "" {
		return
	}
	t.mime.add(mime, e.payload)
	s.mime.add(mime, e.payload).Stored += max(stored, 0)
}

// year counts the capture by year. Years have four digits, so there are at most ten thousand.
func (s *sums) year(e *entry) {
	if e.date.IsZero() {
		return
	}
	year := e.date.UTC().Year()
	c := s.years[year]
	if c == nil {
		c = &model.Count{Name: fmt.Sprintf("%04d", year)}
		s.years[year] = c
	}
	c.Count++
	c.Bytes += e.payload
}

// declaredMIME returns the media type that the server declared, in lower case and without
// parameters. If it declared none, it is the type in the URL-record line of an ARC.
func (e *entry) declaredMIME() string {
	value := ""
	switch {
	case e.http != nil:
		value = e.headType()
	case e.kind == warc.TypeResource, e.warc == nil:
		value = e.contentType
	case e.kind == warc.TypeResponse:
		value = e.lineType()
	}
	return bareMIME(value)
}

// bareMIME returns a media type in lower case and without parameters.
func bareMIME(value string) string {
	value, _, _ = strings.Cut(value, ";")
	return strings.ToLower(strings.TrimSpace(value))
}

// fill writes the sums into c.
func (s *sums) fill(c *model.Container) {
	c.Records = model.RecordCounts{Total: s.total, ByType: map[string]int64{}}
	for kind, t := range s.types {
		c.Records.ByType[kind] = t.Count
		t.Smallest = max(t.Smallest, 0)
		t.BlockFormats, t.PayloadTypes = t.blockFormats.list(), t.payloadTypes.list()
		t.DeclaredMIMETypes, t.Hosts, t.Responses = t.mime.list(), t.hosts.list(), t.responses.byVersion()
		t.UserAgents, t.Profiles = t.agents.list(), t.profiles.list()
		t.DistinctHostsTotal = t.hosts.distinct()
		c.Types = append(c.Types, t.TypeSum)
	}
	slices.SortFunc(c.Types, func(a, b model.TypeSum) int { return cmp.Compare(a.Type, b.Type) })
	c.Hosts, c.MIMETypes, c.Responses = s.hosts.list(), s.mime.list(), s.responses.list()
	for _, year := range slices.Sorted(maps.Keys(s.years)) {
		c.Years = append(c.Years, *s.years[year])
	}
	first, last := s.first, s.last
	if first.IsZero() {
		first, last = s.anyFirst, s.anyLast
	}
	if !first.IsZero() {
		c.First, c.Last = &first, &last
	}
	c.SmallestEntry, c.LargestEntry, c.StoredEntries = s.small, s.large, s.stored
	if s.unplaced {
		c.StoredEntries = -1
	}
}
