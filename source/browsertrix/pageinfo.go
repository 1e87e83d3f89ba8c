package browsertrix

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"quire/internal/archivefs"
	"quire/internal/lines"
	"quire/internal/secret"
	"quire/model"
	"quire/source/records"
)

// pageInfoPrefix is the prefix of the URLs of records in which Browsertrix lists the requests of a
// page.
const pageInfoPrefix = "urn:pageinfo:"

// place is the location of a record about a page.
type place struct {
	container string // base name
	offset    int64
	uri       string
}

// indexes returns the indexes of the package or, for a crawl without a package, the index of each
// container.
func (h *Harvest) indexes() []string {
	if all := h.in("indexes", ".cdx", ".cdxj", ".cdx.gz", ".cdxj.gz"); len(all) > 0 {
		return all
	}
	return h.in("warc-cdx", ".cdx", ".cdxj", ".cdx.gz", ".cdxj.gz")
}

// maxIndexLine is the maximum length of an index line, in bytes.
const maxIndexLine = 256 << 10

// pageInfos calls each with the places of the records about pages, from the indexes.
func (h *Harvest) pageInfos(ctx context.Context, each func(place) error) error {
	for _, p := range h.indexes() {
		err := h.with(p, func(c archivefs.Content) error {
			var in io.Reader = c
			if strings.HasSuffix(p, ".gz") {
				z, err := gzip.NewReader(c)
				if err != nil {
					return nil //nolint:nilerr // what is no gzip holds no index; it is judged where the package is checked
				}
				in = z
			}
			return scanIndex(ctx, in, each)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func scanIndex(ctx context.Context, in io.Reader, each func(place) error) error {
	l := lines.NewReader(in)
	l.Max = maxIndexLine
	for {
		switch err := l.Next(); {
		case err != nil && (isMachine(err) || ctx.Err() != nil):
			return errors.Join(err, ctx.Err())
		case err != nil:
			return nil //nolint:nilerr // the index ends here, or is damaged from here on
		}
		if !bytes.Contains(l.Text, []byte(pageInfoPrefix)) {
			continue
		}
		if at, ok := indexed(l.Text); ok {
			if err := errors.Join(ctx.Err(), each(at)); err != nil {
				return err
			}
		}
	}
}

// indexed parses a CDXJ line: a key, a time, and JSON.
func indexed(line []byte) (place, bool) {
	i := bytes.Index(line, []byte(" {"))
	if i < 0 {
		return place{}, false
	}
	var e struct {
		URL      string      `json:"url"`
		FileName string      `json:"filename"`
		Offset   json.Number `json:"offset"`
	}
	d := json.NewDecoder(bytes.NewReader(line[i+1:]))
	if d.Decode(&e) != nil || !strings.HasPrefix(e.URL, pageInfoPrefix) {
		var q struct { // numbers as text, because some tools write them so
			URL      string `json:"url"`
			FileName string `json:"filename"`
			Offset   string `json:"offset"`
		}
		if json.Unmarshal(line[i+1:], &q) != nil || !strings.HasPrefix(q.URL, pageInfoPrefix) {
			return place{}, false
		}
		e.URL, e.FileName, e.Offset = q.URL, q.FileName, json.Number(q.Offset)
	}
	offset, err := e.Offset.Int64()
	return place{path.Base(e.FileName), offset, e.URL}, err == nil && offset >= 0
}

// containerCache keeps containers open, because opening one in a zip may inflate it.
type containerCache struct {
	*Harvest
	byName map[string]string // base name to path
	open   map[string]archivefs.Content
}

func (h *Harvest) opener() *containerCache {
	o := &containerCache{h, map[string]string{}, map[string]archivefs.Content{}}
	for _, p := range h.containers() {
		o.byName[path.Base(p)] = p
	}
	return o
}

// maxOpen bounds the number of open containers.
const maxOpen = 16

func (o *containerCache) container(name string) (archivefs.Content, string, error) {
	p := o.byName[name]
	if p == "" {
		return nil, name, fmt.Errorf("the index names %q, which is missing", name)
	}
	if c := o.open[p]; c != nil {
		return c, p, nil
	}
	if len(o.open) == maxOpen {
		if err := o.close(); err != nil {
			return nil, p, err
		}
	}
	c, err := o.tree.Open(p)
	if err == nil {
		o.open[p] = c
	}
	return c, p, err
}

func (o *containerCache) close() error {
	var errs []error
	for _, c := range o.open {
		errs = append(errs, c.Close())
	}
	clear(o.open)
	return errors.Join(errs...)
}

// maxPageInfo is the maximum size of a record about a page, in bytes.
const maxPageInfo = 64 << 20

// readPageInfo yields the requests of a page in their order.
func (o *containerCache) readPageInfo(at place, each func(model.Fetch) bool) (string, error) {
	c, p, err := o.container(at.container)
	if err != nil {
		return p, err
	}
	if _, err := c.Seek(at.offset, io.SeekStart); err != nil {
		return p, err
	}
	rec, err := records.NewReader(c, nil).Next()
	if err != nil {
		return p, err
	}
	if rec.URI != at.uri {
		return p, fmt.Errorf("the record at byte %d is for %q instead of %q", at.offset, rec.URI, at.uri)
	}
	return p, parsePageInfo(io.LimitReader(rec, maxPageInfo), strings.TrimPrefix(rec.URI, pageInfoPrefix), rec.Date,
		each)
}

// parsePageInfo parses
// {"pageid":…,"url":…,"ts":…,"urls":{URL:{"status":…,"mime":…,"type":…,"error":…}}}, piece by
// piece. Versions before 1.1 lack url and ts. For these versions, the URL and the date of the
// record are used.
func parsePageInfo(in io.Reader, page string, date time.Time, each func(model.Fetch) bool) error {
	d := json.NewDecoder(in)
	if err := open(d, '{'); err != nil {
		return err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		if key != "urls" {
			var skip json.RawMessage
			if err := d.Decode(&skip); err != nil {
				return err
			}
			continue
		}
		if err := parseURLs(d, page, date, each); err != nil {
			return err
		}
	}
	return nil
}

func open(d *json.Decoder, want json.Delim) error {
	if t, err := d.Token(); err != nil || t != want {
		return errors.Join(err, fmt.Errorf("found %v instead of %q", t, want))
	}
	return nil
}

func parseURLs(d *json.Decoder, page string, date time.Time, each func(model.Fetch) bool) error {
	if err := open(d, '{'); err != nil {
		return err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var u struct {
			Status    json.RawMessage `json:"status"`
			MIME      json.RawMessage `json:"mime"`
			Type      json.RawMessage `json:"type"`
			Error     json.RawMessage `json:"error"`
			FromCache json.RawMessage `json:"fromBrowserCache"`
		}
		if err := d.Decode(&u); err != nil {
			return err
		}
		url, _ := key.(string)
		if url == "" {
			continue
		}
		f := model.Fetch{URI: secret.Conceal(url), Time: date, Logged: date, Status: wholeNumber(u.Status),
			MIME: word(u.MIME), Size: -1, Offset: -1, Via: secret.Conceal(page)}
		for _, n := range []struct{ name, value string }{{"type:", word(u.Type)}, {"error:", word(u.Error)}} {
			if n.value != "" {
				f.Notes = append(f.Notes, n.name+n.value)
			}
		}
		if string(u.FromCache) == "true" {
			f.Notes = append(f.Notes, "from the browser's cache")
		}
		f.Miss = missOf(f.Status, word(u.Error))
		if !each(f) {
			return errEnough
		}
	}
	_, err := d.Token()
	return err
}

var errEnough = errors.New("enough")

// wholeNumber and word parse a number and a text, and return zero for any other value.
func wholeNumber(raw json.RawMessage) int {
	var n int
	_ = json.Unmarshal(raw, &n) // 0 if not a number
	return n
}

func word(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s) // "" if not a text
	return s
}

// missOf derives the reason for missing content from the status and from Chrome's error, such as
// "net::ERR_BLOCKED_BY_CLIENT".
func missOf(status int, problem string) model.Miss {
	switch {
	case strings.Contains(problem, "BLOCKED_BY"), strings.Contains(problem, "blocked"):
		return model.MissScope
	case strings.Contains(problem, "ERR_ABORTED"):
		return model.MissSoftware
	case problem != "":
		return model.MissNetwork
	case status >= 400:
		return model.MissServer
	case status == 0:
		return model.MissNetwork
	}
	return ""
}
