package captures

import (
	"bytes"
	"errors"
	"strings"
)

// typeRevisit is the type of records with the payload of another record.
const typeRevisit = "revisit"

// A revisit states the digest of its payload, and usually URL and time of the original capture. The
// original is found by the digest: the same payload in any place and any package, in a record that
// contains it. It is never itself a revisit, so there are no chains. Among several, the record
// named by the revisit is preferred; then the last one before it of the same URL; then the first
// after it; then any.
//
// The result is stored with the revisit. It is valid while its container is in the index, because
// containers do not change. Otherwise, or if nothing was found, the search is repeated when the
// revisit is read, and when segments are merged.

// resolver finds the originals of revisits.
type resolver struct {
	payloads   []*segment
	captures   []*segment
	containers map[int64]*Container

	// The revisits of a page often share one original, and are adjacent.
	last  string
	found *original
}

// newResolver searches the current segments, and the one being written.
func newResolver(s *snapshot, m *manifest, own *segment) *resolver {
	r := &resolver{containers: s.containers}
	for _, f := range s.segments {
		r.payloads, r.captures = append(r.payloads, f.payloads), append(r.captures, f.captures)
	}
	if m != nil {
		r.containers = map[int64]*Container{}
		for i := range m.Containers {
			r.containers[m.Containers[i].In] = &m.Containers[i]
		}
	}
	if own != nil {
		r.payloads = append(r.payloads, own)
	}
	return r
}

// line adds the original to a revisit's line; other lines stay unchanged.
func (r *resolver) line(line []byte) ([]byte, error) {
	key, timestamp, object, ok := cutLine(line)
	if !ok {
		return line, nil
	}
	h, ok := scanHead(object)
	if !ok || string(h.kind) != typeRevisit {
		return line, nil
	}
	var w written
	if err := w.unmarshal(object); err != nil {
		return nil, err
	}
	if w.Original != nil && r.containers[w.Original.In] != nil {
		return line, nil
	}
	o, err := r.find(string(key), string(timestamp), &w)
	if err != nil || o == nil && w.Original == nil {
		return line, err
	}
	w.Original = o
	return lineOf(string(key)+" "+string(timestamp), w)
}

// find returns the original of a revisit; nil if it is not in the index.
func (r *resolver) find(key, timestamp string, w *written) (o *original, err error) {
	err = guarded(r.maps, func() error {
		o, err = r.search(key, timestamp, w)
		return err
	})
	return o, err
}

func (r *resolver) search(key, timestamp string, w *written) (*original, error) {
	if w.Original != nil && r.containers[w.Original.In] != nil {
		return w.Original, nil
	}
	if w.Digest == "" {
		return r.named(w.Refers)
	}
	asked := w.Digest + " " + w.Refers + " " + key + " " + timestamp
	if asked == r.last {
		return r.found, nil
	}
	found, err := r.byDigest(w.Digest, w.Refers, key, timestamp)
	if err == nil {
		r.last, r.found = asked, found
	}
	return found, err
}

func (r *resolver) byDigest(digest, refers, key, timestamp string) (*original, error) {
	for _, try := range []struct {
		from, to string
		back     bool
	}{
		{digest + " " + refers + " ", digest + " " + refers + " ~", false},
		{digest + " " + key + " ", digest + " " + key + " " + timestamp + " ~", true},
		{digest + " " + key + " " + timestamp, digest + " " + key + " ~", false},
		{digest + " ", digest + " ~", false},
	} {
		if strings.Contains(try.from, "  ") { // the revisit names no original
			continue
		}
		o, err := r.first(r.payloads, []byte(try.from), []byte(try.to), try.back)
		if o != nil || err != nil {
			return o, err
		}
	}
	return nil, nil
}

// errEnough ends a merge early.
var errEnough = errors.New("enough")

// first returns the first existing record between two texts.
func (r *resolver) first(in []*segment, from, to []byte, back bool) (found *original, err error) {
	s, at := stretch{from, to}, from
	if back {
		at = to
	}
	l := &lookup{}
	defer l.close()
	var all []*cursor
	for _, segment := range in {
		place, err := l.search(segment, at)
		if err != nil {
			return nil, err
		}
		if back {
			all = append(all, segment.before(place))
		} else {
			all = append(all, segment.from(place))
		}
	}
	err = merge(all, back, func(line []byte) error {
		if s.ends(line, back) {
			return errEnough
		}
		n, ok := payloadIn(line)
		if !ok || r.containers[n] == nil {
			return nil
		}
		// payloadIn has verified that they exist
		_, timestamp, object, _ := cutLine(line[bytes.IndexByte(line, ' ')+1:])
		found = &original{timestamp: string(timestamp)}
		if err := found.unmarshal(object); err != nil {
			return err
		}
		return errEnough
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return found, err
}

// named returns the record that a revisit without a digest names by URL and time. The crawler
// writes such a revisit when the server answers "not modified". There is no digest to compare.
func (r *resolver) named(refers string) (found *original, err error) {
	if refers == "" {
		return nil, nil
	}
	from, to := []byte(refers+" "), []byte(refers+" ~")
	l := &lookup{}
	defer l.close()
	var all []*cursor
	for _, s := range r.captures {
		place, err := l.search(s, from)
		if err != nil {
			return nil, err
		}
		all = append(all, s.from(place))
	}
	err = merge(all, false, func(line []byte) error {
		_, timestamp, object, ok := cutLine(line)
		if bytes.Compare(line, to) >= 0 || !ok {
			return errEnough
		}
		h, ok := scanHead(object)
		if !ok || string(h.kind) == typeRevisit || r.containers[h.in] == nil {
			return nil
		}
		var w written
		if err := w.unmarshal(object); err != nil {
			return err
		}
		found = &original{In: w.In, Order: w.Order, Status: w.Status, MIME: w.MIME, URL: w.URL, URLBytes: w.URLBytes,
			Size: w.Size, place: w.place, timestamp: string(timestamp)}
		return errEnough
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return found, err
}

// captureIn returns the container number of a captures line.
func captureIn(line []byte) (int64, bool) {
	_, _, object, ok := cutLine(line)
	if !ok {
		return 0, false
	}
	n, _, ok := member(object, `{"in":`)
	return n, ok
}

// payloadIn returns the container number of a payloads line: its object follows digest, key and
// timestamp.
func payloadIn(line []byte) (int64, bool) {
	i := bytes.IndexByte(line, ' ')
	if i < 0 {
		return 0, false
	}
	return captureIn(line[i+1:])
}
