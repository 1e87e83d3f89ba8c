package archive

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"quire/format/http1"
	"quire/format/warc"
	"quire/internal/disk"
	"quire/metadata/mods"
	"quire/model"
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
	holds       []hold       // where the body lies, that of the newest version first
	heads       []hold       // where the head lies, when that is elsewhere: of a revisit
	digest      *warc.Digest // of the payload, as a revisit states it
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
		if err := a.held(ctx, tx, row, &found); err != nil {
			return err
		}
		return found.known(ctx, tx)
	})
	if err != nil {
		return nil, err
	}
	if len(found.holds) == 0 && len(found.heads) > 0 {
		return nil, fmt.Errorf("%s is a revisit, and its original is not shown now: %w", identifier, provider.ErrNotFound)
	}
	if len(found.holds) == 0 {
		return nil, fmt.Errorf("%w: no container has it any more", provider.ErrNotFound)
	}
	first := &found.holds[0]
	r.MIMEType, r.Size, r.Coding, r.Description, r.Events = first.mime, first.size, first.coding, found.description, found.events
	if first.note != "" {
		r.Events = append(r.Events, resource.Event{Type: "capture", Detail: first.note, Outcome: "warning", Time: c.Date})
	}
	p := &payload{archive: a, holds: found.holds, heads: found.heads, digest: found.digest}
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
		FROM holds h CROSS JOIN place p ON p.content = h.content CROSS JOIN package k ON k.id = p.package
		WHERE h.record = ? ORDER BY p.version DESC, p.path LIMIT 16`, row)
	if err != nil {
		return err
	}
	if events != "" {
		if err := json.Unmarshal([]byte(events), &to.events); err != nil {
			return err
		}
	}
	if len(to.holds) == 0 {
		if err := a.original(ctx, tx, row, to); err != nil {
			return err
		}
	}
	var text string
	now := a.now()
	err = tx.QueryRowContext(ctx, `SELECT d.mods FROM listed l CROSS JOIN batch b ON b.id = l.batch CROSS JOIN description d ON d.sum = b.description
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

// known leaves out what lies in a package whose newest version could not be read: it may be that which takes away the right to show
// it. The record stays in the list, and that it is not handed out is told.
func (h *held) known(ctx context.Context, tx *sql.Tx) error {
	troubles := map[string]string{}
	for _, name := range h.packages() {
		var trouble string
		err := tx.QueryRowContext(ctx, "SELECT problem FROM package WHERE name = ?", name).Scan(&trouble)
		if err != nil {
			return err
		}
		if trouble != "" {
			troubles[name] = trouble
		}
	}
	if len(troubles) == 0 {
		return nil
	}
	unknown := func(at hold) bool { return troubles[at.pkg] != "" }
	before := len(h.holds) + len(h.heads)
	h.holds, h.heads = slices.DeleteFunc(h.holds, unknown), slices.DeleteFunc(h.heads, unknown)
	if len(h.holds) > 0 || before == 0 {
		return nil
	}
	for name, trouble := range troubles {
		return fmt.Errorf("the newest version of package %s cannot be read, so it is not known whether this may be shown still: %s", name, trouble)
	}
	return nil
}

// packages are those where the record lies, each once.
func (h *held) packages() (names []string) {
	for _, at := range slices.Concat(h.holds, h.heads) {
		names = append(names, at.pkg)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// original finds the payload of a revisit: in records that are shown now, so that nobody is given by a revisit what he may not see.
func (a *Archive) original(ctx context.Context, tx *sql.Tx, row int64, to *held) error {
	var begins int64
	var events string
	err := each(ctx, tx, func(scan func(...any) error) error {
		h := hold{kind: warc.TypeRevisit, sum: nothing[:]}
		var d warc.Digest
		var told string
		err := scan(&h.pkg, &h.version, &h.path, &told, &h.offset, &h.inflated, &h.stored, &h.length, &h.head, &h.order, &d.Algorithm, &d.Sum, &begins)
		events, to.digest = cmp.Or(events, told), &d
		to.heads = append(to.heads, h)
		return err
	}, `SELECT k.name, p.version, p.path, p.events, v.offset, v.inflated, v.stored, v.length, v.head, v.ord, v.algorithm, v.digest, v.begins
		FROM revisit v CROSS JOIN place p ON p.content = v.content CROSS JOIN package k ON k.id = p.package
		WHERE v.record = ? ORDER BY p.version DESC, p.path LIMIT 16`, row)
	if err != nil || to.digest == nil {
		return err
	}
	if err := json.Unmarshal([]byte(events), &to.events); err != nil {
		return err
	}
	now := a.now()
	return each(ctx, tx, func(scan func(...any) error) error {
		var h hold
		err := scan(&h.pkg, &h.version, &h.path, &h.kind, &h.offset, &h.inflated, &h.stored, &h.length, &h.head, &h.body, &h.sum, &h.size, &h.mime, &h.coding, &h.order)
		to.holds = append(to.holds, h)
		return err
	}, `SELECT k.name, p.version, p.path, h.type, h.offset, h.inflated, h.stored, h.length, h.head, h.body, h.sum, h.size, h.mime, h.coding, h.ord
		FROM holds h CROSS JOIN place p ON p.content = h.content CROSS JOIN package k ON k.id = p.package
		CROSS JOIN listed l ON l.record = h.record CROSS JOIN batch b ON b.id = l.batch AND b.stamp <= ?2 AND b.until > ?2 AND b.deleted = 0
		WHERE h.`+to.digest.Algorithm+` = ?1 ORDER BY h.content, h.ord, p.version DESC LIMIT 16`, begins, now)
}

// nothing is the digest of an empty body.
var nothing = sha256.Sum256(nil)

// small is how long a body may be that is held, in bytes, so that the container is opened once. Longer ones are read twice, so that no
// wrong byte is handed out: once to compare the digest, and then again.
const small = 1 << 20

// payload reads the body of a record, from one copy after the other until its bytes are those that were stored.
type payload struct {
	archive *Archive
	holds   []hold
	heads   []hold       // of a revisit, with its own head
	digest  *warc.Digest // of the payload, when a revisit states it
	kept    []byte       // the body, when it is small and was read
	whole   bool         // kept is it
}

// describe reads the head, and a small body with it.
func (p *payload) describe(ctx context.Context, r *resource.Resource) error {
	err := p.try(ctx, p.holds, func(h *hold, s *stored) error {
		if h.body <= small {
			var b bytes.Buffer
			if err := p.check(io.TeeReader(s, &b)); err != nil {
				return err
			}
			p.kept, p.whole = b.Bytes(), true
			r.Size = int64(b.Len())
		}
		setHead(r, s.head)
		return nil
	})
	if err != nil || p.heads == nil {
		return err
	}
	r.Events = append(r.Events, resource.Event{Type: "capture", Detail: "a revisit: the payload is that of another record with the same digest", Outcome: "success", Time: r.Captured})
	if p.heads[0].head == 0 {
		return nil // it has no head of its own: that of the original is all there is
	}
	return p.try(ctx, p.heads, func(_ *hold, s *stored) error {
		_, err := io.Copy(io.Discard, s)
		setHead(r, s.head)
		if mime := mimeOfHead(s.head); mime != "" {
			r.MIMEType = mime
		}
		return err
	})
}

// check reads a payload to its end, and compares it with what a revisit states.
func (p *payload) check(body io.Reader) error {
	if p.digest == nil {
		_, err := io.Copy(io.Discard, body)
		return err
	}
	sum := warc.NewHash(p.digest.Algorithm)
	if _, err := io.Copy(sum, body); err != nil {
		return err
	}
	if !bytes.Equal(sum.Sum(nil), p.digest.Sum) {
		return errors.New("is not what the revisit says that its payload is")
	}
	return nil
}

// setHead takes over the head as it was captured.
func setHead(r *resource.Resource, head *http1.Head) {
	if head == nil {
		return
	}
	r.Proto, r.Status = head.Proto, head.StatusCode
	r.Header = make([]resource.Field, 0, len(head.Fields))
	for _, f := range head.Fields {
		if f.Name != "" {
			r.Header = append(r.Header, resource.Field{Name: f.Name, Value: f.Value})
		}
	}
}

// mimeOfHead is the media type that a head declares; "" when it declares none.
func mimeOfHead(head *http1.Head) string {
	if head == nil || head.Get("Content-Type") == "" {
		return ""
	}
	return mimeOf(&model.Record{Type: warc.TypeResponse, ServedType: head.Get("Content-Type")})
}

// open gives the body.
func (p *payload) open(ctx context.Context) (io.ReadCloser, error) {
	if p.whole {
		return io.NopCloser(bytes.NewReader(p.kept)), nil
	}
	var opened io.ReadCloser
	err := p.try(ctx, p.holds, func(h *hold, s *stored) error {
		if err := p.check(s); err != nil {
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
func (p *payload) try(ctx context.Context, holds []hold, read func(*hold, *stored) error) error {
	var failed error
	tried := map[string]bool{}
	for i := range holds {
		h := &holds[i]
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
