package nas

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"

	"quire/format/arc"
	"quire/format/fault"
	"quire/format/gzipmember"
	"quire/format/inflate"
	"quire/format/warc"
	"quire/format/zstdframe"
	"quire/internal/archivefs"
	"quire/model"
	"quire/source/records"
)

// container is a metadata file.
type container struct {
	tree   *archivefs.Tree
	path   string
	size   int64
	name   metadataName
	packed bool

	documents  []*document
	fields     []model.Field // of its warcinfo
	filedesc   string        // original name of an ARC
	unreadable bool          // neither an ARC nor a WARC
	strangers  int64         // records that are not documents
	unlisted   int64         // documents beyond the limit
	damage     fault.Fault   // the first one that may lose documents
	damages    int64

	mu      sync.Mutex
	content archivefs.Content
	users   int
}

// The limits for the documents of a job. A broad crawl has a settings.xml for some of its ten
// thousand domains, and a list of captures for each container.
const (
	maxDocuments = 1 << 15
	maxURLs      = 16 << 20 // bytes of their URLs
)

// budget is the unused part of these limits for a job.
type budget struct{ documents, urls int }

func (b *budget) spend(uri string) bool {
	if b.documents == 0 || b.urls < len(uri) {
		return false
	}
	b.documents--
	b.urls -= len(uri)
	return true
}

// read reads the records once and records the place of each document.
func (c *container) read(ctx context.Context, b *budget) (err error) {
	content, err := c.acquire()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.release()) }()
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return err
	}
	r := records.NewReader(content, c.note)
	for {
		rec, err := r.Next()
		switch {
		case errors.Is(err, records.ErrNotContainer):
			c.unreadable = true
			return nil
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		c.packed = r.Compression() != inflate.None
		if err := errors.Join(c.take(rec, b), ctx.Err()); err != nil {
			return err
		}
	}
}

// losses are the container faults that can lose a document, or a part of one. Inspecting the
// container reports its other faults.
var losses = map[fault.Code]bool{
	arc.Truncated: true, arc.Garbage: true, arc.Length: true,
	warc.FaultTruncated: true, warc.FaultGarbage: true, warc.FaultLength: true, warc.FaultHeaderTruncated: true,
	warc.FaultHeaderSize:    true,
	gzipmember.FaultDeflate: true, gzipmember.FaultTruncated: true, gzipmember.FaultCRC32: true,
	gzipmember.FaultSize: true, gzipmember.FaultGarbage: true,
	gzipmember.FaultHeader: true, zstdframe.FaultFrame: true, zstdframe.FaultTruncated: true,
	zstdframe.FaultGarbage: true,
}

// note counts faults that may lose documents.
func (c *container) note(f fault.Fault) {
	if !losses[f.Code] {
		return
	}
	if c.damages++; c.damages == 1 {
		c.damage = f
	}
}

// take adds a record.
func (c *container) take(rec *records.Record, b *budget) error {
	if name, ok := strings.CutPrefix(rec.URI, "filedesc://"); ok {
		if c.filedesc == "" { // a rewritten ARC has the header of the old file too
			c.filedesc = name
		}
		return nil
	}
	if rec.Type == warc.TypeWarcinfo {
		fields, err := rec.Fields()
		if c.fields == nil {
			c.fields = fields
		}
		return err
	}
	u, ok := parseURL(rec.URI)
	if !ok {
		c.strangers++
		return nil
	}
	if !b.spend(rec.URI) {
		c.unlisted++
		return nil
	}
	d := &document{in: c, url: u, uri: strings.Clone(rec.URI), offset: rec.Offset, block: rec.Block,
		stated: rec.ContentLength, modified: rec.Date}
	n, err := io.Copy(io.Discard, rec)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	if d.size = n; rec.ARC != nil {
		d.size = rec.ARC.BlockSize()
	}
	c.documents = append(c.documents, d)
	return err
}

// acquire opens the file once for all simultaneous users. A file in an archive is inflated then.
func (c *container) acquire() (archivefs.Content, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.users == 0 {
		content, err := c.tree.Open(c.path)
		if err != nil {
			return nil, err
		}
		c.content = content
	}
	c.users++
	return c.content, nil
}

func (c *container) release() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.users--; c.users > 0 {
		return nil
	}
	return c.content.Close()
}
