package archive

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"quire/internal/disk"
	"quire/metadata/mods"
	"quire/oai/provider"
	"quire/oai/resource"
)

// hold is where a record lies, and what the pass found it to be.
type hold struct {
	pkg     string
	version int
	path    string

	kind                             string
	offset, inflated, stored, length int64
	head, body                       int64
	sum                              []byte // SHA-256 of the body as it was sent
	size                             int64
	mime, coding, note               string
	order                            int64
}

// held is what the index knows of a record that is shown.
type held struct {
	holds       []hold // where it lies, that of the newest version first
	events      []resource.Event
	description *mods.Record
}

// Resource implements resource.Collection: it reads the head from the stored bytes.
func (a *Archive) Resource(ctx context.Context, identifier string) (*resource.Resource, error) {
	c, err := ParseIdentifier(identifier)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", provider.ErrNotFound, err)
	}
	r := &resource.Resource{Identifier: identifier, URL: c.URL, Captured: c.Date}
	var found held
	err = a.snapshot(ctx, func(tx *sql.Tx) error {
		h, row, err := a.header(ctx, tx, identifier, &c)
		if err == nil && h.Deleted {
			err = provider.ErrNotFound
		}
		if err != nil {
			return err
		}
		r.Datestamp = h.Datestamp
		return a.held(ctx, tx, row, &found)
	})
	if err != nil {
		return nil, err
	}
	if len(found.holds) == 0 {
		return nil, fmt.Errorf("%w: no container has it any more", provider.ErrNotFound)
	}
	first := &found.holds[0]
	r.MIMEType, r.Size, r.Coding, r.Description, r.Events = first.mime, first.size, first.coding, found.description, found.events
	if first.note != "" {
		r.Events = append(r.Events, resource.Event{Type: "capture", Detail: first.note, Outcome: "warning", Time: c.Date})
	}
	p := &payload{archive: a, holds: found.holds}
	if err := p.describe(ctx, r); err != nil {
		return nil, fmt.Errorf("%s: %w", identifier, err)
	}
	r.Open = p.open
	return r, nil
}

// held reads what the index knows of a record.
func (a *Archive) held(ctx context.Context, tx *sql.Tx, row int64, to *held) error {
	var events string
	err := each(ctx, tx, func(scan func(...any) error) error {
		var h hold
		var told string
		err := scan(&h.pkg, &h.version, &h.path, &told, &h.kind, &h.offset, &h.inflated, &h.stored, &h.length, &h.head, &h.body, &h.sum, &h.size, &h.mime, &h.coding,
			&h.note, &h.order)
		events = cmp.Or(events, told)
		to.holds = append(to.holds, h)
		return err
	}, `SELECT k.name, p.version, p.path, p.events, h.type, h.offset, h.inflated, h.stored, h.length, h.head, h.body, h.sum, h.size, h.mime, h.coding, h.note, h.ord
		FROM holds h JOIN place p ON p.content = h.content JOIN package k ON k.id = p.package
		WHERE h.record = ? ORDER BY p.version DESC, p.path LIMIT 16`, row)
	if err != nil {
		return err
	}
	if events != "" {
		if err := json.Unmarshal([]byte(events), &to.events); err != nil {
			return err
		}
	}
	var text string
	now := a.now()
	err = tx.QueryRowContext(ctx, `SELECT d.mods FROM listed l JOIN batch b ON b.id = l.batch JOIN description d ON d.sum = b.description
		WHERE l.record = ? AND b.stamp <= ? AND b.until > ?`, row, now, now).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	record, err := readMODS([]byte(text))
	to.description = &record
	return err
}

// small is how long a body may be that is held, in bytes, so that the container is opened once. Longer ones are read twice, so that no
// wrong byte is handed out: once to compare the digest, and then again.
const small = 1 << 20

// payload reads the body of a record, from one copy after the other until its bytes are those that were stored.
type payload struct {
	archive *Archive
	holds   []hold
	kept    []byte // the body, when it is small and was read
	whole   bool   // kept is it
}

// describe reads the head, and a small body with it.
func (p *payload) describe(ctx context.Context, r *resource.Resource) error {
	return p.try(ctx, func(h *hold, s *stored) error {
		if h.body <= small {
			var b bytes.Buffer
			if _, err := io.Copy(&b, s); err != nil {
				return err
			}
			p.kept, p.whole = b.Bytes(), true
			r.Size = int64(b.Len())
		}
		if s.head != nil {
			r.Proto, r.Status = s.head.Proto, s.head.StatusCode
			r.Header = make([]resource.Field, 0, len(s.head.Fields))
			for _, f := range s.head.Fields {
				if f.Name != "" {
					r.Header = append(r.Header, resource.Field{Name: f.Name, Value: f.Value})
				}
			}
		}
		return nil
	})
}

// open gives the body.
func (p *payload) open(ctx context.Context) (io.ReadCloser, error) {
	if p.whole {
		return io.NopCloser(bytes.NewReader(p.kept)), nil
	}
	var opened io.ReadCloser
	err := p.try(ctx, func(h *hold, s *stored) error {
		if _, err := io.Copy(io.Discard, s); err != nil {
			return err
		}
		again, err := os.Open(s.file.Name())
		if err != nil {
			return err
		}
		body, err := openStored(ctx, again, h)
		if err != nil {
			return errors.Join(err, again.Close())
		}
		opened = body
		return nil
	})
	return opened, err
}

// try reads from one copy after the other, until one has the record as it was stored.
func (p *payload) try(ctx context.Context, read func(*hold, *stored) error) error {
	var failed error
	tried := map[string]bool{}
	for i := range p.holds {
		h := &p.holds[i]
		if p.known(ctx, h, read) {
			return nil
		}
		for f, err := range p.archive.store.OpenCopies(ctx, h.pkg, h.version, h.path) {
			if err != nil {
				failed = errors.Join(failed, err)
				break
			}
			place := fmt.Sprint(f.Name(), " ", h.order)
			if tried[place] { // an older version has the same file
				_ = f.Close() // it was not read
				continue
			}
			tried[place] = true
			err = p.readFrom(ctx, f, h, read)
			if err == nil {
				p.archive.paths.set(h.file(), f.Name())
				return nil
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			wrong := fmt.Errorf("%s, record %d: %w", f.Name(), h.order, err)
			p.archive.problem(fmt.Errorf("%w; audit package %s", wrong, h.pkg))
			failed = errors.Join(failed, wrong)
		}
	}
	return failed
}

// known reads from the file that served last, without asking the repository for the inventory of the package, which may be long. When
// that fails the repository is asked: it may lie elsewhere now.
func (p *payload) known(ctx context.Context, h *hold, read func(*hold, *stored) error) bool {
	path := p.archive.paths.get(h.file())
	if path == "" {
		return false
	}
	f, err := os.Open(path)
	if err == nil {
		err = p.readFrom(ctx, f, h, read)
	}
	if err != nil {
		p.archive.paths.set(h.file(), "")
	}
	return err == nil
}

// file names the file of a package that a record lies in: one of a version never changes.
func (h *hold) file() string { return fmt.Sprint(h.pkg, "\x00", h.version, "\x00", h.path) }

// paths remembers where files lie on the disk.
type paths struct {
	mu    sync.Mutex
	known map[string]string
}

func (p *paths) get(file string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.known[file]
}

// set remembers a path; "" forgets it.
func (p *paths) set(file, path string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known == nil || len(p.known) >= maxKnown {
		p.known = map[string]string{}
	}
	if p.known[file] = path; path == "" {
		delete(p.known, file)
	}
}

func (p *payload) readFrom(ctx context.Context, f *os.File, h *hold, read func(*hold, *stored) error) error {
	s, err := openStored(ctx, f, h)
	if err != nil {
		return errors.Join(err, f.Close())
	}
	return errors.Join(read(h, s), s.Close())
}

// stopping reads until a context ends.
func stopping(ctx context.Context, r io.Reader) io.Reader { return &disk.Counted{Ctx: ctx, From: r} }
