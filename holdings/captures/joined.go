package captures

import (
	"cmp"
	"context"
	"crypto/sha1" //nolint:gosec // the digest of web archives
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"quire/format/warc"
	"quire/preserve/aip"
	"quire/preserve/cdxj"
	"quire/repository/stored"
)

// Parts of a segmented record (ISO 28500:2017, clause 7) become one capture: its place is that of
// the first part, and names the others. They may lie in other containers of the package, of the same
// harvest. So the reading of a container with a first part reads the lines of these containers, too,
// and then the parts: no pass over one container sees the digests of the whole.

// mostParts bounds the memory for the segments of a container or a package, in bytes: for some
// hundred thousand. Beyond that, first segments have no line, and are counted; later ones
// are counted in the reason why their capture is truncated.
const mostParts = 64 << 20

// mostFirsts is the number of first segments with one id in a package that are joined with the others. Each needs a
// reading of all parts.
const mostFirsts = 16

// mostShared bounds the bytes that are inflated to find segments that share their gzip member: each is found from
// the beginning of its file. It holds for a package. A record of some gigabytes in such a file is still joined.
const mostShared = 16 << 30

// parts are the segments of a package, by the id of the first.
type parts struct {
	pkg     string
	version int
	later   map[string][]part
	firsts  map[string]int
	over    int64 // later segments beyond the limit
	shared  int64 // bytes inflated to find segments
}

// part is the line of a segment, without the texts that only a first one needs, and its container.
type part struct {
	container string
	cdxj.Line
}

// sizeOf returns the memory for a line, in bytes.
func sizeOf(l *cdxj.Line) int {
	const fixed = 600
	return fixed + len(l.Key) + len(l.URL) + len(l.Location) + len(l.ID) + len(l.Origin) + len(l.Truncated)
}

// sift wraps a visitor: it gets all lines but those of segments. They are kept, as far as they are
// first parts.
func (r *reading) sift(c *Container, first *[]cdxj.Line, visit func(*Line) error) func(*cdxj.Line) error {
	kept := 0
	return func(l *cdxj.Line) error {
		if l.Segment == 0 {
			return visit(lineOfPass(l))
		}
		if l.Segment > 1 {
			return nil
		}
		if kept += sizeOf(l); kept > r.mostParts {
			c.left(LeftSegment, 1)
			return nil
		}
		*first = append(*first, *l)
		return nil
	}
}

// left counts captures without a line.
func (c *Container) left(why string, n int64) {
	if c.Left == nil {
		c.Left = map[string]int64{}
	}
	c.Left[why] += n
}

// join yields the captures of first parts, each with the others of its record.
func (r *reading) join(ctx context.Context, c *Container, first []cdxj.Line, visit func(*Line) error) error {
	if len(first) == 0 {
		return nil
	}
	if err := r.collect(ctx, c); err != nil {
		return err
	}
	for i := range first {
		f := &first[i]
		l, err := r.joined(ctx, c, f)
		if err != nil {
			return fmt.Errorf("the segments of record %d: %w", f.Order, err)
		}
		if l == nil {
			c.left(LeftSegment, 1)
			continue
		}
		if err := visit(l); err != nil {
			return err
		}
	}
	return nil
}

// collect reads the later parts in all containers of the package and of the harvest.
func (r *reading) collect(ctx context.Context, of *Container) error {
	if r.parts.later != nil && r.parts.pkg == r.pkg && r.parts.version == r.version {
		return nil
	}
	found := parts{pkg: r.pkg, version: r.version, later: map[string][]part{}, firsts: map[string]int{}}
	kept := 0
	for _, path := range slices.Sorted(maps.Keys(r.files)) {
		if r.files[path].Use != aip.UseContainers {
			continue
		}
		c := &Container{Package: of.Package, Path: path, SHA512: r.files[path].SHA512, Version: segmented,
			PackageVersion: of.PackageVersion}
		visit := func(l *cdxj.Line) error {
			switch {
			case l.Segment == 1:
				kept += found.first(idOf(l.ID), kept > r.mostParts)
				return nil
			case l.Segment > 1 && kept > r.mostParts:
				found.over++
				return nil
			case l.Segment == 0:
				return nil
			}
			id := idOf(l.Origin)
			p := part{path, cdxj.Line{Segment: l.Segment, Total: l.Total, Order: l.Order, Offset: l.Offset,
				Stored: l.Stored, Inflated: l.Inflated, Length: l.Length, Body: l.Body, SHA256: l.SHA256,
				Truncated: l.Truncated}}
			kept += sizeOf(&p.Line) + len(id)
			found.later[id] = append(found.later[id], p)
			return nil
		}
		header, err := r.packed(ctx, c, visit)
		if header == nil && err == nil {
			_, err = r.made(ctx, c, visit)
		}
		if err != nil {
			return err
		}
	}
	if r.parts = found; found.over > 0 && r.tell != nil {
		r.tell(fmt.Errorf("package %s has too many segments: %d are not joined", of.Package, found.over))
	}
	return nil
}

// first counts a first segment, and returns the memory for it. Without memory left, it counts only those that can be
// joined with a part: the memory for their ids is bounded.
func (p *parts) first(id string, full bool) int {
	const fixed = 100
	n, known := p.firsts[id]
	if !known && full && p.later[id] == nil {
		return 0
	}
	if p.firsts[id] = n + 1; known {
		return 0
	}
	return fixed + len(id)
}

// idOf returns an id without angle brackets, which some writers omit.
func idOf(id string) string { return strings.Trim(id, "<>") }

// joined returns the capture of a segmented record. It returns nil if the head of the message is not in the
// first part: then no reader can tell it from the body.
func (r *reading) joined(ctx context.Context, c *Container, first *cdxj.Line) (*Line, error) {
	if first.Head == 0 && first.Type == warc.TypeResponse {
		return nil, nil
	}
	all := []part{{c.Path, *first}}
	later := r.parts.later[idOf(first.ID)]
	if r.parts.firsts[idOf(first.ID)] > mostFirsts {
		later = nil
	}
	for _, p := range later {
		harvest, known := c.Harvests[p.container]
		if p.container == c.Path || c.Harvests == nil || known && harvest == c.Harvest {
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all[1:], func(a, b part) int { // of equal parts, one in the same container is used
		return cmp.Compare(boolInt(a.container != c.Path), boolInt(b.container != c.Path))
	})
	segments := make([]warc.Segment, len(all))
	for i := range all {
		p := &all[i]
		segments[i] = warc.Segment{Number: p.Segment, Bytes: p.Head + p.Body, Total: p.Total, Sum: p.SHA256}
	}
	order, fault := warc.JoinSegments(segments)
	if n := r.parts.over; n > 0 && fault != nil && strings.HasSuffix(fault.Error(), " is missing") {
		fault = fmt.Errorf("%w, or is one of the %d segments of the package that are too many to be joined", fault, n)
	}
	if n := r.affordable(all, order); n < len(order) {
		fault = fmt.Errorf("%w: segment %d shares its gzip member, and finding it takes too long", warc.ErrSegments,
			n+1)
		order = order[:n]
	}
	if len(order) == 0 {
		return nil, nil
	}
	l := lineOfPass(first)
	l.Flaw = cdxj.FlawSegmented
	at := &l.Record
	at.Body, at.SHA256 = 0, "" // of the first part
	for _, i := range order {
		p := &all[i]
		s := Segment{Order: p.Order, Offset: p.Offset, Length: p.Stored, Inflated: p.Inflated, Body: p.Body,
			SHA256: p.SHA256}
		if p.container != c.Path {
			s.Container = p.container
		}
		at.Segments = append(at.Segments, s)
		at.Body += p.Body
		l.Capture.Size += p.Length
		if !l.Truncated && p.Truncated != "" {
			l.Truncated, l.TruncatedBy = true, p.Truncated
		}
	}
	l.Capture.Size -= first.Length
	if n := r.parts.firsts[idOf(first.ID)]; n > mostFirsts {
		fault = fmt.Errorf("%w: %d first segments have this id", warc.ErrSegments, n)
	}
	if fault != nil {
		l.Truncated = true
		l.TruncatedBy = strings.TrimPrefix(fault.Error(), warc.ErrSegments.Error()+": ")
	}
	l.Unlisted = first.Unlisted
	err := r.digest(ctx, c, l, first.Stated)
	if errors.Is(err, errNoHead) {
		return nil, nil
	}
	return l, err
}

// affordable returns how many parts, in their order, can be found within the limit for shared members.
func (r *reading) affordable(all []part, order []int) int {
	for n, i := range order {
		p := &all[i]
		if p.Stored > 0 {
			continue
		}
		cost := p.Inflated + p.Head + p.Body
		if cost < 0 || cost > r.mostShared-r.parts.shared {
			return n
		}
		r.parts.shared += cost
	}
	return len(order)
}

// errNoHead reports that the head of a message goes on in the second segment.
var errNoHead = errors.New("the head is not in the first segment")

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// digest reads the parts of a capture, and sets the members that only the whole has.
func (r *reading) digest(ctx context.Context, c *Container, l *Line, stated string) error {
	at := l.Record
	at.Package = c.Package
	at.Container = c.Path
	sum1, sum256 := sha1.New(), sha256.New() //nolint:gosec // as above
	read := func(verify bool) error {
		joined, err := at.Join("", func(part *Place) (*stored.Record, error) {
			return r.openPart(ctx, c, part, verify)
		})
		if err != nil {
			return err
		}
		if h := joined.Head; h != nil && !strings.HasSuffix(h.Raw(), "\n\n") && !strings.HasSuffix(h.Raw(), "\n\r\n") {
			return errors.Join(errNoHead, joined.Close())
		}
		sum1.Reset()
		sum256.Reset()
		l.Length, err = io.Copy(io.MultiWriter(sum1, sum256), joined)
		if err != nil {
			return errors.Join(err, joined.Close())
		}
		l.Chunked, l.Record.SHA256 = joined.Head != nil && joined.Head.Chunked(), hex.EncodeToString(joined.Sum())
		return joined.Close()
	}
	err := read(false)
	if errors.Is(err, stored.ErrOther) { // a damaged copy: look for others
		err = read(true)
	}
	if err != nil {
		return err
	}
	l.Digests = []string{warc.FormatDigest("sha1", sum1.Sum(nil)), warc.FormatDigest("sha256", sum256.Sum(nil))}
	l.Digest = l.Digests[0]
	if slices.Contains(l.Digests, stated) {
		l.Digest = stated
	}
	return nil
}

// openPart opens a part in one copy of its container after another, until one can be opened. With
// verify, its bytes must be those of its line.
func (r *reading) openPart(ctx context.Context, c *Container, part *Place, verify bool) (*stored.Record, error) {
	at, err := part.At("")
	if err != nil {
		return nil, err
	}
	open := stored.Opened
	if verify {
		open = stored.Verified
	}
	var failed error
	for f, err := range r.store.OpenCopies(ctx, c.Package, c.PackageVersion, part.Container) {
		if err != nil {
			return nil, errors.Join(failed, err)
		}
		rec, err := open(ctx, f, &at)
		if err == nil {
			return rec, nil
		}
		failed = errors.Join(failed, fmt.Errorf("%s, record %d: %w", f.Name(), part.Order, err))
	}
	return nil, failed
}
