package reconcile

import (
	"encoding/binary"
	"errors"
	"math"
	"time"

	"quire/format/warc"
)

// kind is the source of a sighting.
type kind byte

// The kinds, in their order in a group.
const (
	ofHostRow   kind = iota // of hosts-report.txt
	ofSeedRow               // of seeds-report.txt
	ofRecord                // in a container, or a file of a mirror
	ofUnindexed             // a record missing from all indexes, by its place
	ofIndex                 // an entry of an index without a record at its place
	ofLog                   // a line of the log
	ofWanted                // the target of a revisit
	ofID                    // the id of a record
	ofWantedID              // the target id of a revisit
	ofPage                  // a line of a list of pages
	ofNoted                 // a difference found by place, to be counted for the host
)

// The flags of a sighting.
const (
	isAuxiliary uint64 = 1 << iota // a record that logs omit: request, metadata, warcinfo, filedesc
	isDuplicate                    // of a line: a duplicate, by the log
	isUnwritten                    // of a line: not written, by the log
	isCoded                        // of a record: chunked, or content-coded
	isTruncated                    // of a record or a line
	isInflated                     // of an index entry: the offset is in the inflated file
	isUnloaded                     // of a page: the browser could not load it
	isUnsound                      // of a record: it has an error
)

// sighting is one source's statement about one capture.
type sighting struct {
	kind      kind
	host, uri string // canonical
	written   string // the original URL, if different
	at        int64  // start of the capture, in milliseconds since 1970; noTime
	status    int
	digest    string // normalized: see digestOf
	computed  string // of a record: the computed digest
	container int    // -1 if unknown
	offset    int64  // -1, like all that follow, if unknown
	size      int64  // of a record: the payload; of a line: column 3; of an entry: the length
	content   int64  // of a record: the block; of a line: its annotation content-size
	stored    int64  // of a record
	unframed  int64  // of a record: the payload without chunked framing
	line      int64  // in the log or the index
	what      string // type of a record; word of a report
	note      string // details: an annotation, a reference
	marks     uint64
}

const noTime = math.MinInt64

func (s *sighting) is(mark uint64) bool { return s.marks&mark != 0 }

// second returns the time in seconds, the precision of ARC.
func (s *sighting) second() int64 {
	if s.at == noTime {
		return noTime
	}
	return floorSecond(s.at)
}

func floorSecond(ms int64) int64 {
	if ms < 0 {
		ms -= 999
	}
	return ms / 1000
}

// url returns the URL as written in the source.
func (s *sighting) url() string {
	if s.written != "" {
		return s.written
	}
	return s.uri
}

// time returns the start of the capture; zero if unknown.
func (s *sighting) time() time.Time {
	if s.at == noTime {
		return time.Time{}
	}
	return time.UnixMilli(s.at).UTC()
}

func millis(t time.Time) int64 {
	if t.IsZero() {
		return noTime
	}
	return t.UnixMilli()
}

// set stores the canonical URL and its original spelling.
func (s *sighting) set(uri string) spelling {
	var how spelling
	s.uri, how = canonical(uri)
	s.host = hostOf(s.uri)
	if s.uri != uri {
		s.written = uri
	}
	return how
}

// digestOf normalizes the label and case of a digest; it returns "" for an invalid one.
func digestOf(s string) string {
	if s == "" {
		return ""
	}
	d, err := warc.ParseDigest(s)
	if err != nil {
		return ""
	}
	return d.Algorithm + ":" + string(d.Sum)
}

// Results of comparing two digests.
const (
	unlike = -1
	apart  = 0 // not comparable: different algorithms, or one is missing
	alike  = 1
)

// likeness compares a digest with the stated and the computed one of a record. One match is enough.
func likeness(digest string, r *sighting) int {
	best := apart
	for _, other := range []string{r.digest, r.computed} {
		switch {
		case digest == "" || other == "" || algorithm(digest) != algorithm(other):
		case digest == other:
			return alike
		default:
			best = unlike
		}
	}
	return best
}

func algorithm(digest string) string {
	for i := range len(digest) {
		if digest[i] == ':' {
			return digest[:i]
		}
	}
	return ""
}

// key returns the sort key of a sighting: host, URL, second, source. Host and URL contain no zero
// byte: canonical escapes it.
func (s *sighting) key(b []byte) []byte {
	b = append(append(b[:0], s.host...), 0)
	b = append(append(b, s.uri...), 0)
	second := uint64(0)
	if s.at != noTime {
		second = uint64(s.second()) ^ 1<<63
	}
	return append(binary.BigEndian.AppendUint64(b, second), byte(s.kind))
}

// value returns the fields that the key lacks.
func (s *sighting) value(b []byte) []byte {
	b = b[:0]
	for _, n := range []int64{s.at, int64(s.status), int64(s.container), s.offset, s.size, s.content, s.stored,
		s.unframed, s.line} {
		b = binary.AppendVarint(b, n)
	}
	b = binary.AppendUvarint(b, s.marks)
	for _, t := range []string{s.written, s.digest, s.computed, s.what, s.note} {
		b = append(binary.AppendUvarint(b, uint64(len(t))), t...)
	}
	return b
}

var errSighting = errors.New("a temporary file was modified or damaged")

// parse decodes a sighting, without host and URL, which are only in the key.
func (s *sighting) parse(key, value []byte) error {
	s.kind = kind(key[len(key)-1])
	var status, container int64
	for _, to := range []*int64{&s.at, &status, &container, &s.offset, &s.size, &s.content, &s.stored, &s.unframed,
		&s.line} {
		n, size := binary.Varint(value)
		if size <= 0 {
			return errSighting
		}
		*to, value = n, value[size:]
	}
	s.status, s.container = int(status), int(container)
	marks, size := binary.Uvarint(value)
	if size <= 0 {
		return errSighting
	}
	s.marks, value = marks, value[size:]
	for _, to := range []*string{&s.written, &s.digest, &s.computed, &s.what, &s.note} {
		n, size := binary.Uvarint(value)
		if size <= 0 || n > uint64(len(value)-size) {
			return errSighting
		}
		*to, value = string(value[size:size+int(n)]), value[size+int(n):]
	}
	return nil
}
