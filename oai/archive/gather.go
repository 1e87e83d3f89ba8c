package archive

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"quire/format/warc"
	"quire/internal/disk"
	"quire/model"
	"quire/oai/protocol"
	"quire/preserve/inspect"
)

// Reasons why a record of a container that is a capture is none of the list. They are counted, and shown.
const (
	outCut      = "the record breaks off"
	outSegment  = "one segment of several"
	outTooLong  = "its URL is too long for an identifier"
	outNoURL    = "it has no URL"
	outRevisit  = "a revisit whose original is not in the repository"
	outUnstated = "a revisit that states no SHA-1 or SHA-256 of its payload"
	outWebsite  = "no web resource (dns, whois)"
)

// gatherer reads the records of one container into the index.
type gatherer struct {
	pkg     string // id of the package
	pkgRow  int64
	content int64 // row
	tx      *sql.Tx
	ctx     context.Context

	findRecord, addRecord, addHolds, addRevisit *sql.Stmt
	specs                                       *specs
	leftOut                                     map[string]int64
}

// gather reads a container, if that was not done: in one pass, from the first copy that has it as it was stored. What it holds is in the
// index as a whole, or not at all.
func (a *Archive) gather(ctx context.Context, pkg string, pkgRow int64, version int, file, sha512 string) (content int64, err error) {
	err = a.index.db.QueryRowContext(ctx, "SELECT id FROM content WHERE package = ? AND sha512 = ?", pkgRow, sha512).Scan(&content)
	if !errors.Is(err, sql.ErrNoRows) {
		return content, err
	}
	var failed error
	for f, err := range a.store.OpenCopies(ctx, pkg, version, file) {
		if err != nil {
			return 0, errors.Join(failed, err)
		}
		err = a.index.write(ctx, func(tx *sql.Tx) error {
			r, err := tx.ExecContext(ctx, "INSERT INTO content (package, sha512, left_out) VALUES (?, ?, '')", pkgRow, sha512)
			if err != nil {
				return err
			}
			if content, err = r.LastInsertId(); err != nil {
				return err
			}
			g := &gatherer{pkg: pkg, pkgRow: pkgRow, content: content, tx: tx, ctx: ctx, leftOut: map[string]int64{}, specs: newSpecs(tx)}
			defer g.close()
			if err := g.prepare(); err != nil {
				return err
			}
			in := &disk.Counted{Ctx: ctx, From: f, Progress: a.progress.bytes}
			c, err := inspect.Reader(ctx, counted{in, f}, inspect.Options{
				Name: path.Base(file), MaxFindings: -1, Contents: true, Bodies: inspect.AllBodies, Record: g.take,
			})
			if err != nil {
				return err
			}
			if c.SHA512 != sha512 {
				return fmt.Errorf("%s: this copy has other bytes than were stored (SHA-512 %s, stored was %s): audit the repository", f.Name(), c.SHA512, sha512)
			}
			if err := g.originals(); err != nil {
				return err
			}
			text, err := json.Marshal(g.leftOut)
			if err != nil {
				return err
			}
			_, err = tx.ExecContext(ctx, "UPDATE content SET left_out = ? WHERE id = ?", string(text), content)
			return err
		})
		_ = f.Close() // it was only read
		if err == nil {
			return content, nil
		}
		failed = errors.Join(failed, err)
		if ctx.Err() != nil {
			break
		}
	}
	return 0, failed
}

// counted is a file whose reading is counted.
type counted struct {
	*disk.Counted
	seek interface {
		Seek(offset int64, whence int) (int64, error)
	}
}

func (c counted) Seek(offset int64, whence int) (int64, error) { return c.seek.Seek(offset, whence) }

// originals has the packages looked at again whose revisits may find their payload in this container.
func (g *gatherer) originals() error {
	for _, algorithm := range []string{"sha1", "sha256"} {
		_, err := g.tx.ExecContext(g.ctx, `UPDATE package SET inventory = '' WHERE id <> ?1 AND id IN (SELECT c.package FROM holds h
			CROSS JOIN revisit v ON v.begins = h.`+algorithm+` AND v.algorithm = ?3 CROSS JOIN content c ON c.id = v.content
			WHERE h.content = ?2 AND NOT EXISTS (SELECT 1 FROM listed l WHERE l.record = v.record))`, g.pkgRow, g.content, algorithm)
		if err != nil {
			return err
		}
	}
	return nil
}

func (g *gatherer) prepare() (err error) {
	if g.findRecord, err = g.tx.PrepareContext(g.ctx, "SELECT id, identifier FROM record WHERE mark = ?"); err != nil {
		return err
	}
	if g.addRecord, err = g.tx.PrepareContext(g.ctx, "INSERT INTO record (package, mark, identifier, mime, major, host, year) VALUES (?, ?, ?, ?, ?, ?, ?)"); err != nil {
		return err
	}
	g.addHolds, err = g.tx.PrepareContext(g.ctx, `INSERT INTO holds (content, ord, record, type, offset, inflated, stored, length, head, body, sum, size, mime, coding, note, sha1, sha256)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	g.addRevisit, err = g.tx.PrepareContext(g.ctx, `INSERT INTO revisit (content, ord, record, offset, inflated, stored, length, head, algorithm, digest, begins)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
	return err
}

func (g *gatherer) close() {
	for _, s := range []*sql.Stmt{g.findRecord, g.addRecord, g.addHolds, g.addRevisit} {
		if s != nil {
			_ = s.Close() // the transaction has their outcome
		}
	}
}

// take decides of one record whether it is a capture that can be handed out.
func (g *gatherer) take(r model.Record) error {
	switch r.Type {
	case warc.TypeResponse, warc.TypeResource, warc.TypeConversion, warc.TypeRevisit:
	default:
		return nil
	}
	why := ""
	switch scheme, _, _ := strings.Cut(r.URI, ":"); {
	case r.URI == "":
		why = outNoURL
	case strings.EqualFold(scheme, "dns"), strings.EqualFold(scheme, "whois"):
		why = outWebsite
	case r.Segment != "":
		why = outSegment
	case r.Length < 0 || r.Body == nil:
		why = outCut
	}
	if why != "" {
		g.leftOut[why]++
		return nil
	}
	if r.Type == warc.TypeRevisit {
		return g.revisit(&r)
	}
	return g.add(&r)
}

// add puts a record into the index.
func (g *gatherer) add(r *model.Record) error {
	id, err := g.record(r, r.Body.SHA256[:])
	if err != nil || id == 0 {
		return err
	}
	size := r.Payload
	var sha1, sha256 int64
	switch {
	case r.Content != nil:
		size, sha1, sha256 = r.Content.Length, begins(r.Content.SHA1[:]), begins(r.Content.SHA256[:])
	case r.Body.Whole && slices.Equal(r.Body.Removed, []string{"chunked"}):
		size = r.Body.ServedLength
	}
	_, err = g.addHolds.ExecContext(g.ctx, g.content, r.Order, id, r.Type, r.Offset, r.Inflated, r.Stored, r.Length, r.Block-r.Payload, r.Payload, r.Body.SHA256[:], size,
		mimeOf(r), codingOf(r), noteOf(r), sha1, sha256)
	return err
}

// revisit puts a capture into the index whose payload lies elsewhere: a record with the digest that this one states. Without a digest nobody
// could say that what is found is what was meant.
func (g *gatherer) revisit(r *model.Record) error {
	digest, err := warc.ParseDigest(r.PayloadDigest)
	if err != nil || digest.Algorithm != "sha1" && digest.Algorithm != "sha256" || begins(digest.Sum) == 0 { // zeros are made up
		g.leftOut[outUnstated]++
		return nil //nolint:nilerr // it is counted
	}
	id, err := g.record(r, digest.Sum)
	if err != nil || id == 0 {
		return err
	}
	_, err = g.addRevisit.ExecContext(g.ctx, g.content, r.Order, id, r.Offset, r.Inflated, r.Stored, r.Length, r.Block-r.Payload,
		digest.Algorithm, digest.Sum, begins(digest.Sum))
	return err
}

// begins is how a digest begins.
func begins(sum []byte) int64 { return int64(binary.BigEndian.Uint64(sum)) }

// record gives the row of a record, which another container, or another version, may have brought already; 0 when there can be none.
func (g *gatherer) record(r *model.Record, sum []byte) (id int64, err error) {
	c := Capture{URL: r.URI, Date: r.Date, Mark: markOf(g.pkg, r.ID, sum)}
	identifier := c.Identifier()
	if len(identifier) > protocol.MaxIdentifier {
		g.leftOut[outTooLong]++
		return 0, nil
	}
	err = each(g.ctx, (*stmtQuerier)(g.findRecord), func(scan func(...any) error) error {
		var row int64
		var other string
		if err := scan(&row, &other); err != nil {
			return err
		}
		if other == identifier {
			id = row
		}
		return nil
	}, "", int64(c.Mark))
	if id != 0 || err != nil {
		return id, err
	}
	var sets [4]int64
	mime := mimeOf(r)
	major, _, _ := strings.Cut(mime, "/")
	for i, spec := range []string{protocol.MIMESet(mime), protocol.MIMESet(major), hostSet(r), yearSet(&c)} {
		if sets[i], err = g.specs.id(g.ctx, spec, ""); err != nil {
			return 0, err
		}
	}
	added, err := g.addRecord.ExecContext(g.ctx, g.pkgRow, int64(c.Mark), identifier, sets[0], sets[1], sets[2], sets[3])
	if err != nil {
		return 0, err
	}
	return added.LastInsertId()
}

// maxHost is the longest host that a set is made of: names of more do not exist (RFC 1035, 2.3.4).
const maxHost = 255

func hostSet(r *model.Record) string {
	if r.Host == "" || len(r.Host) > maxHost {
		return ""
	}
	return protocol.HostSet(r.Host)
}

func yearSet(c *Capture) string {
	if c.Date.IsZero() {
		return ""
	}
	return protocol.YearSet(c.Date.UTC().Year())
}

// unknownType is what nobody says the type of (RFC 9110, 8.3).
const unknownType = "application/octet-stream"

// mimeOf is the media type as declared, when it has the form of one (RFC 9110, 8.3.1).
func mimeOf(r *model.Record) string {
	declared := cmp.Or(r.ServedType, r.ContentType)
	if r.Type == warc.TypeResponse || r.Type == warc.TypeRevisit {
		declared = r.ServedType
	}
	mime, _, _ := strings.Cut(declared, ";")
	mime = strings.ToLower(strings.TrimSpace(mime))
	major, minor, ok := strings.Cut(mime, "/")
	if !ok || len(mime) > 127 || !isToken(major) || !isToken(minor) {
		return unknownType
	}
	return mime
}

func isToken(s string) bool {
	if s == "" {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return true
}

// codingOf is the content coding that is on the bytes as they are handed out.
func codingOf(r *model.Record) string {
	if !r.Body.Whole {
		return "" // it could not be undone, so nobody should try on the word of the server
	}
	var codings []string
	for _, c := range r.Body.Removed {
		if c != "chunked" {
			codings = append(codings, c)
		}
	}
	slices.Reverse(codings) // as they were applied
	return strings.Join(codings, ", ")
}

// noteOf is what has to be said of the capture.
func noteOf(r *model.Record) string {
	if r.Truncated != "" {
		return "the crawler kept a part only: " + inspect.Shorten(r.Truncated, 100)
	}
	return ""
}

// stmtQuerier asks a prepared statement.
type stmtQuerier sql.Stmt

func (s *stmtQuerier) QueryContext(ctx context.Context, _ string, args ...any) (*sql.Rows, error) {
	return (*sql.Stmt)(s).QueryContext(ctx, args...)
}

func (s *stmtQuerier) QueryRowContext(ctx context.Context, _ string, args ...any) *sql.Row {
	return (*sql.Stmt)(s).QueryRowContext(ctx, args...)
}

// specs gives the rows of sets.
type specs struct {
	tx    *sql.Tx
	known map[string]int64
}

func newSpecs(tx *sql.Tx) *specs { return &specs{tx: tx, known: map[string]int64{}} }

// maxKnown bounds what is remembered: a crawl can have a million hosts.
const maxKnown = 10_000

// id gives the row of a set, which is made when there is none; 0 of "".
func (s *specs) id(ctx context.Context, spec, title string) (id int64, err error) {
	if id, ok := s.known[spec]; ok || spec == "" {
		return id, nil
	}
	err = s.tx.QueryRowContext(ctx, "INSERT INTO spec (spec, title) VALUES (?, ?) ON CONFLICT (spec) DO UPDATE SET title = CASE excluded.title WHEN '' THEN title ELSE excluded.title END RETURNING id",
		spec, title).Scan(&id)
	if len(s.known) >= maxKnown {
		clear(s.known)
	}
	s.known[spec] = id
	return id, err
}
