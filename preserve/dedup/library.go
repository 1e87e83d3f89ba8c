package dedup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"

	"quire/internal/archivefs"
	"quire/internal/making"
)

// Holding is a place where containers are kept: a folder, a repository.
type Holding interface {
	// Containers lists what is kept, each once. The error is the last thing given.
	Containers(ctx context.Context) iter.Seq2[Held, error]
	// Open opens a container by the path that Containers gave.
	Open(path string) (archivefs.Content, error)
	// Cache names the file in which what was read of the containers may be kept for the next time; "" when there is none.
	Cache() string
	Close() error
}

// Held is one container of a Holding.
type Held struct {
	Path  string // by which it can be opened; its own within the Holding
	Name  string // of the file
	State string // changes when the content does
}

// library finds payloads in several holdings and indexes.
type library struct {
	dir      string // for temporary files
	parts    []*part
	lines    *lines // nil without indexes
	progress func(bytes int64)
	taken    func(ctx context.Context, p *part, h Held, container int64, wanted *filter) func(*seen) error // nil is byBody
	any      bool                                                                                          // records that could not stand for others are wanted too: their bytes may be what was lost
}

// part is one holding with what was read of it.
type part struct {
	Holding
	index *Index
	lasts bool
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
		p := &part{Holding: h, lasts: h.Cache() != "" && !o.noCache}
		file := filepath.Join(dir, fmt.Sprintf("stored-%d.db", i))
		if p.lasts {
			file = h.Cache()
		}
		if p.index, err = OpenIndex(ctx, file, p.lasts); err != nil {
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
	for _, p := range l.parts {
		w := wanted
		if p.lasts {
			w = nil // the next time others will be
		}
		if err := l.read(ctx, p, w); err != nil {
			return err
		}
	}
	if l.lines != nil {
		return l.lines.read(ctx, wanted)
	}
	return nil
}

// read brings the index of a holding up to date.
func (l *library) read(ctx context.Context, p *part, wanted *filter) error {
	there := map[string]bool{}
	for h, err := range p.Containers(ctx) {
		if err != nil {
			return err
		}
		there[h.Path] = true
		known, err := p.index.State(ctx, h.Path)
		if err != nil {
			return err
		}
		if known == h.State {
			continue
		}
		if err := p.index.Forget(ctx, h.Path); err != nil {
			return err
		}
		if err := l.add(ctx, p, h, wanted); err != nil {
			return err
		}
		if err := p.index.Flush(ctx); err != nil {
			return err
		}
	}
	shelves, err := p.index.Shelves(ctx)
	if err != nil {
		return err
	}
	for _, s := range shelves {
		if !there[s] {
			if err := p.index.Forget(ctx, s); err != nil {
				return err
			}
		}
	}
	return p.index.Flush(ctx)
}

// add reads one container into the index.
func (l *library) add(ctx context.Context, p *part, h Held, wanted *filter) error {
	content, err := p.Open(h.Path)
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }() // it was only read
	id, err := p.index.container(ctx, h.Path, h.Name, h.State)
	if err != nil {
		return err
	}
	x := &examiner{progress: l.progress}
	take := l.taken
	if take == nil {
		take = l.byBody
	}
	_, err = x.examine(ctx, h.Name, content, take(ctx, p, h, id, wanted))
	return err
}

// byBody puts into the index what records are looked up by.
func (l *library) byBody(ctx context.Context, p *part, _ Held, id int64, wanted *filter) func(*seen) error {
	return func(s *seen) error {
		k := s.Payload.exact()
		if !s.Content || s.Why != "" && !l.any || s.Payload.BodyLength == 0 || !wanted.may(k) {
			return nil
		}
		o := originalOf(s)
		return p.index.add(ctx, k, id, &o)
	}
}

// originalOf is a record as an original of others. Its date is as WARC writes it.
func originalOf(s *seen) Original {
	span, date := datedAs(s.Date)
	uri := s.URI
	if s.ID == "" { // of an ARC, which has URLs with spaces
		uri = making.TargetURI(uri)
	}
	return Original{URI: uri, Date: date, ID: s.ID, Offset: s.Offset, span: span, head: s.Head, stored: s.Stored}
}

// find gives the earliest original that was captured before, as far as evidence goes; nil when there is none.
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
	return cmp.Or(cmp.Compare(a.span.Start, b.span.Start), cmp.Compare(a.span.Stop, b.span.Stop), cmp.Compare(a.Container, b.Container),
		cmp.Compare(a.Offset, b.Offset))
}

// anywhere says whether the payload is stored at all.
func (l *library) anywhere(ctx context.Context, p *Payload) (bool, error) {
	for _, part := range l.parts {
		if there, err := part.index.has(ctx, p.exact()); there || err != nil {
			return there, err
		}
	}
	if l.lines != nil {
		return l.lines.anywhere(ctx, p)
	}
	return false, nil
}

// copies gives records with the payload, whenever they were captured, each with what opens its container.
func (l *library) copies(ctx context.Context, p *Payload, limit int) iter.Seq2[copyOf, error] {
	return func(yield func(copyOf, error) bool) {
		for _, part := range l.parts {
			found, err := part.index.find(ctx, p.exact(), instant{Start: endOfTime}, limit)
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
