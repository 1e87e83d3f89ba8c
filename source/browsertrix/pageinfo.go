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
	"quire/model"
	"quire/source/internal/secret"
	"quire/source/records"
)

// pageInfoPrefix begins the URLs of the records in which Browsertrix says what a page asked for.
const pageInfoPrefix = "urn:pageinfo:"

// place is where a record about a page is.
type place struct {
	container string // base name
	offset    int64
	uri       string
}

// indexes are those of the package; of a crawl that was not packaged, those of each container.
func (h *Harvest) indexes() []string {
	if all := h.in("indexes", ".cdx", ".cdxj", ".cdx.gz", ".cdxj.gz"); len(all) > 0 {
		return all
	}
	return h.in("warc-cdx", ".cdx", ".cdxj", ".cdx.gz", ".cdxj.gz")
}

// maxIndexLine bounds a line of an index, in bytes.
const maxIndexLine = 256 << 10

// pageInfos gives the places of the records about pages, as the indexes have them.
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

// indexed reads a line of CDXJ: a key, a time, and JSON.
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
		var q struct { // numbers as texts, as some write them
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

// opened keeps containers open, since to open one in a zip may be to inflate it.
type opened struct {
	*Harvest
	byName map[string]string // base name to path
	open   map[string]archivefs.Content
}

func (h *Harvest) opener() *opened {
	o := &opened{h, map[string]string{}, map[string]archivefs.Content{}}
	for _, p := range h.containers() {
		o.byName[path.Base(p)] = p
	}
	return o
}

// maxOpen bounds the containers that are open at the same time.
const maxOpen = 16

func (o *opened) container(name string) (archivefs.Content, string, error) {
	p := o.byName[name]
	if p == "" {
		return nil, name, fmt.Errorf("the index names %q, which is not here", name)
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

func (o *opened) close() error {
	var errs []error
	for _, c := range o.open {
		errs = append(errs, c.Close())
	}
	clear(o.open)
	return errors.Join(errs...)
}

// maxPageInfo bounds a record about a page, in bytes.
const maxPageInfo = 64 << 20

// readPageInfo gives what a page asked for, in the order in which it did.
func (o *opened) readPageInfo(at place, each func(model.Fetch) bool) (string, error) {
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
		return p, fmt.Errorf("the record at byte %d is of %q, and should be of %q", at.offset, rec.URI, at.uri)
	}
	return p, parsePageInfo(io.LimitReader(rec, maxPageInfo), strings.TrimPrefix(rec.URI, pageInfoPrefix), rec.Date,
		each)
}

// parsePageInfo reads
// {"pageid":…,"url":…,"ts":…,"urls":{URL:{"status":…,"mime":…,"type":…,"error":…}}}, piece by
// piece. Versions before 1.1 do not tell url and ts: those of the record are taken.
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
		return errors.Join(err, fmt.Errorf("%v stands where %q should", t, want))
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
		f := model.Fetch{URI: secret.Conceal(url), Time: date, Logged: date, Status: whole(u.Status),
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

// whole and word read a number and a text, whatever stands there.
func whole(raw json.RawMessage) int {
	var n int
	_ = json.Unmarshal(raw, &n) // 0 when it is none
	return n
}

func word(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s) // "" when it is none
	return s
}

// missOf says why there is no content, by the status and by what Chrome says of a request that
// failed: "net::ERR_BLOCKED_BY_CLIENT".
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
