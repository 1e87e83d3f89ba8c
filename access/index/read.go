package index

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"quire/format/warc"
	"quire/format/weburl"
	"quire/internal/disk"
	"quire/internal/spool"
	"quire/model"
	"quire/preserve/inspect"
	"quire/repository/store"
)

// Reasons why a record that is a capture has no line. They are counted in Container.Left.
const (
	leftCut      = "the record breaks off"
	leftSegment  = "one segment of several"
	leftNoURL    = "it has no URL"
	leftNoDate   = "it has no date"
	leftLong     = "its URL has more than 32 KiB"
	leftWebsite  = "no web resource (dns, whois)"
	leftRequests = "its request may have sent something: there were too many to remember" // such a one has a line, by its URL alone
)

// maxURL bounds a URL, in bytes: lines are read into memory.
const maxURL = 32 << 10

// Stored is the Reading of packages in a repository: each container is read in one pass, from the first copy that has it as it was stored.
func Stored(s *store.Store, progress func(bytes int64)) Reading {
	return func(ctx context.Context, c *Container, line func(*Line) error) error {
		var failed error
		for f, err := range s.OpenCopies(ctx, c.Package, 0, c.Path) {
			if err != nil {
				return errors.Join(failed, err)
			}
			err = Read(ctx, f, c, progress, line)
			_ = f.Close() // it was only read
			if err == nil {
				return nil
			}
			var wrong *wrongBytesError
			if failed = errors.Join(failed, fmt.Errorf("%s: %w", f.Name(), err)); !errors.As(err, &wrong) && !errors.As(err, new(*fs.PathError)) {
				break // another copy would not be better
			}
		}
		return failed
	}
}

// wrongBytesError says that a copy is damaged.
type wrongBytesError struct{ is, was string }

func (e *wrongBytesError) Error() string {
	return fmt.Sprintf("this copy has other bytes than were stored (SHA-512 %s, stored was %s): audit the repository", e.is, e.was)
}

// Read makes the lines of a container, in one pass. None is given before the file was read to its end, and has the SHA-512 of the
// Container, where that is known.
func Read(ctx context.Context, f io.ReadSeeker, c *Container, progress func(bytes int64), line func(*Line) error) error {
	kept, err := spool.New[taken]("")
	if err != nil {
		return err
	}
	defer func() { _ = kept.Close() }() // nothing in it is wanted any more
	t := &taker{kept: kept, left: map[string]int64{}, requests: requests{sent: map[string]sent{}}}
	in := &disk.Counted{Ctx: ctx, From: f, Progress: progress}
	found, err := inspect.Reader(ctx, seeking{in, f}, inspect.Options{
		Name: path.Base(c.Path), MaxFindings: -1, Contents: true, Bodies: inspect.AllBodies, Served: t.requests.served, Record: t.take,
	})
	if err != nil {
		return err
	}
	if c.SHA512 != "" && found.SHA512 != c.SHA512 {
		return &wrongBytesError{found.SHA512, c.SHA512}
	}
	if c.Left = t.left; t.requests.over > 0 {
		c.Left[leftRequests] = t.requests.over
	}
	return kept.Each(func(k taken) error {
		if s, ok := t.requests.of(&k); ok {
			k.Line.Key, k.Line.Method = s.key, s.method
		}
		return line(&k.Line)
	})
}

// seeking is a file whose reading is counted.
type seeking struct {
	*disk.Counted
	io.Seeker
}

// taken is a capture that waits for its request.
type taken struct {
	Line             Line
	ID, ConcurrentTo string
}

// taker makes captures of records.
type taker struct {
	kept     *spool.Spool[taken]
	left     map[string]int64
	requests requests
}

func (t *taker) take(r model.Record) error {
	switch r.Type {
	case warc.TypeRequest:
		t.requests.take(&r)
		return nil
	case warc.TypeResponse, warc.TypeResource, warc.TypeConversion, warc.TypeRevisit:
	default:
		return nil
	}
	if why := leftOut(&r); why != "" {
		t.left[why]++
		return nil
	}
	return t.kept.Add(taken{*lineFor(&r), r.ID, r.ConcurrentTo})
}

// leftOut says why a record is no capture that could be shown.
func leftOut(r *model.Record) string {
	switch scheme, _, _ := strings.Cut(r.URI, ":"); {
	case r.URI == "":
		return leftNoURL
	case strings.EqualFold(scheme, "dns"), strings.EqualFold(scheme, "whois"):
		return leftWebsite
	case len(r.URI) > maxURL:
		return leftLong
	case r.Segment != "":
		return leftSegment
	case r.Length < 0 || r.Body == nil:
		return leftCut
	case r.Date.IsZero():
		return leftNoDate
	}
	return ""
}

const timestampLayout = "20060102150405"

// lineFor makes the line of a record.
func lineFor(r *model.Record) *Line {
	l := &Line{Capture: Capture{Key: keyOf(r.URI, nil), Timestamp: r.Date.UTC().Format(timestampLayout), URL: r.URI, Type: r.Type, MIME: mimeOf(r)}}
	l.Status, _ = strconv.Atoi(r.Status) // the pass gives a number, or nothing
	l.Location = locationOf(r, l.Status)
	l.Length = r.Payload
	l.Record = Place{Order: r.Order, Offset: r.Offset, Stored: r.Stored, Inflated: r.Inflated, Head: r.Block - r.Payload, Body: r.Payload,
		SHA256: hex.EncodeToString(r.Body.SHA256[:]), Viral: r.Scan == model.ScanInfected}
	stated := digestOf(r.PayloadDigest)
	if r.Type == warc.TypeRevisit {
		l.Digest, l.RefersToURI = stated, r.RefersToURI
		if at, err := warc.ParseDate(r.RefersToDate); err == nil && len(r.RefersToURI) <= maxURL {
			l.RefersToDate = at.UTC().Format(timestampLayout)
		}
		return l
	}
	l.Truncated = r.Truncated != ""
	if r.Content != nil {
		l.Length = r.Content.Length
		l.Digests = append(l.Digests, warc.FormatDigest("sha1", r.Content.SHA1[:]), warc.FormatDigest("sha256", r.Content.SHA256[:]))
	}
	if stated != "" && r.Body.Stated != model.ReadNone { // otherwise it is of something else
		l.Digest = stated
		if !slices.Contains(l.Digests, stated) {
			l.Digests = append(l.Digests, stated)
		}
	} else if len(l.Digests) > 0 {
		l.Digest = l.Digests[0]
	}
	return l
}

// digestOf writes a digest in one way, however it was stated.
func digestOf(stated string) string {
	d, err := warc.ParseDigest(stated)
	if err != nil {
		return ""
	}
	return warc.FormatDigest(d.Algorithm, d.Sum)
}

// locationOf is where a redirect leads, as browsers read it.
func locationOf(r *model.Record, status int) string {
	if r.Location == "" || status < 300 || status > 399 || status == 304 {
		return ""
	}
	base, err := weburl.Parse(r.URI, nil, nil)
	if err != nil {
		return ""
	}
	to, err := weburl.Parse(r.Location, base, nil)
	if err != nil || len(to.String()) > maxURL {
		return ""
	}
	return to.String()
}

// mimeOf is the media type as declared, when it has the form of one (RFC 9110, 8.3.1).
func mimeOf(r *model.Record) string {
	declared := r.ServedType
	if declared == "" && r.Type != warc.TypeResponse && r.Type != warc.TypeRevisit {
		declared = r.ContentType
	}
	mime, _, _ := strings.Cut(declared, ";")
	mime = strings.ToLower(strings.TrimSpace(mime))
	if len(mime) > 127 || strings.Count(mime, "/") != 1 || strings.Trim(mime, "abcdefghijklmnopqrstuvwxyz0123456789!#$&'*+-.^_`|~%/") != "" {
		return ""
	}
	return mime
}
