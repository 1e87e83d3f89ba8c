package crawl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"quire/access/export"
	"quire/format/fault"
	"quire/format/inflate"
	"quire/format/warc"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/repository/catalogue"
)

// copier copies the records of a package that are open to the reader.
type copier struct {
	source *export.Source
	out    *volumes
	given  *exportedSet // URL and time of exported captures, for requests and metadata
	next   func() (holdings.Judged, error, bool)
	at     holdings.Judged // the next capture in container order
	more   bool

	scratch  string
	progress export.Progress
	// seen is called before a capture is copied, if its record can be read then. It may read any part.
	// May be nil.
	seen func(ctx context.Context, c *holdings.Judged, rec *warc.Record) error
	// copied is called with each exported capture and its position.
	copied func(c *holdings.Judged, at spot) error
	// sent is called for exported requests other than GET; may be nil.
	sent   func(url, timestamp, method, contentType string, body []byte) error
	counts struct{ records, made, apart int64 }
}

// container copies the open records of one container.
func (k *copier) container(ctx context.Context, file catalogue.File) error {
	f, err := k.source.OpenStored(ctx, file)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read
	in := inflate.NewReader(f, inflate.Options{Ahead: true, Holds: warc.Sniff})
	defer func() { _ = in.Close() }() // only read
	c := &container{copier: k, file: file, stored: f, in: in}
	defer func() { _ = c.close() }() // only read
	r := warc.NewReader(in)
	r.Report = func(f fault.Fault) {
		if f.Code == warc.FaultSpansMembers {
			c.spans = true
		}
	}
	last := int64(0)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		c.spans = false
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			k.progress.Advance(file.Size - last)
			return errors.Join(k.out.flush(), k.skipTo(file.Path, -1))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file.Path, err)
		}
		k.progress.Advance(rec.Offset - last)
		last = rec.Offset
		if err := c.record(ctx, rec); err != nil {
			return fmt.Errorf("%s, record at byte %d: %w", file.Path, rec.Offset, err)
		}
	}
}

// container is a container that is being copied.
type container struct {
	*copier
	file   catalogue.File
	stored *os.File
	in     *inflate.Reader
	second *warc.Reader // of the same container, for records that are read again
	infos  []held       // warcinfo records that wait for the first open record
	spans  bool
}

// record decides whether a record is open, and copies it.
func (c *container) record(ctx context.Context, rec *warc.Record) error {
	kind := strings.ToLower(rec.Type())
	if kind == warc.TypeWarcinfo && c.source.Secret() {
		return nil // may name the seeds of the crawl
	}
	if kind == warc.TypeWarcinfo {
		if c.infos = append(c.infos, hold(rec)); len(c.infos) > maxInfos {
			c.infos = c.infos[1:]
		}
		return nil
	}
	capture, err := c.captureAt(rec.InflatedOffset)
	if err != nil {
		return err
	}
	if capture != nil && !capture.Allowed {
		return nil // is in the list of withheld content
	}
	if capture == nil {
		if pass, err := c.mayPass(kind, rec); err != nil || !pass {
			c.counts.apart++
			return err
		}
	}
	if err := c.info(); err != nil {
		return err
	}
	if kind == warc.TypeRevisit && capture != nil {
		if has, err := c.has(capture); err != nil || !has {
			return errors.Join(err, c.resolve(ctx, capture, rec))
		}
	}
	if c.seen != nil && capture != nil && c.in.Compression() == inflate.Gzip {
		if err := c.seen(ctx, capture, rec); err != nil {
			return err
		}
	}
	at, err := c.copy(rec)
	if errors.Is(err, errDamaged) {
		if capture == nil {
			return nil
		}
		return c.source.Fail(capture.Capture, err)
	}
	if err != nil || capture == nil {
		return err
	}
	return c.copied(capture, at)
}

// maxInfos limits the warcinfo records that are held in a row.
const maxInfos = 16

// info writes the held warcinfo records, before the first open record.
func (c *container) info() error {
	for _, h := range c.infos {
		err := c.reread(h, func(rec *warc.Record) error {
			_, err := c.copyInflated(nil, rec)
			return err
		})
		if err != nil && !errors.Is(err, errDamaged) {
			return err
		}
	}
	c.infos = nil
	return nil
}

// captureAt returns the capture that the index has for a record, or nil if the index has none.
func (c *container) captureAt(inflated int64) (*holdings.Judged, error) {
	if err := c.skipTo(c.file.Path, inflated); err != nil {
		return nil, err
	}
	if !c.more || c.at.Record.Container != c.file.Path || c.at.Record.Inflated != inflated {
		return nil, nil
	}
	found := c.at
	return &found, c.advance()
}

func (k *copier) advance() error {
	var err error
	k.at, err, k.more = k.next()
	return err
}

// skipTo skips captures that the container lacks at their indexed offset; -1 means the end of the
// container. It reports them as unreadable.
func (k *copier) skipTo(path string, inflated int64) error {
	for k.more && (k.at.Record.Container < path || k.at.Record.Container == path &&
		(inflated < 0 || k.at.Record.Inflated < inflated)) {
		if k.at.Allowed {
			if err := k.source.Fail(k.at.Capture, errors.New("no record at the indexed offset")); err != nil {
				return err
			}
		}
		if err := k.advance(); err != nil {
			return err
		}
	}
	return nil
}

// has reports whether the payload of a revisit is in the export, before or after it.
func (c *container) has(capture *holdings.Judged) (bool, error) {
	p := capture.Payload
	if p == nil || p.Package != c.source.ID() {
		return false, nil
	}
	return c.given.hasPlace(p)
}

// mayPass reports whether a record without a capture of its own is open: a request or metadata
// record of an open capture. Records that belong to no capture are for curators.
func (c *container) mayPass(kind string, rec *warc.Record) (bool, error) {
	switch kind {
	case warc.TypeRequest, warc.TypeMetadata:
		if c.source.Secret() {
			return false, nil // Referer and via name the page that led to a capture
		}
		for _, uri := range subjects(rec) {
			if pass, err := c.isOpen(kind, rec, uri); err != nil || !pass {
				return false, err
			}
		}
		return true, nil
	case warc.TypeResponse, warc.TypeResource:
		return c.lookup(rec), nil
	case warc.TypeContinuation: // as the capture that it is a segment of
		return c.given.hasPlace(&captures.Place{Container: c.file.Path, Inflated: rec.InflatedOffset})
	}
	return false, nil // an unknown type, or a segment without its first: it has no verdict
}

// fieldResources names the captures that a metadata record of an OAI-PMH harvest concerns, if there
// are several (docs/reference/590_harvest.md).
const fieldResources = "OAI-Resources"

// subjects returns the URLs of the captures that a request or metadata record concerns, at least
// one. All of them must be open.
func subjects(rec *warc.Record) []string {
	return append([]string{rec.TargetURI()}, strings.Fields(rec.Get(fieldResources))...)
}

// isOpen reports whether a request or metadata record may pass as far as it concerns a URL.
func (c *container) isOpen(kind string, rec *warc.Record, uri string) (bool, error) {
	date, err := rec.Date()
	if uri != "" && err == nil {
		if has, err := c.given.has(uri, date.Format(timestampForm)); err != nil || has {
			return has, err
		}
	}
	if kind == warc.TypeRequest || c.source.Who.Class != holdings.Staff {
		return false, nil
	}
	denied, err := c.given.denied(uri)
	return !denied, err
}

// timestampForm is the timestamp layout of the index.
const timestampForm = "20060102150405"

// lookup reports whether a record is an open response of a DNS or WHOIS server. The index does not
// contain such records.
func (c *container) lookup(rec *warc.Record) bool {
	scheme, _, _ := strings.Cut(strings.ToLower(rec.TargetURI()), ":")
	date, err := rec.Date()
	if scheme != "dns" && scheme != "whois" || err != nil {
		return false
	}
	return c.source.Judge(&captures.Capture{
		Key: rec.TargetURI(), URL: rec.TargetURI(), Timestamp: date.Format(timestampForm), Type: rec.Type(),
		Package: c.source.ID(),
		Record: captures.Place{Package: c.source.ID(), Container: c.file.Path, Offset: rec.Offset,
			Inflated: rec.InflatedOffset},
	}).Allowed
}
