package unpack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"

	"quire/access/export"
	"quire/access/rewrite"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/preserve/pages"
)

// Site unpacks the website of a package: one capture per URL, as open to the readers of the Source.
type Site struct {
	Source *export.Source
	At     string // use captures closest to this moment (14 digits); "" means the newest

	known map[string]found // targets of URLs: navigation repeats on every page
}

// found is the target of a URL; nil for none.
type found struct{ capture *captures.Capture }

// maxKnown limits the number of remembered URLs.
const maxKnown = 20_000

// Captures iterates over the captures to unpack, in the order of their keys: for each URL, the
// result of Find.
func (s *Site) Captures(ctx context.Context) iter.Seq2[holdings.Judged, error] {
	return func(yield func(holdings.Judged, error) bool) {
		var best holdings.Judged
		done := func() bool { return best.Capture == nil || !IsContent(best.Capture) || yield(best, nil) }
		for c, err := range s.Source.Search(ctx, captures.Query{}) {
			if err != nil {
				yield(holdings.Judged{}, err)
				return
			}
			if best.Capture != nil && best.Key != c.Key {
				if !done() {
					return
				}
				best = holdings.Judged{}
			}
			if s.better(&c, &best) {
				best = c
			}
		}
		done()
	}
}

// Find returns the capture to unpack for a URL, after redirects, or nil if there is no such
// capture.
func (s *Site) Find(ctx context.Context, url string) (*captures.Capture, error) {
	if f, ok := s.known[url]; ok {
		return f.capture, nil
	}
	c, err := s.follow(ctx, url)
	if err != nil {
		return nil, err
	}
	if s.known == nil || len(s.known) >= maxKnown {
		s.known = map[string]found{}
	}
	s.known[url] = found{c}
	return c, nil
}

// maxRedirects is the number of redirects that browsers follow (Fetch Standard, 4.4).
const maxRedirects = 20

func (s *Site) follow(ctx context.Context, url string) (*captures.Capture, error) {
	for range maxRedirects {
		var best holdings.Judged
		for c, err := range s.Source.Search(ctx, captures.Query{URL: url}) {
			if err != nil {
				return nil, fmt.Errorf("looking up %s: %w", url, err)
			}
			if s.better(&c, &best) {
				best = c
			}
		}
		switch {
		case best.Capture == nil:
			return nil, nil
		case IsContent(best.Capture):
			return best.Capture, nil
		}
		url = best.Location
	}
	return nil, nil
}

// better reports whether c is preferable to the best capture so far: content before conversions of
// it, these before redirects, then the closest.
func (s *Site) better(c, best *holdings.Judged) bool {
	if !c.Allowed || !IsContent(c.Capture) && !isRedirect(c.Capture) {
		return false
	}
	if best.Capture == nil {
		return true
	}
	if a, b := preference(c.Capture), preference(best.Capture); a != b {
		return a > b
	}
	if s.At == "" {
		return c.Timestamp >= best.Timestamp
	}
	return s.distance(c.Timestamp) <= s.distance(best.Timestamp)
}

func (s *Site) distance(timestamp string) time.Duration {
	a, errA := time.Parse("20060102150405", timestamp)
	b, errB := time.Parse("20060102150405", s.At)
	if errA != nil || errB != nil {
		return time.Duration(1<<63 - 1)
	}
	return a.Sub(b).Abs()
}

// IsContent reports whether a capture is the content of its URL, as a browser would request it.
func IsContent(c *captures.Capture) bool {
	if c.Method != "" && c.Method != "GET" || !onWeb(c.URL) {
		return false
	}
	switch c.Type {
	case "response", "revisit":
		return c.Status == 200 || c.Status == 203
	case "resource", "conversion":
		return c.Status == 0 || c.Status == 200
	}
	return false
}

// preference orders the captures of a URL by type. A conversion is the only content of a URL if the
// crawler had changed the page: a mirror of HTTrack or wget without a cache.
func preference(c *captures.Capture) int {
	switch {
	case !IsContent(c):
		return 0
	case c.Type == "conversion":
		return 1
	}
	return 2
}

func isRedirect(c *captures.Capture) bool {
	return c.Status >= 300 && c.Status < 400 && c.Status != 304 && c.Location != "" &&
		(c.Method == "" || c.Method == "GET")
}

func onWeb(url string) bool {
	scheme, _, _ := strings.Cut(url, ":")
	switch strings.ToLower(scheme) {
	case "http", "https", "ftp":
		return true
	}
	return false
}

// NameOf returns the file name of a capture.
func NameOf(c *captures.Capture) string { return Name(c.URL, c.MIME) }

// File is an unpacked file.
type File struct {
	export.File
	Name      string // without its folder
	URL       string
	Timestamp string
	MIME      string
	Declared  *pages.Declared // metadata in a web page; nil for other files
}

// Sink writes the output of a function to a file. If the function fails, no file remains.
// (*export.Output).Write is a Sink.
type Sink func(name string, write func(io.Writer) error) (export.File, error)

// Options are options for unpacking one capture.
type Options struct {
	Prefix string // of its path in the output: "item_000001/"
	// To returns the target of a link; nil means Find. Its error ends the unpacking.
	To func(kind rewrite.Kind, url string) (name string, ok bool, err error)
	// Link is called with each link from page to page, at its position in the file.
	Link func(pages.Link) error
}

// Unpack writes the file of a capture. If the capture cannot be read, it reports that to Source,
// and returns nil.
func (s *Site) Unpack(ctx context.Context, out Sink, c *captures.Capture, o Options) (*File, error) {
	content, err := s.Source.Read(ctx, c)
	if err != nil {
		return nil, s.Source.Fail(c, err)
	}
	defer func() { _ = content.Body.Close() }() // only read
	if o.To == nil {
		o.To = s.to(ctx)
	}
	job := &job{body: &watched{r: s.Source.Decoded(content), left: mostOf(c)}, options: &o}
	job.file = File{Name: NameOf(c), URL: c.URL, Timestamp: c.Timestamp, MIME: c.MIME}
	contentType := HeaderField(content.Header, "Content-Type")
	job.language = HeaderField(content.Header, "Content-Language")
	job.file.File, err = out(o.Prefix+job.file.Name, func(w io.Writer) error {
		return job.write(w, &Document{URL: c.URL, Name: job.file.Name, ContentType: contentType, To: job.to})
	})
	switch {
	case errors.Is(job.body.err, errTooMuch):
		return nil, s.Source.Withhold(export.Withheld{Reason: export.NoPlace, URL: c.URL, Timestamp: c.Timestamp,
			Message: errTooMuch.Error()})
	case job.body.err != nil:
		return nil, s.Source.Fail(c, job.body.err)
	case err != nil:
		return nil, err
	}
	return &job.file, nil
}

// to leads links to the files of the captures that Find returns.
func (s *Site) to(ctx context.Context) func(rewrite.Kind, string) (string, bool, error) {
	return func(_ rewrite.Kind, url string) (string, bool, error) {
		c, err := s.Find(ctx, url)
		if c == nil || err != nil {
			return "", false, err
		}
		return NameOf(c), true, nil
	}
}

// job is the unpacking of one file.
type job struct {
	body     *watched
	options  *Options
	file     File
	language string // of the HTTP header
	err      error  // of looking up links
}

func (j *job) to(kind rewrite.Kind, url string) (string, bool) {
	if j.err != nil {
		return "", false
	}
	name, ok, err := j.options.To(kind, url)
	j.err = err
	return name, ok
}

// write writes the file. A page's metadata is read from the page as captured, because the written
// page has a policy of this package. Links are read from the written page, by their position in it.
func (j *job) write(w io.Writer, d *Document) error {
	if !pages.IsHTML("", MediaType(d.ContentType)) {
		if err := Rewrite(w, j.body, d); err != nil {
			return err
		}
		return j.err
	}
	captured := pages.New(pages.Options{ContentType: d.ContentType, Language: j.language})
	closing := func() error { return nil }
	if j.options.Link != nil {
		written := pages.New(pages.Options{ContentType: d.ContentType, Link: j.options.Link})
		closing = func() error { _, err := written.Close(); return err }
		w = io.MultiWriter(w, written)
	}
	err := Rewrite(w, io.TeeReader(j.body, captured), d)
	declared, failed := captured.Close()
	j.file.Declared = declared
	for _, e := range []error{j.err, err, failed, closing()} {
		if e != nil {
			return e
		}
	}
	return nil
}

// Limits of the decoded size of one capture: a few bytes, encoded several times, can fill any disk.
const (
	always    = 16 << 20 // bytes, however short the capture is
	fairRatio = 100      // times the encoded length
)

var errTooMuch = errors.New("decoded, it would exceed a hundred times its encoded length")

// mostOf returns the maximum decoded size of a capture.
func mostOf(c *captures.Capture) int64 {
	body := c.Record.Body
	if c.Payload != nil {
		body = c.Payload.Body
	}
	return max(always, min(body, 1<<50)*fairRatio)
}

// watched remembers a read error, to distinguish unreadable captures from a full disk.
type watched struct {
	r    io.Reader
	left int64
	err  error
}

func (w *watched) Read(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.r.Read(p)
	if w.left -= int64(n); w.left < 0 {
		err = errTooMuch
	}
	if err != nil && !errors.Is(err, io.EOF) {
		w.err = err
	}
	return n, err
}

// HeaderField returns the value of a field of an HTTP header; "" if it has none.
func HeaderField(header []holdings.Field, name string) string {
	for _, f := range header {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// When returns the date and time of a timestamp for people: 2015-01-02T03:04:05Z.
func When(timestamp string) string {
	if _, err := strconv.ParseUint(timestamp, 10, 64); err != nil || len(timestamp) != 14 {
		return timestamp
	}
	t := timestamp
	return t[:4] + "-" + t[4:6] + "-" + t[6:8] + "T" + t[8:10] + ":" + t[10:12] + ":" + t[12:] + "Z"
}
