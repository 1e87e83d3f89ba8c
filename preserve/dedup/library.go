package dedup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"quire/internal/archivefs"
	"quire/internal/warcbuild"
	"quire/preserve/cdxj"
)

// Holding is a place that keeps containers: a folder, a repository.
type Holding interface {
	// Containers lists the containers, each once. An error is the last value.
	Containers(ctx context.Context) iter.Seq2[Held, error]
	// Open opens a container by the path that Containers returned.
	Open(path string) (archivefs.Content, error)
	Close() error
}

// Recorder is a Holding that knows the records of its containers, so they need not be read.
type Recorder interface {
	Holding
	// Records returns the wanted responses and resources. An error is the last value.
	Records(ctx context.Context, w Wanted) iter.Seq2[Recorded, error]
}

// Wanted selects records of a Recorder, by one of its fields.
type Wanted struct {
	Body      []byte // SHA-256 of the body as sent
	SHA1      []byte // of the payload
	Container string // path of a container: all of its records
}

// Recorded is a Recorder's data of a record.
type Recorded struct {
	Path     string // of the container
	URI      string
	ID       string
	Date     string // as stated
	Offset   int64
	Inflated int64 // offset in the inflated container
	Stored   int64 // -1 if it shares its member
	Head     int64 // bytes of the block before the body
	Flaw     cdxj.Flaw
	Payload  Payload
}

// facts returns the record in the form of the pass.
func (r *Recorded) facts() *recordFacts {
	s := &recordFacts{Content: true, ID: r.ID, URI: r.URI, Date: r.Date, Offset: r.Offset, Inflated: r.Inflated,
		Stored: r.Stored, Head: r.Head, Payload: r.Payload}
	s.Span, _ = datedAs(s.Date)
	s.Why = whyOf(r.Flaw, s.Span, s.URI)
	return s
}

// between separates the identifier of a package from a path: neither contains it.
const between = "\x00"

// InPackage returns the Path of a container of a package, for Held and Recorded. Revisit records
// then name the package.
func InPackage(id, path string) string { return id + between + path }

// CutPackage splits the Path of a container of a package. ok is false for other containers.
func CutPackage(where string) (id, path string, ok bool) { return strings.Cut(where, between) }

// Held is one container of a Holding.
type Held struct {
	Path string // path for Open; unique in the Holding
	Name string // of the file
}

// library finds payloads in several holdings and indexes.
type library struct {
	dir      string // for temporary files
	parts    []*part
	lines    *lines // nil without indexes
	progress func(bytes int64)
	named    *named // containers named in annotations; nil for lookups by body
	any      bool   // also records that cannot be originals: they may have lost bytes
}

// part is one holding with the data read from it.
type part struct {
	Holding
	index    *Index
	recorder Recorder         // nil if the containers must be read
	ids      map[string]int64 // of its containers in the index, by path
}

// openLibrary prepares the holdings and indexes for lookups.
func openLibrary(ctx context.Context, dir string, o *Options) (_ *library, err error) {
	l := &library{dir: dir, progress: o.Progress}
	defer func() {
		if err != nil {
			err = errors.Join(err, l.close())
		}
	}()
	for i, h := range o.Against {
		p := &part{Holding: h, ids: map[string]int64{}}
		p.recorder, _ = h.(Recorder)
		if p.index, err = OpenIndex(ctx, filepath.Join(dir, fmt.Sprintf("stored-%d.db", i))); err != nil {
			return nil, err
		}
		l.parts = append(l.parts, p)
	}
	if len(o.Indexes) > 0 {
		if l.lines, err = openLines(ctx, dir, o.Indexes); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// fill reads the containers that are needed for the wanted payloads.
func (l *library) fill(ctx context.Context, wanted *filter) error {
	none := newFilter() // recorders look up payloads one by one
	for _, p := range l.parts {
		for h, err := range p.Containers(ctx) {
			if err != nil {
				return err
			}
			switch {
			case p.recorder == nil:
				err = l.add(ctx, p, h, wanted)
			case l.named != nil && l.named.containers[bareName(h.Name)]:
				err = p.ask(ctx, Wanted{Container: h.Path}, func(h Held, s *recordFacts) error {
					return l.named.byPlace(ctx, p, h, s, none)
				})
			}
			if err != nil {
				return err
			}
		}
		if err := p.index.Flush(ctx); err != nil {
			return err
		}
	}
	if l.lines != nil {
		return l.lines.read(ctx, wanted)
	}
	return nil
}

// add reads one container into the index.
func (l *library) add(ctx context.Context, p *part, h Held, wanted *filter) error {
	content, err := p.Open(h.Path)
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }() // it was only read
	x := &examiner{progress: l.progress}
	_, err = x.examine(ctx, h.Name, content, l.take(ctx, p, h, wanted))
	return err
}

// take returns the function that adds the records of a container to the index.
func (l *library) take(ctx context.Context, p *part, h Held, wanted *filter) func(*recordFacts) error {
	if l.named != nil {
		return func(s *recordFacts) error { return l.named.byPlace(ctx, p, h, s, wanted) }
	}
	return func(s *recordFacts) error { return l.byBody(ctx, p, h, s, wanted) }
}

// ask queries a recorder once for records.
func (p *part) ask(ctx context.Context, w Wanted, take func(h Held, s *recordFacts) error) error {
	if p.recorder == nil {
		return nil
	}
	asked := key(fmt.Sprintf("asked %x %x %s", w.Body, w.SHA1, w.Container))
	if noted, err := p.index.noted(ctx, asked); noted || err != nil {
		return err
	}
	for r, err := range p.recorder.Records(ctx, w) {
		if err != nil {
			return err
		}
		if err := take(Held{Path: r.Path, Name: path.Base(r.Path)}, r.facts()); err != nil {
			return err
		}
	}
	return p.index.note(ctx, asked)
}

// holders adds the records that have a payload to the index.
func (l *library) holders(ctx context.Context, p *part, payload *Payload) error {
	return p.ask(ctx, Wanted{Body: payload.Body[:]}, func(h Held, s *recordFacts) error { return l.byBody(ctx, p, h, s, nil) })
}

// byBody adds the lookup keys of records to the index.
func (l *library) byBody(ctx context.Context, p *part, h Held, s *recordFacts, wanted *filter) error {
	k := s.Payload.exact()
	if !s.Content || s.Why != "" && !l.any || s.Payload.BodyLength == 0 || !wanted.may(k) {
		return nil
	}
	return p.put(ctx, h, s, k)
}

// put adds a record to the index.
func (p *part) put(ctx context.Context, h Held, s *recordFacts, keys ...key) (err error) {
	id, known := p.ids[h.Path]
	if !known {
		if id, err = p.index.container(ctx, h.Path, h.Name); err != nil {
			return err
		}
		p.ids[h.Path] = id
	}
	o := originalOf(s)
	for _, k := range keys {
		if err := p.index.add(ctx, k, id, &o); err != nil {
			return err
		}
	}
	return nil
}

// originalOf returns a record as an original. Its date is in the form of WARC.
func originalOf(s *recordFacts) Original {
	span, date := datedAs(s.Date)
	uri := s.URI
	if s.ID == "" { // of an ARC, which may have URLs with spaces
		uri = warcbuild.TargetURI(uri)
	}
	return Original{URI: uri, Date: date, ID: s.ID, Offset: s.Offset, span: span, head: s.Head, stored: s.Stored}
}

// find returns the earliest verified original that was captured before, or nil.
func (l *library) find(ctx context.Context, p *Payload, before instant) (*Original, error) {
	best, err := l.stored(ctx, p, before)
	if best != nil || err != nil || l.lines == nil {
		return best, err
	}
	return l.lines.find(ctx, p, before)
}

// stored looks among the records that were read.
func (l *library) stored(ctx context.Context, p *Payload, before instant) (*Original, error) {
	var best *Original
	for _, part := range l.parts {
		if err := l.holders(ctx, part, p); err != nil {
			return nil, err
		}
		found, err := part.index.find(ctx, p.exact(), before, 1)
		if err != nil {
			return nil, err
		}
		for i := range found {
			if o := &found[i]; best == nil || earlier(o, best) < 0 {
				best = o
			}
		}
	}
	return best, nil
}

// earlier is the order of preference of originals.
func earlier(a, b *Original) int {
	return cmp.Or(cmp.Compare(a.span.Start, b.span.Start), cmp.Compare(a.span.Stop, b.span.Stop),
		cmp.Compare(a.Container, b.Container),
		cmp.Compare(a.Offset, b.Offset))
}

// anywhere reports whether the payload is stored in any part of the library.
func (l *library) anywhere(ctx context.Context, p *Payload) (bool, error) {
	for _, part := range l.parts {
		if err := l.holders(ctx, part, p); err != nil {
			return false, err
		}
		if there, err := part.index.has(ctx, p.exact()); there || err != nil {
			return there, err
		}
	}
	if l.lines != nil {
		return l.lines.anywhere(ctx, p)
	}
	return false, nil
}

// copies returns records with the payload, of any capture time, each with the means to open its
// container.
func (l *library) copies(ctx context.Context, p *Payload, limit int) iter.Seq2[copyOf, error] {
	return func(yield func(copyOf, error) bool) {
		for _, part := range l.parts {
			var found []Original
			err := l.holders(ctx, part, p)
			if err == nil {
				found, err = part.index.find(ctx, p.exact(), instant{Start: endOfTime}, limit)
			}
			if err != nil {
				yield(copyOf{}, err)
				return
			}
			for i := range found {
				if !yield(copyOf{&found[i], part.Open}, nil) {
					return
				}
			}
		}
	}
}

const endOfTime = 1<<63 - 1

// copyOf is a record with a payload, and its location.
type copyOf struct {
	*Original
	open func(path string) (archivefs.Content, error)
}

func (l *library) close() error {
	var err error
	for _, p := range slices.Backward(l.parts) {
		err = errors.Join(err, p.index.Close())
	}
	if l.lines != nil {
		err = errors.Join(err, l.lines.close())
	}
	return err
}
