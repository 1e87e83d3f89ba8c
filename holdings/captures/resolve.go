package captures

import (
	"bytes"
	"errors"
	"strings"
)

// typeRevisit is a record whose payload is another's.
const typeRevisit = "revisit"

// A revisit states the digest of its payload, and mostly the URL and the time at which that was
// captured. What it stands for is looked for by the digest: it is the same payload wherever it
// lies, in whatever package, and a record that holds it, never again a revisit: so there are no
// chains. Of several the one is taken that the revisit names; or else the last one before it of the
// same URL; or else the first after it; or else any.
//
// What is found is written beside the revisit. It holds as long as the container that it lies in is
// in the index, since containers do not change: otherwise, and where nothing was found, it is
// looked for again when the revisit is asked for, and when segments are joined.

// resolver finds the payloads of revisits.
type resolver struct {
	payloads   []*segment
	captures   []*segment
	containers map[int64]*Container

	// The revisits of a page often stand for one record, and lie side by side.
	last  string
	found *original
}

// newResolver looks in what is in force, and in what is about to be.
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

// line gives a line with what its revisit stands for; another line as it is.
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

// find gives what a revisit stands for; nil when that is not in the index.
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
		if strings.Contains(try.from, "  ") { // it names none
			continue
		}
		o, err := r.first(r.payloads, []byte(try.from), []byte(try.to), try.back)
		if o != nil || err != nil {
			return o, err
		}
	}
	return nil, nil
}

// errEnough ends a merge that has what was wanted.
var errEnough = errors.New("enough")

// first gives the first record between two texts that is there.
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
		// payloadIn has seen that they are there
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

// named gives the record that a revisit without a digest names by URL and time: what the server
// said is not modified. The record itself says so, and there is nothing to compare.
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

// captureIn reads in which container a line of captures lies.
func captureIn(line []byte) (int64, bool) {
	_, _, object, ok := cutLine(line)
	if !ok {
		return 0, false
	}
	n, _, ok := member(object, `{"in":`)
	return n, ok
}

// payloadIn does so for a line of payloads: a digest, a key and a timestamp stand before its
// object.
func payloadIn(line []byte) (int64, bool) {
	i := bytes.IndexByte(line, ' ')
	if i < 0 {
		return 0, false
	}
	return captureIn(line[i+1:])
}
