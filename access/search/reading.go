package search

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"quire/access/search/extract"
	"quire/holdings"
	"quire/holdings/captures"
)

// Limits for reading one payload, without its content codings.
const (
	inMemory = 8 << 20   // larger payloads go to a file
	maxRead  = 512 << 20 // of larger payloads, only the beginning is read
)

// readText reads a payload. It notes errors; the document then remains searchable by its address.
func (s *source) readText(ctx context.Context, f *fresh) {
	text, size, err := s.extract(ctx, f.from)
	var denied *holdings.DeniedError
	switch {
	case err == nil:
		f.text, f.size = text, size
		return
	case ctx.Err() != nil:
		return
	case errors.As(err, &denied): // a rule denies it, and may change
		f.again = true
	default:
		f.again = true
		s.problem(fmt.Errorf("%s of %s, in package %s: %w; only its address is searchable", f.from.URL,
			f.from.Timestamp, f.from.Package, err))
	}
	f.text = &extract.Text{Type: extract.TypeOf(f.from.MIME, f.from.URL), Note: err.Error()}
	f.size = f.from.Length
}

// extract reads the payload of a capture.
func (s *source) extract(ctx context.Context, c *captures.Capture) (*extract.Text, int64, error) {
	content, err := s.house.Read(ctx, holdings.Reader{Class: holdings.Staff}, c)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = content.Body.Close() }() // only read
	from := extract.Content{URL: c.URL, MIME: c.MIME, Pictures: s.pictures}
	for _, field := range content.Header {
		switch strings.ToLower(field.Name) {
		case "content-type":
			from.MIME = field.Value
		case "content-language":
			from.Language = field.Value
		}
	}
	if from.Bytes = content.InMemory(); from.Bytes != nil {
		from.In, from.Size = bytes.NewReader(from.Bytes), int64(len(from.Bytes))
		s.handOn(c, &from)
		return extract.From(from), from.Size, nil
	}
	return s.extractDecoded(c, from, content)
}

// handOn passes a payload to the other index.
func (s *source) handOn(c *captures.Capture, from *extract.Content) {
	if s.options.Beside != nil {
		s.options.Beside.Payload(c, from.Bytes, from.MIME)
	}
}

// extractDecoded reads a payload that is not in memory, or has content codings.
func (s *source) extractDecoded(c *captures.Capture, from extract.Content, content *holdings.Content) (
	*extract.Text, int64, error) {
	in := io.LimitReader(holdings.Decoded(content), maxRead)
	begin, _ := payloads.Get().(*bytes.Buffer)
	defer keep(begin)
	n, err := io.Copy(begin, io.LimitReader(in, inMemory))
	if err != nil && n == 0 {
		return nil, 0, err
	}
	from.Bytes = begin.Bytes()
	from.In, from.Size = bytes.NewReader(from.Bytes), n
	if err == nil && n == inMemory {
		file, err := os.CreateTemp(s.dir, ".payload-*")
		if err != nil {
			return nil, 0, err
		}
		defer func() { _ = file.Close() }() // not read again
		_ = os.Remove(file.Name())          // leaves nothing after a kill
		if from.Size, err = io.Copy(file, io.MultiReader(begin, in)); err != nil {
			return nil, 0, err
		}
		from.In, from.Bytes = file, nil
	} else if err == nil && s.options.Beside != nil {
		// only the end of the bytes as sent verifies them: a decoder may end before
		n, failed := io.Copy(io.Discard, io.LimitReader(content.Body, inMemory+1))
		if failed == nil && n <= inMemory {
			s.handOn(c, &from)
		}
	}
	t := extract.From(from)
	if err != nil && t.Note == "" {
		t.Note = err.Error() // the text read so far is kept
	}
	return t, max(from.Size, 0), nil
}

// payloads are buffers of payloads, for the next ones.
var payloads = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// keep keeps a buffer, unless it is large.
func keep(b *bytes.Buffer) {
	const most = 1 << 20
	if b.Cap() <= most {
		b.Reset()
		payloads.Put(b)
	}
}

// again reads unreadable documents again, if that is due.
func (u *update) again(ctx context.Context) error {
	stamp, err := u.s.house.Stamp(ctx)
	if err != nil {
		return err
	}
	now := u.s.now()
	if !u.s.tried.due(stamp, now) {
		return nil
	}
	for after := int64(-1); ; {
		all, last, err := u.s.unread(ctx, after)
		if err != nil {
			return err
		}
		if len(all) == 0 {
			u.s.tried = attempt{stamp, now}
			return nil
		}
		after = last
		if err := u.s.readAll(ctx, all, u.s.pack); err != nil {
			return err
		}
		if err := u.s.replace(ctx, all); err != nil {
			return err
		}
	}
}

// unread returns some unreadable documents after a number, and the last number examined.
func (s *Search) unread(ctx context.Context, after int64) (all []*fresh, last int64, err error) {
	const some = 64
	type row struct {
		f    *fresh
		url  string
		pkg  string
		time int64
	}
	var rows []row
	err = each(ctx, s.db,
		`SELECT d.id, d.digest, CASE c.written WHEN '' THEN u.url ELSE c.written END, p.name, max(c.time)
		FROM document d JOIN capture c ON c.document = d.id JOIN url u ON u.id = c.url JOIN package p ON p.id = c.package
		WHERE d.again = 1 AND d.id > ? GROUP BY d.id ORDER BY d.id LIMIT ?`, func(r *sql.Rows) error {
			x := row{f: &fresh{}}
			err := r.Scan(&x.f.id, &x.f.digest, &x.url, &x.pkg, &x.time)
			x.f.urls = []string{x.url}
			rows = append(rows, x)
			return err
		}, after, some)
	if err != nil {
		return nil, 0, err
	}
	for _, x := range rows {
		last = x.f.id
		at := timestamp(x.time)
		for c, err := range s.house.Captures(ctx, holdings.Reader{Class: holdings.Staff},
			captures.Query{URL: x.url, From: at, To: at, Packages: []string{x.pkg}}) {
			if err != nil {
				return nil, 0, err
			}
			if digestOf(c.Capture) == x.f.digest && !c.Infected {
				x.f.from = kept(c.Capture)
			}
		}
		if x.f.from != nil {
			all = append(all, x.f)
		}
	}
	if len(all) == 0 && len(rows) == some {
		return s.unread(ctx, last)
	}
	return all, last, nil
}

// replace replaces unreadable documents by the new texts.
func (s *Search) replace(ctx context.Context, all []*fresh) (err error) {
	all = slices.DeleteFunc(all, func(f *fresh) bool { return f.again })
	if len(all) == 0 {
		return nil
	}
	w, err := s.newWriter()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	if err := w.begin(ctx); err != nil {
		return err
	}
	for _, f := range all {
		for _, statement := range []string{`DELETE FROM link WHERE document = ?`,
			`DELETE FROM words WHERE rowid = ?`, `DELETE FROM document WHERE id = ?`} {
			if _, err := w.tx.ExecContext(ctx, statement, f.id); err != nil {
				return err
			}
		}
	}
	if err := w.insert(ctx, all); err != nil {
		return err
	}
	return w.commit()
}
