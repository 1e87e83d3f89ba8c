package mirror

import (
	"context"
	"crypto/sha1"
	"fmt"
	"io"
	"strings"
	"time"

	"quire/format/warc"
	"quire/model"
	"quire/preserve/convert/relink"
	"quire/source"
)

// algorithm of block and payload digests, as in the conversion of ARC files (docs/explanation/decisions/0008).
const algorithm = "sha1"

// present is the URL, or the file without one, that is being converted. The conversion holds its
// body.
type present struct {
	source.Resource
	date        string // as stated in its records
	dated       bool
	payload     string // digest of the body
	size        int64  // of the body
	hasBody     bool
	damaged     bool   // the body is incomplete
	unread      bool   // the body could not be read
	identified  string // media type by the content, if none was declared; "" if not known
	turned      *relink.Result
	response    []byte // heads as kept; nil if not kept
	request     []byte
	keepHead    bool   // the facts keep the head, because the response record cannot restore it
	keepRequest bool   // the same for the request
	head        Head   // of the response record
	primary     string // id of the main record of the URL or file
	found       string // id of the record of the file as found
	converted   string // id of its conversion
	made        []WrittenRecord
}

// resource converts the remaining content of one URL.
func (c *conversion) resource(r *source.Resource) error {
	p := &present{Resource: *r}
	p.date, p.dated = c.dateOf(r)
	if err := c.load(p); err != nil {
		return err
	}
	c.heads(p)
	c.identify(p)
	if p.Rewritten && p.hasBody {
		if err := c.turnBack(p); err != nil {
			return err
		}
	}
	for _, write := range []func(*present) error{c.payloadRecords, c.requestRecord, c.factsRecord} {
		if err := write(p); err != nil {
			return err
		}
	}
	return c.account(p)
}

// dateOf writes the time of a resource in its known granularity (5.4). WARC has no dates to the
// hour.
func (c *conversion) dateOf(r *source.Resource) (date string, dated bool) {
	switch t := r.Time.UTC(); {
	case t.IsZero() || t.Year() < 1 || t.Year() > 9999:
		return warc.FormatDate(c.o.Date), false
	case r.Leeway == 0:
		return warc.FormatDate(t), true
	case r.Leeway <= 30*time.Minute:
		return t.Format("2006-01-02T15:04Z"), true
	default:
		return t.Format("2006-01-02"), true
	}
}

// load reads the body. Read errors become findings; the bytes before an error are used.
func (c *conversion) load(p *present) error {
	c.body.Cut(0)
	if p.Body == nil {
		return nil
	}
	in, err := p.Body()
	if err == nil {
		w := &watched{ctx: c.ctx, in: in, progress: c.o.Progress}
		p.payload, err = c.sum(w, &c.body)
		closed := in.Close()
		switch {
		case c.ctx.Err() != nil:
			return c.ctx.Err()
		case err != nil && w.err == nil:
			return fmt.Errorf("holding the body of %q: %w", p.URL, err)
		case err == nil:
			err = closed
		}
	}
	p.size = c.body.Size()
	p.hasBody = err == nil || p.size > 0
	if err == nil {
		return nil
	}
	c.find(model.Finding{Code: CodeBody, Severity: model.Error, Path: p.File,
		Message: fmt.Sprintf("the bytes of %q cannot be read after the first %d: %v", p.URL, p.size, err)})
	p.Why = append(p.Why[:len(p.Why):len(p.Why)], fmt.Sprintf("body: it breaks off after %d bytes: %v", p.size, err))
	if p.damaged, p.unread, p.Grade = p.hasBody, !p.hasBody, source.Differing; p.unread {
		p.Grade = source.Lost
	}
	return nil
}

// sum copies to dst, which may be nil, and returns the digest.
func (c *conversion) sum(in io.Reader, dst io.Writer) (string, error) {
	h := sha1.New()
	w := io.Writer(h)
	if dst != nil {
		w = io.MultiWriter(dst, h)
	}
	if c.copy == nil {
		c.copy = make([]byte, 32<<10)
	}
	_, err := io.CopyBuffer(w, in, c.copy)
	return warc.FormatDigest(algorithm, h.Sum(nil)), err
}

// watched separates read errors from write errors, reports progress, and stops when the context
// ends.
type watched struct {
	ctx      context.Context
	in       io.Reader
	progress func(int64)
	err      error
}

// Read implements io.Reader.
func (w *watched) Read(b []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		w.err = err
		return 0, err
	}
	n, err := w.in.Read(b)
	if w.progress != nil {
		w.progress(int64(n))
	}
	if err != nil && err != io.EOF {
		w.err = err
	}
	return n, err
}

// account reports the results for the URL and its file.
func (c *conversion) account(p *present) error {
	if !p.dated {
		c.report.Undated++
	}
	e := Entry{
		Kind: "url", URL: p.URL, File: p.File, Grade: p.Grade, Status: p.Status, Head: p.head, Assumed: p.Assumed,
		Bytes:  p.size,
		InWARC: p.hasBody, Records: p.made, Why: p.Why,
	}
	if p.dated {
		e.Date, e.DateFrom = p.date, p.TimeFrom
	}
	if p.converted != "" {
		c.report.Transformed++
		e.Derived = &Derivation{Source: p.found, Outcome: p.converted, Event: "transformation", Note: note(p.turned)}
	}
	if p.URL != "" {
		c.report.URLs++
		c.report.Grades[p.Grade]++
		if err := c.tell(e); err != nil {
			return err
		}
	}
	if p.From != "" {
		c.files.from[p.From] = true
		backup := *p
		backup.Copy = nil
		if err := c.tellFile(p.From, Entry{URL: p.URL, Fate: c.fate(&backup), Records: backup.fileRecords(),
			Why: p.Why}); err != nil {
			return err
		}
	}
	if p.File == "" {
		return nil
	}
	return c.tellFile(p.File, Entry{URL: p.URL, Fate: c.fate(p), Records: p.fileRecords(), Derived: e.Derived,
		Why: p.Why})
}

// fileRecords returns the records with the bytes of the file.
func (p *present) fileRecords() []WrittenRecord {
	id := p.found
	if id == "" && p.hasBody && p.Copy == nil {
		id = p.primary
	}
	for _, m := range p.made {
		if id == m.ID {
			return []WrittenRecord{m}
		}
	}
	return nil
}

// secret counts a secret that makes it necessary to restrict access to the WARC.
func (c *conversion) secret(kind string) { c.report.Secrets[kind]++ }

// secretsOf looks for sessions and passwords in a head.
func (c *conversion) secretsOf(head []byte) {
	for line := range strings.Lines(string(head)) {
		name, _, _ := strings.Cut(line, ":")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "cookie", "set-cookie":
			c.secret("cookies")
		case "authorization", "proxy-authorization":
			c.secret("passwords")
		}
	}
}
