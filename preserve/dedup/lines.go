package dedup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"quire/format/cdx"
	"quire/format/fault"
	"quire/format/inflate"
	"quire/format/warc"
	"quire/internal/archivefs"
	"quire/internal/warcbuild"
)

// Lines is an index file: CDX or CDXJ, compressed or not.
type Lines struct {
	Path   string
	Legend string // legend of a CDX without a legend line; "" infers it
}

// lines holds the statements of indexes about payloads. They are unverified claims until the record
// was read. A digest in an index usually comes from a header, may be of the decoded content, and
// does not describe the framing of the body. If the named container is next to the index, its
// record is read before the line is used.
type lines struct {
	index  *Index
	files  []Lines
	faults int64 // unreadable lines
	beside map[string]bool
	check  *examiner
	denied []Denied
	deny   int64
}

// Denied is an index line that its record contradicts.
type Denied struct {
	Index     string `json:"index"`
	Container string `json:"container"`
	Offset    int64  `json:"offset"`
	URI       string `json:"uri"`
	Message   string `json:"message"`
}

func openLines(ctx context.Context, dir string, files []Lines) (*lines, error) {
	index, err := OpenIndex(ctx, filepath.Join(dir, "lines.db"))
	if err != nil {
		return nil, err
	}
	return &lines{index: index, files: files, beside: map[string]bool{}, check: &examiner{}}, nil
}

// read reads the index lines of the wanted payloads.
func (l *lines) read(ctx context.Context, wanted *filter) error {
	for _, f := range l.files {
		if err := l.readFile(ctx, f, wanted); err != nil {
			return fmt.Errorf("reading the index %s: %w", f.Path, err)
		}
	}
	return l.index.Flush(ctx)
}

func (l *lines) readFile(ctx context.Context, f Lines, wanted *filter) (err error) {
	file, err := os.Open(f.Path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	in := inflate.NewReader(file, inflate.Options{})
	defer func() { err = errors.Join(err, in.Close()) }()
	r := cdx.NewReader(in, cdx.Options{Legend: f.Legend, Report: func(fault.Fault) { l.faults++ }})
	containers := map[string]int64{}
	for e, err := range r.All() {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		k, o := original(&e, r.Form().Legend)
		if k == nil || !wanted.may(k) {
			continue
		}
		name := e.File
		id, known := containers[name]
		if !known {
			if id, err = l.index.container(ctx, f.Path+"\x00"+name,
				filepath.Base(filepath.FromSlash(name))); err != nil {
				return err
			}
			if len(containers) < maxRemembered {
				containers[name] = id
			}
		}
		if err := l.index.add(ctx, k, id, o); err != nil {
			return err
		}
	}
	return nil
}

// maxRemembered bounds the container names in memory.
const maxRemembered = 100_000

// original returns the original that a line states, if the line has a digest, a URL and a time, and
// is not a revisit record.
func original(e *cdx.Entry, legend string) (key, *Original) {
	if e.Digest == "" || e.URL == "" || strings.HasPrefix(e.MIME, "warc/") {
		return nil, nil
	}
	d, err := warc.ParseDigest(e.Digest)
	if err != nil || d.Algorithm != "sha1" && d.Algorithm != "sha256" {
		return nil, nil // MD5 does not prove that two payloads are equal
	}
	span, date := datedAs(e.Timestamp)
	if date == "" {
		return nil, nil
	}
	inflated := strings.Contains(legend, "v") && !strings.Contains(legend, "V")
	return statedKey(d.Algorithm, d.Sum),
		&Original{URI: warcbuild.TargetURI(e.URL), Date: date, ID: e.RecordID, Offset: e.Offset, span: span,
			inflated: inflated}
}

// mostClaims is how many lines are checked for one payload.
const mostClaims = 8

// find returns the earliest record that an index has for the payload.
func (l *lines) find(ctx context.Context, p *Payload, before instant) (*Original, error) {
	found, err := l.index.find(ctx, p.exact(), before, 1) // verified before
	if err != nil {
		return nil, err
	}
	if len(found) > 0 {
		return &found[0], nil
	}
	for _, k := range p.claims() {
		found, err := l.index.find(ctx, k, before, mostClaims)
		if err != nil {
			return nil, err
		}
		for i := range found {
			o, err := l.borneOut(ctx, p, before, &found[i])
			if err != nil {
				return nil, err
			}
			if o != nil {
				return o, nil
			}
		}
	}
	return nil, nil
}

// borneOut reads the record of a line if its container is next to the index. The result is
// remembered.
func (l *lines) borneOut(ctx context.Context, p *Payload, before instant, o *Original) (*Original, error) {
	index, name, _ := strings.Cut(o.shelf, "\x00")
	content, err := l.open(index, name)
	if err != nil {
		return nil, err
	}
	if content != nil {
		defer func() { _ = content.Close() }() // it was only read
	}
	if content == nil || o.Offset < 0 || o.inflated {
		if p.Framed {
			return nil, nil
		}
		o.Evidence = ByIndex
		return o, nil
	}
	is, why, err := recordAt(ctx, l.check, name, content, o.Offset)
	if err != nil {
		return nil, err
	}
	switch {
	case is == nil:
	case is.Why != "" || !is.Content:
		why = "the record there cannot serve as an original: " + string(is.Why)
	case is.Payload != *p:
		why = "the record there has another payload, or another framing"
	default:
		read := originalOf(is)
		read.Container, read.shelf, read.Evidence, read.Offset = o.Container, o.shelf, ByRecord, o.Offset
		id, err := l.index.container(ctx, o.shelf, o.Container)
		if err == nil {
			err = l.index.add(ctx, p.exact(), id, &read)
		}
		if err != nil || !read.span.before(before) { // the line may have another date
			return nil, err
		}
		return &read, nil
	}
	if l.deny++; len(l.denied) < MaxListed {
		l.denied = append(l.denied, Denied{Index: index, Container: name, Offset: o.Offset, URI: o.URI, Message: why})
	}
	return nil, l.index.remove(ctx, o)
}

// open opens a container next to an index; nil if it does not exist. A name that leads to another
// folder is ignored.
func (l *lines) open(index, name string) (archivefs.Content, error) {
	dir := filepath.Dir(index)
	local := filepath.FromSlash(name)
	if !filepath.IsLocal(local) {
		local = filepath.Base(local)
	}
	path := filepath.Join(dir, local)
	if there, known := l.beside[path]; known && !there {
		return nil, nil
	}
	info, err := os.Stat(path)
	there := err == nil && info.Mode().IsRegular()
	if len(l.beside) < maxRemembered {
		l.beside[path] = there
	}
	if !there {
		return nil, nil
	}
	return os.Open(path)
}

// recordAt examines the record at an offset of a container. If there is no usable record, why is
// the reason.
func recordAt(ctx context.Context, x *examiner, name string, content archivefs.Content, offset int64) (found *recordFacts,
	why string, err error) {
	size, err := content.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, "", err
	}
	if offset >= size {
		return nil, fmt.Sprintf("the container ends at byte %d", size), nil
	}
	part, before := stretch(content, offset, size-offset)
	_, err = x.examine(ctx, name, part, func(s *recordFacts) error {
		if s.Offset == before {
			found = s
		}
		return errEnough
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, "", err
	}
	if found == nil {
		return nil, "no record begins there", nil
	}
	return found, "", nil
}

// anywhere reports whether any index has the payload.
func (l *lines) anywhere(ctx context.Context, p *Payload) (bool, error) {
	for _, k := range append(p.stated(), p.exact()) {
		if there, err := l.index.has(ctx, k); there || err != nil {
			return there, err
		}
	}
	return false, nil
}

func (l *lines) close() error { return l.index.Close() }
