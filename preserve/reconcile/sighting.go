package reconcile

import (
	"encoding/binary"
	"errors"
	"math"
	"time"

	"quire/format/warc"
)

// kind says which witness saw something.
type kind byte

// The kinds, in the order in which they stand in a group.
const (
	ofHostRow   kind = iota // of hosts-report.txt
	ofSeedRow               // of seeds-report.txt
	ofRecord                // in a container, or a file of a mirror
	ofUnindexed             // a record that no index has, by its place
	ofIndex                 // an entry of an index whose place has no such record
	ofLog                   // a line of the log
	ofWanted                // what a revisit refers to
	ofID                    // the id of a record
	ofWantedID              // the id that a revisit refers to
	ofPage                  // a line of a list of pages
	ofNoted                 // a difference that was found by place, and counts for the host
)

// The marks of a sighting.
const (
	isAuxiliary uint64 = 1 << iota // a record that no log tells of: request, metadata, warcinfo, filedesc
	isDuplicate                    // of a line: the log says that the content is elsewhere
	isUnwritten                    // of a line: the log says that it was not written
	isCoded                        // of a record: chunked, or in a content coding
	isTruncated                    // of a record or a line
	isInflated                     // of an index entry: its offset is that in the inflated file
	isUnloaded                     // of a page: the browser could not load it
	isUnsound                      // of a record: an error was found in it
)

// sighting is what one witness says of one capture.
type sighting struct {
	kind      kind
	host, uri string // canonical
	written   string // the URL as written, where it differs
	at        int64  // when the capture began, in milliseconds since 1970; noTime
	status    int
	digest    string // in one form: see digestOf
	computed  string // of a record, the same of what is really there
	container int    // -1 when not told
	offset    int64  // -1, as all that follow, when not told
	size      int64  // of a record: the payload; of a line: column 3; of an entry: the length
	content   int64  // of a record: the block; of a line: its annotation content-size
	stored    int64  // of a record
	unframed  int64  // of a record: the payload without chunked framing
	line      int64  // in the log or the index
	what      string // type of a record; word of a report
	note      string // what tells more: an annotation, a reference
	marks     uint64
}

const noTime = math.MinInt64

func (s *sighting) is(mark uint64) bool { return s.marks&mark != 0 }

// second is the time to the second, which is as exact as an ARC is.
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

// url is the URL as the witness wrote it.
func (s *sighting) url() string {
	if s.written != "" {
		return s.written
	}
	return s.uri
}

// time is when the capture began; zero when nobody says.
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

// set writes the URL in its canonical form and keeps the spelling.
func (s *sighting) set(uri string) spelling {
	var how spelling
	s.uri, how = canonical(uri)
	s.host = hostOf(s.uri)
	if s.uri != uri {
		s.written = uri
	}
	return how
}

// digestOf writes a digest in one form, whatever its label and its letters; "" for one that is
// none.
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

// The verdict on two digests.
const (
	unlike = -1
	apart  = 0 // of other algorithms, or one is missing: nothing can be said
	alike  = 1
)

// likeness compares a digest with those of a record: the stated one and the computed one. One that
// fits is enough.
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

// key is what sightings are sorted by: host, URL, second, witness. Neither host nor URL holds a
// zero byte: canonical escapes it.
func (s *sighting) key(b []byte) []byte {
	b = append(append(b[:0], s.host...), 0)
	b = append(append(b, s.uri...), 0)
	second := uint64(0)
	if s.at != noTime {
		second = uint64(s.second()) ^ 1<<63
	}
	return append(binary.BigEndian.AppendUint64(b, second), byte(s.kind))
}

// value is what the key does not hold.
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

var errSighting = errors.New("a temporary file holds something else than was written to it")

// parse reads a sighting back. Host and URL are not in the value, and are left out.
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
