package pictures

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"quire/access/search/extract"
	"quire/access/thumbnail"
	"quire/format/surt"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/internal/sqlite"
)

// The limits of the index.
const (
	leastSide   = 32 // pixels: smaller pictures are icons and spacers
	maxColoured = 4 << 20
	maxMentions = 8 // pages of one picture
	batchSize   = 128
)

// Update updates the index from holdings: it reads new packages, and removes old ones. It can be
// interrupted at any time; the next call reads the interrupted package again. Unreadable content is
// left out, and tried again later. Between packages, others may write: then the error may be [ErrBusy].
func (p *Pictures) Update(ctx context.Context) error {
	for {
		more, err := p.updateSome(ctx)
		if err != nil || !more {
			return err
		}
		p.pause(ctx)
	}
}

// pause is longer than others wait between two tries to write.
func pause(ctx context.Context) {
	timer := time.NewTimer(150 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// updateSome brings the index up to date, package by package, until its turn is over.
func (p *Pictures) updateSome(ctx context.Context) (more bool, err error) {
	unlock, err := p.lock()
	if err != nil {
		return false, err
	}
	defer unlock()
	there, have, err := p.forgetGone(ctx)
	if err != nil {
		return false, err
	}
	if err := p.again(ctx, have); err != nil {
		return false, err
	}
	end := time.Now().Add(p.limits.turn)
	for name, state := range there {
		if state == "" || have[name] == state {
			continue
		}
		if more {
			return true, nil
		}
		if err := p.read(ctx, name, state); err != nil {
			return false, fmt.Errorf("indexing the pictures of package %s: %w", name, err)
		}
		more = !time.Now().Before(end)
	}
	return false, nil
}

// forgetGone removes packages that are gone. It returns the states of the packages: those of holdings, and those of
// the index.
func (p *Pictures) forgetGone(ctx context.Context) (there, have map[string]string, err error) {
	if there, err = p.h.Indexed(ctx); err != nil {
		return nil, nil, err
	}
	if have, err = p.states(ctx); err != nil {
		return nil, nil, err
	}
	for name := range have {
		if _, ok := there[name]; !ok {
			if err := errors.Join(p.forget(ctx, name, false), p.forgetLeaning(ctx, name, have)); err != nil {
				return nil, nil, err
			}
		}
	}
	return there, have, nil
}

// states returns the packages of the index, each with its state.
func (p *Pictures) states(ctx context.Context) (map[string]string, error) {
	rows, err := p.db.QueryContext(ctx, `SELECT name, state FROM package`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // only read
	all := map[string]string{}
	for rows.Next() {
		var name, state string
		if err := rows.Scan(&name, &state); err != nil {
			return nil, err
		}
		all[name] = state
	}
	return all, rows.Err()
}

// read reads a package: first its pictures, then the pages that show them.
func (p *Pictures) read(ctx context.Context, name, state string) error {
	if err := p.forget(ctx, name, true); err != nil {
		return err
	}
	w := &writer{p: p}
	if err := p.db.QueryRowContext(ctx, `SELECT id FROM package WHERE name = ?`, name).Scan(&w.pkg); err != nil {
		return err
	}
	w.kind = "image"
	if err := w.readAll(ctx, name); err != nil {
		return err
	}
	shown, err := w.hasPictures(ctx)
	if err == nil && shown {
		w.kind = "page"
		err = w.readAll(ctx, name)
	}
	if err != nil {
		return err
	}
	_, err = p.db.ExecContext(ctx, `UPDATE package SET state = ? WHERE id = ?`, state, w.pkg)
	return err
}

// hasPictures reports whether the package has a picture. Pages name only pictures of their own package: without any,
// to read its pages would cost much time, and find nothing. If a picture can be read later, the package is read anew.
func (w *writer) hasPictures(ctx context.Context) (has bool, err error) {
	err = w.p.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM picture WHERE package = ?)`, w.pkg).Scan(&has)
	return has, err
}

// writer writes the content of a package.
type writer struct {
	p    *Pictures
	pkg  int64
	kind string // image or page
	tx   *sql.Tx
	kept map[string]*sql.Stmt // statements of the transaction
}

// statement returns a statement, prepared once in a transaction. It does not watch the context, which costs a goroutine
// each; the callers do.
func (w *writer) statement(text string) (*sql.Stmt, error) {
	if s := w.kept[text]; s != nil {
		return s, nil
	}
	s, err := w.tx.Prepare(text)
	if err == nil {
		if w.kept == nil {
			w.kept = map[string]*sql.Stmt{}
		}
		w.kept[text] = s
	}
	return s, err
}

// exec runs a statement, and returns how many rows it changed, and the number of the last new one.
func (w *writer) exec(text string, args ...any) (n, id int64, err error) {
	s, err := w.statement(text) //nolint:sqlclosecheck // closed with the transaction
	if err != nil {
		return 0, 0, err
	}
	done, err := s.Exec(args...)
	if err != nil {
		return 0, 0, err
	}
	if n, err = done.RowsAffected(); err == nil {
		id, err = done.LastInsertId()
	}
	return n, id, err
}

// scan reads the first row of a query. The error is [sql.ErrNoRows] if there is none.
func (w *writer) scan(text string, args, to []any) error {
	s, err := w.statement(text) //nolint:sqlclosecheck // closed with the transaction
	if err != nil {
		return err
	}
	return s.QueryRow(args...).Scan(to...)
}

// item is a capture to read.
type item struct {
	*captures.Capture
	open bool // facts that were gathered of it may be used
}

// readAll reads the captures of one kind, in batches.
func (w *writer) readAll(ctx context.Context, name string) error {
	var batch []item
	flush := func() error {
		err := sqlite.InTx(ctx, w.p.db, func(tx *sql.Tx) error {
			w.tx, w.kept = tx, nil
			for _, c := range batch {
				if err := errors.Join(ctx.Err(), w.add(ctx, c)); err != nil {
					return err
				}
			}
			return nil
		})
		batch = batch[:0]
		return err
	}
	for c, err := range w.p.h.Captures(ctx, curator, captures.Query{Packages: []string{name}}) {
		if err != nil {
			return err
		}
		if !readable(c) || extract.TypeOf(c.MIME, c.URL) != w.kind {
			continue
		}
		own := *c.Capture
		if c.Payload != nil {
			payload := *c.Payload
			own.Payload = &payload
		}
		if batch = append(batch, item{&own, c.Allowed}); len(batch) == batchSize {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// curator reads what the index holds; each hit is judged for its reader.
var curator = holdings.Reader{Class: holdings.Staff}

// readable reports whether a capture is worth reading: a response to GET with content that is not infected.
func readable(c holdings.Judged) bool {
	good := c.Status == 0 || c.Status >= 200 && c.Status < 300 && c.Status != 206
	return good && !c.Infected && c.Method == "" && c.Length > 0 && c.Length <= thumbnail.MaxBytes &&
		len(c.Timestamp) == 14 && place(c.Capture).SHA256 != ""
}

func place(c *captures.Capture) *captures.Place {
	if c.Payload != nil {
		return c.Payload
	}
	return &c.Record
}

// digestOf returns the identity of a payload.
func digestOf(c *captures.Capture) string { return place(c).SHA256 + " " + c.Coding }

// add reads a capture. A fault of a reader of archived bytes must not end the server: the capture is left out.
func (w *writer) add(ctx context.Context, c item) (err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = nil
			w.p.problem(fmt.Errorf("%s of %s, in package %s: reading it failed: %v; this is a fault of Quire. No "+
				"search finds the picture by it", c.URL, c.Timestamp, c.Package, broken))
		}
	}()
	if c.Payload != nil && c.Payload.Package != c.Package {
		c.open = false // whether the other package still has it shows when it is read
		if _, _, err := w.exec(`INSERT OR IGNORE INTO leaning (package, other) VALUES (?,?)`, w.pkg,
			c.Payload.Package); err != nil {
			return err
		}
	}
	if w.kind == "image" {
		return w.picture(ctx, c)
	}
	return w.page(ctx, c)
}

// picture adds a picture, with the words of its address.
func (w *writer) picture(ctx context.Context, c item) error {
	at, err := strconv.ParseInt(c.Timestamp, 10, 64)
	if err != nil {
		return nil //nolint:nilerr // without a time, it cannot be requested
	}
	var f facts
	digest := digestOf(c.Capture)
	err = w.scan(`SELECT width, height, colour, bytes FROM picture WHERE digest = ? LIMIT 1`, []any{digest},
		[]any{&f.Width, &f.Height, &f.Colour, &f.Bytes})
	if errors.Is(err, sql.ErrNoRows) {
		var read *facts
		if read, err = w.facts(ctx, c); err != nil || read == nil {
			return err
		}
		if f = *read; f.Width < leastSide || f.Height < leastSide {
			return nil
		}
	}
	if err != nil {
		return err
	}
	n, id, err := w.exec(`INSERT OR IGNORE INTO picture (package, key, url, time, digest, bytes, width, height, `+
		`colour) VALUES (?,?,?,?,?,?,?,?,?)`, w.pkg, c.Key, c.URL, at, digest, f.Bytes, f.Width, f.Height, f.Colour)
	if err != nil || n == 0 {
		return err // nil for an unchanged one, captured again
	}
	return w.mention(id, "", at, "", "", wordsOf(c.URL))
}

// facts returns the facts of a payload: gathered before, or read now; nil if it cannot be read.
func (w *writer) facts(ctx context.Context, c item) (*facts, error) {
	if c.open {
		if f := w.p.gathered.get(keyOf(w.kind, c.Capture)); f != nil {
			return f, nil
		}
	}
	payload, contentType, err := w.payload(ctx, c.Capture)
	switch {
	case err != nil || payload == nil:
		return nil, err
	case w.kind == "image":
		return factsOfImage(payload), nil
	}
	return factsOfPage(payload, contentType, c.URL), nil
}

// measure returns the dimensions of a picture, and the number of its colour; zeros if it is none.
func measure(payload []byte) (width, height, colour int) {
	_, width, height, err := thumbnail.Size(payload)
	if err != nil {
		return 0, 0, 0
	}
	if width >= leastSide && height >= leastSide && width*height <= maxColoured {
		if m, _, err := thumbnail.Decode(payload); err == nil {
			colour = colourOf(m)
		}
	}
	return width, height, colour
}

// wordsOf returns the words of an address: the last two parts of its path.
func wordsOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	dir, file := path.Split(u.Path)
	return strings.ReplaceAll(path.Base(dir)+" "+strings.TrimSuffix(file, path.Ext(file)), "_", " ")
}

// page adds the mentions of pictures of the package by a page.
func (w *writer) page(ctx context.Context, c item) error {
	at, err := strconv.ParseInt(c.Timestamp, 10, 64)
	if err != nil {
		return nil //nolint:nilerr // without a time, it cannot be requested
	}
	n, _, err := w.exec(`INSERT OR IGNORE INTO page (package, digest) VALUES (?,?)`, w.pkg,
		digestOf(c.Capture)+" "+c.URL)
	if err != nil || n == 0 {
		return err
	}
	f, err := w.facts(ctx, c)
	if err != nil || f == nil {
		return err
	}
	for _, i := range f.Images {
		var id, n int64
		err := w.scan(`SELECT id, (SELECT count(*) FROM mention WHERE picture = picture.id AND page <> '') `+
			`FROM picture WHERE package = ? AND key = ? ORDER BY abs(time - ?) LIMIT 1`,
			[]any{w.pkg, surt.Key(i.URL), at}, []any{&id, &n})
		if errors.Is(err, sql.ErrNoRows) || err == nil && n >= maxMentions {
			continue
		}
		if err == nil {
			err = w.mention(id, c.URL, at, i.Alt, i.Words, i.Alt+"\n"+i.Words)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// mention adds words of a picture, once for each page.
func (w *writer) mention(picture int64, page string, at int64, alt, near, words string) error {
	n, id, err := w.exec(`INSERT OR IGNORE INTO mention (picture, page, time, alt, near) VALUES (?,?,?,?,?)`, picture,
		page, at, alt, near)
	if err != nil || n == 0 {
		return err
	}
	_, _, err = w.exec(`INSERT INTO words (rowid, text) VALUES (?,?)`, id, tokens(words))
	return err
}

// payload reads the payload of a capture; nil if it cannot be read.
func (w *writer) payload(ctx context.Context, c *captures.Capture) (payload []byte, contentType string, err error) {
	payload, contentType, failed := w.p.payload(ctx, c)
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	if failed != nil {
		if _, _, err := w.exec(`INSERT OR IGNORE INTO again (package, url, time) VALUES (?,?,?)`, w.pkg, c.URL,
			c.Timestamp); err != nil {
			return nil, "", err
		}
	}
	if failed == nil {
		return payload, contentType, nil
	}
	var denied *holdings.DeniedError
	if !errors.As(failed, &denied) && !errors.Is(failed, captures.ErrNotFound) {
		w.p.problem(fmt.Errorf("%s of %s, in package %s: %w; no search finds the picture by it until it can be read",
			c.URL, c.Timestamp, c.Package, failed))
	}
	return nil, "", nil
}
