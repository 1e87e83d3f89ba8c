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

	"quire/internal/archivefs"
	"quire/internal/warcbuild"
	"quire/preserve/cdxj"
)

// Holding is a place where containers are kept: a folder, a repository.
type Holding interface {
	// Containers lists what is kept, each once. The error is the last thing given.
	Containers(ctx context.Context) iter.Seq2[Held, error]
	// Open opens a container by the path that Containers gave.
	Open(path string) (archivefs.Content, error)
	Close() error
}

// Recorder is a Holding that knows what its containers hold, and need not have them read.
type Recorder interface {
	Holding
	// Records gives the responses and resources that are wanted. The error is the last thing given.
	Records(ctx context.Context, w Wanted) iter.Seq2[Recorded, error]
}

// Wanted is what records a Recorder is asked for: one of these.
type Wanted struct {
	Body      []byte // SHA-256 of the body as it was sent
	SHA1      []byte // of the payload
	Container string // its path: all that lie there
}

// Recorded is what a Recorder knows of a record.
type Recorded struct {
	Path     string // of the container
	URI      string
	ID       string
	Date     string // as stated
	Offset   int64
	Inflated int64 // offset when the container is inflated
	Stored   int64 // -1 when it shares its member
	Head     int64 // bytes of the block before the body
	Flaw     cdxj.Flaw
	Payload  Payload
}

// seen is the record as the pass sees it.
func (r *Recorded) seen() *seen {
	s := &seen{Content: true, ID: r.ID, URI: r.URI, Date: r.Date, Offset: r.Offset, Inflated: r.Inflated,
		Stored: r.Stored, Head: r.Head, Payload: r.Payload}
	s.Span, _ = datedAs(s.Date)
	s.Why = whyOf(r.Flaw, s.Span, s.URI)
	return s
}

// Held is one container of a Holding.
type Held struct {
	Path string // by which it can be opened; its own within the Holding
	Name string // of the file
}

// library finds payloads in several holdings and indexes.
type library struct {
	dir      string // for temporary files
	parts    []*part
	lines    *lines // nil without indexes
	progress func(bytes int64)
	named    *named // what annotations name; nil when records are looked for by their bodies
	any      bool   // records that could not stand for others are wanted too: their bytes may be what was lost
}

// part is one holding with what was read of it.
type part struct {
	Holding
	index    *Index
	recorder Recorder         // nil when the containers have to be read
	ids      map[string]int64 // of its containers in the index, by path
}

// openLibrary prepares the holdings and indexes to be asked.
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

// fill reads what must be read for the payloads that are wanted.
func (l *library) fill(ctx context.Context, wanted *filter) error {
	none := newFilter() // a recorder is asked for payloads one by one
	for _, p := range l.parts {
		for h, err := range p.Containers(ctx) {
			if err != nil {
				return err
			}
			switch {
			case p.recorder == nil:
				err = l.add(ctx, p, h, wanted)
			case l.named != nil && l.named.containers[bareName(h.Name)]:
				err = p.ask(ctx, Wanted{Container: h.Path}, func(h Held, s *seen) error {
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

// take is what puts the records of a container into the index.
func (l *library) take(ctx context.Context, p *part, h Held, wanted *filter) func(*seen) error {
	if l.named != nil {
		return func(s *seen) error { return l.named.byPlace(ctx, p, h, s, wanted) }
	}
	return func(s *seen) error { return l.byBody(ctx, p, h, s, wanted) }
}

// ask asks a recorder once for records.
func (p *part) ask(ctx context.Context, w Wanted, take func(h Held, s *seen) error) error {
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
		if err := take(Held{Path: r.Path, Name: path.Base(r.Path)}, r.seen()); err != nil {
			return err
		}
	}
	return p.index.note(ctx, asked)
}

// holders has those in the index who hold a payload.
func (l *library) holders(ctx context.Context, p *part, payload *Payload) error {
	return p.ask(ctx, Wanted{Body: payload.Body[:]}, func(h Held, s *seen) error { return l.byBody(ctx, p, h, s, nil) })
}

// byBody puts into the index what records are looked up by.
func (l *library) byBody(ctx context.Context, p *part, h Held, s *seen, wanted *filter) error {
	k := s.Payload.exact()
	if !s.Content || s.Why != "" && !l.any || s.Payload.BodyLength == 0 || !wanted.may(k) {
		return nil
	}
	return p.put(ctx, h, s, k)
}

// put puts a record into the index.
func (p *part) put(ctx context.Context, h Held, s *seen, keys ...key) (err error) {
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

// originalOf is a record as an original of others. Its date is as WARC writes it.
func originalOf(s *seen) Original {
	span, date := datedAs(s.Date)
	uri := s.URI
	if s.ID == "" { // of an ARC, which has URLs with spaces
		uri = warcbuild.TargetURI(uri)
	}
	return Original{URI: uri, Date: date, ID: s.ID, Offset: s.Offset, span: span, head: s.Head, stored: s.Stored}
}

// find gives the earliest original that was captured before, as far as evidence goes; nil when
// there is none.
func (l *library) find(ctx context.Context, p *Payload, before instant) (*Original, error) {
	best, err := l.stored(ctx, p, before)
	if best != nil || err != nil || l.lines == nil {
		return best, err
	}
	return l.lines.find(ctx, p, before)
}

// stored looks for records that were read.
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

// earlier is the order in which originals are preferred.
func earlier(a, b *Original) int {
	return cmp.Or(cmp.Compare(a.span.Start, b.span.Start), cmp.Compare(a.span.Stop, b.span.Stop),
		cmp.Compare(a.Container, b.Container),
		cmp.Compare(a.Offset, b.Offset))
}

// anywhere says whether the payload is stored at all.
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

// copies gives records with the payload, whenever they were captured, each with what opens its
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

// copyOf is a record with a payload, and where it is kept.
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
