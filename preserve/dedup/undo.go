package dedup

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strconv"

	"quire/format/http1"
	"quire/format/warc"
	"quire/internal/archivefs"
)

// Undo writes the containers of a source again, with full records instead of the revisit records
// that Run made. It looks for the payloads in Options.Against and in the source itself. It writes a
// record only if header, HTTP head and payload are the original ones. Other records stay unchanged,
// and the report lists them with the reason.
func Undo(ctx context.Context, source string, o Options) (*Report, error) {
	return work(ctx, source, o, "deduplication undone", (*job).restoreAll)
}

// restoreAll does the work of Undo.
func (j *job) restoreAll(ctx context.Context) error {
	j.undoing, j.library.any = true, true
	j.report.Event.Detail = "revisit records of an earlier deduplication became full records again"
	if err := j.readAll(ctx); err != nil {
		return err
	}
	if err := j.wantBodies(ctx); err != nil {
		return err
	}
	if err := j.indexOwn(ctx, j.wanted); err != nil {
		return err
	}
	if err := j.library.fill(ctx, j.wanted); err != nil {
		return err
	}
	if err := j.writeAll(ctx, j.restore); err != nil {
		return err
	}
	return j.copyBeside(ctx)
}

// wantBodies records the bodies to look for.
func (j *job) wantBodies(ctx context.Context) error {
	j.wanted = newFilter()
	return j.eachSeen(ctx, func(content archivefs.Content, s *recordFacts) error {
		if s.Type != warc.TypeRevisit || s.Stored <= 0 {
			return nil
		}
		f, err := j.openFormer(content, s)
		if err != nil || f == nil || f.why != "" {
			return err
		}
		for _, p := range f.payloads() {
			j.wanted.add(p.exact())
		}
		return nil
	})
}

// eachSeen visits the data of the source's records, with their container.
func (j *job) eachSeen(ctx context.Context, visit func(archivefs.Content, *recordFacts) error) error {
	next, stop := iter.Pull2(j.spool.All())
	defer stop()
	s, err, more := next()
	for _, it := range j.items {
		opened := j.openStored(it, func(content archivefs.Content, _ int64) error {
			for ; more && err == nil && s.Item == it.number; s, err, more = next() {
				if s.Attempt != it.attempt {
					continue
				}
				if err := cmp.Or(ctx.Err(), visit(content, &s)); err != nil {
					return fmt.Errorf("%s: the record at byte %d: %w", it.dest, s.Offset, err)
				}
			}
			return err
		})
		if opened != nil {
			return opened
		}
	}
	return err
}

// copies returns records with the payload: from other holdings, and from the source itself.
func (j *job) copies(ctx context.Context, p *Payload) iter.Seq2[copyOf, error] {
	return func(yield func(copyOf, error) bool) {
		for c, err := range j.library.copies(ctx, p, mostCopies) {
			if !yield(c, err) || err != nil {
				return
			}
		}
		found, err := j.own.find(ctx, p.exact(), instant{Start: endOfTime}, mostCopies)
		if err != nil {
			yield(copyOf{}, err)
			return
		}
		for i := range found {
			if !yield(copyOf{&found[i], j.openOwn}, nil) {
				return
			}
		}
	}
}

// openOwn opens a container of the source. If the container was inflated for reading, it opens the
// inflated file.
func (j *job) openOwn(path string) (archivefs.Content, error) {
	for _, it := range j.items {
		if it.Path == path && it.inflated != "" {
			return os.Open(it.inflated)
		}
	}
	return j.source.Open(path)
}

// former is a record before its replacement by a revisit record.
type former struct {
	header []byte
	head   []byte // of the block
	body   [32]byte
	length int64  // of the body
	why    string // why it cannot be restored; "" if not known yet
}

// openFormer reads the data of the replaced record from a revisit record; nil if the revisit record
// did not replace one.
func (j *job) openFormer(content io.ReaderAt, s *recordFacts) (f *former, err error) {
	rec, err := j.opener.open(content, s.Offset, s.Stored)
	if errors.Is(err, errHeader) {
		return nil, nil // Quire makes none so large
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rec.close()) }()
	if !rec.Has(FieldHeader) {
		return nil, nil
	}
	f = &former{}
	if rec.size < 0 || rec.size > http1.MaxHead {
		f.why = fmt.Sprintf("a block of %d bytes is not an HTTP head", rec.size)
		return f, nil
	}
	if f.head, err = rec.head(rec.size); err != nil {
		f.why = "its block is truncated"
		return f, nil // the record is damaged, and this is reported
	}
	f.why = f.read(rec)
	return f, nil
}

// read parses Quire's own fields, and returns the problem if they are invalid.
func (f *former) read(rec *storedRecord) (why string) {
	var err error
	if f.header, err = formerHeader(rec.Raw()); err != nil {
		return err.Error()
	}
	if stated := rec.Get(warc.FieldBlockDigest); !sameDigest(stated, f.head) {
		return fmt.Sprintf("its block is not the original HTTP head: %s is %.140s", warc.FieldBlockDigest, stated)
	}
	sum, err := warc.ParseDigest(rec.Get(FieldBody))
	if err != nil || copy(f.body[:], sum.Sum) != len(f.body) || sum.Algorithm != "sha256" {
		return fmt.Sprintf("%s is %.140q, no SHA-256", FieldBody, rec.Get(FieldBody))
	}
	length, err := strconv.ParseInt(rec.Get(fieldWas+warc.FieldContentLength), 10, 64)
	f.length = length - rec.size
	if err != nil || f.length <= 0 {
		return fmt.Sprintf("%s%s is %.40q", fieldWas, warc.FieldContentLength,
			rec.Get(fieldWas+warc.FieldContentLength))
	}
	return ""
}

// sameDigest reports whether the stated digest matches the block, in any notation.
func sameDigest(stated string, block []byte) bool {
	d, err := warc.ParseDigest(stated)
	if err != nil {
		return false
	}
	hash := warc.NewHash(d.Algorithm)
	hash.Write(block) // a hash never fails
	return bytes.Equal(hash.Sum(nil), d.Sum)
}

// payloads returns the payloads to look up: an index distinguishes chunked bodies from others.
func (f *former) payloads() []*Payload {
	return []*Payload{{Body: f.body, BodyLength: f.length}, {Body: f.body, BodyLength: f.length, Framed: true}}
}

// restore writes the record that a revisit record replaced.
func (j *job) restore(ctx context.Context, w *writing, s *recordFacts) error {
	if s.Content {
		j.report.Contents++
	}
	if s.Type != warc.TypeRevisit || s.Stored <= 0 {
		return nil
	}
	f, err := j.openFormer(w.content, s)
	if f == nil || err != nil {
		return err
	}
	if f.why == "" {
		var body *body
		if body, f.why, err = j.bodyOf(ctx, f); err != nil {
			return err
		}
		if body != nil {
			w.report.Replaced++
			w.report.Payload += f.length
			err := w.replace(s.Offset, s.Stored, f.header, io.MultiReader(bytes.NewReader(f.head), body))
			return errors.Join(err, body.Close())
		}
	}
	j.report.lose(&w.report, Example{Offset: s.Offset, Record: s.ID, URI: s.URI, Message: f.why})
	return nil
}
