package httrack

import (
	"context"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"

	"quire/format/http1"
	"quire/model"
	"quire/source"
)

var (
	_ source.Mirror = (*Harvest)(nil)
	_ source.Styled = (*Harvest)(nil)
	_ source.Footed = (*Harvest)(nil)
)

// Style returns how HTTrack changes saved files.
func (h *Harvest) Style() source.Style { return source.StyleHTTrack }

// Footer returns the text that HTTrack had to insert into each page (-%F), or "" for the default.
func (h *Harvest) Footer() string { return h.footer }

// Artefacts returns the files that are not content: logs, the cache, and HTTrack's additions to the
// content.
func (h *Harvest) Artefacts() []model.SourceFile {
	var all []model.SourceFile
	for _, f := range h.Mirror.Files {
		if f.Role != model.RoleContent {
			all = append(all, f)
		}
	}
	return all
}

// Resources yields each URL. First come the URLs in the cache and the logs. Then follow the files
// that neither names, with the URL from their comment or path. Files without a known URL come last.
func (h *Harvest) Resources(ctx context.Context, report func(model.Finding)) iter.Seq2[*source.Resource, error] {
	return func(yield func(*source.Resource, error) bool) {
		t := &resourcePass{Harvest: h, content: h.Mirror.Content(), report: report}
		err := t.all(ctx, yield)
		if closed := t.content.Close(); err == nil && closed != nil {
			err = closed
		}
		if err != nil && !t.enough {
			yield(nil, err)
		}
	}
}

// resourcePass is the state of one pass over the URLs.
type resourcePass struct {
	*Harvest
	content *Content
	report  func(model.Finding)
	enough  bool      // the caller wants no more resources
	last    time.Time // newest mtime; zero if not yet known
}

func (t *resourcePass) all(ctx context.Context, yield func(*source.Resource, error) bool) error {
	for _, c := range t.Mirror.Captures {
		if err := ctx.Err(); err != nil {
			return err
		}
		r, err := t.resource(c)
		if err != nil {
			return err
		}
		if !yield(r, nil) {
			t.enough = true
			return nil
		}
	}
	for _, f := range t.Mirror.Files {
		if f.Role != model.RoleContent || t.Mirror.byFile[f.Path] != nil {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if !yield(t.stray(f), nil) {
			t.enough = true
			return nil
		}
	}
	return nil
}

// find reports a finding about a file, if the caller wants findings.
func (t *resourcePass) find(code string, path, message string) {
	if t.report != nil {
		t.report(model.Finding{Code: code, Severity: model.Warning, Path: path, Message: message})
	}
}

// resource combines the sources for one URL.
func (t *resourcePass) resource(c *Capture) (*source.Resource, error) {
	r := &source.Resource{URL: c.URL, Status: c.Status(), Sent: -1, File: c.File, Saved: t.Mirror.saved(c)}
	r.Why = append(r.Why, t.urlFrom(c, r))
	if c.User {
		r.Why = append(r.Why, "URL: who logged in stood before the host, and is left out")
	}
	head, err := t.heads(c, r)
	if err != nil {
		return nil, err
	}
	t.answer(c, r, head)
	t.moment(c, r, head)
	return r, t.body(c, r)
}

// urlFrom returns the source of the URL, and sets its assumed parts.
func (t *resourcePass) urlFrom(c *Capture, r *source.Resource) string {
	if c.Assumed {
		r.Assumed = "scheme: no witness tells it, and this version wrote none for http"
	}
	switch {
	case c.Basis == BasisState:
		return "URL: HTTrack's state of the unfinished download, " + c.File + ".tmp"
	case c.Basis == BasisPath:
		r.Assumed = "all of it: from the path of the file"
		if hashed.MatchString(c.File) {
			r.Assumed += ", which has four digits that HTTrack may have put there for a query"
		}
		return "URL: the path of the file, since no witness names it"
	case c.Basis == BasisComment && c.Entry == nil && c.Row == nil:
		return "URL: the comment \"Mirrored from\" in the file"
	case c.Entry != nil:
		return "URL: an entry of " + c.Entry.Cache
	case c.Row != nil:
		return "URL: " + c.Log + ", line " + strconv.FormatInt(c.Row.Line, 10)
	case c.Response != nil || c.Request != nil:
		return "URL: a header in " + t.Mirror.path("hts-ioinfo.txt")
	}
	return "URL: a message in the logs"
}

// heads returns the headers as sent and received. A response header is used only if it belongs to
// the recorded response. After an update, hts-ioinfo.txt can have the response "not modified" for
// an earlier download.
func (t *resourcePass) heads(c *Capture, r *source.Resource) (*http1.Head, error) {
	if c.Request != nil {
		r.Request = func() ([]byte, error) { return t.content.Header(c.Request) }
	}
	if c.Response == nil {
		return nil, nil
	}
	b, err := t.content.Header(c.Response)
	if err != nil {
		return nil, err
	}
	info := t.Mirror.path("hts-ioinfo.txt")
	if c.Response.Status != 0 && c.Response.Status != r.Status {
		r.Why = append(r.Why, "head: "+info+" has an answer of "+strconv.Itoa(c.Response.Status)+
			" only, which is not this one")
		return nil, nil
	}
	r.Response = func() ([]byte, error) { return b, nil }
	r.Why = append(r.Why, "head: "+info)
	head, _, err := http1.ParseHead(b, http1.Response, nil)
	if err != nil { // until 3.1x the status line is missing
		head, _, err = http1.ParseHead(append([]byte("HTTP/1.0 "+strconv.Itoa(r.Status)+"\n"), b...), http1.Response,
			nil)
	}
	return &head, err
}

// answer sets the server's response from the best source for each fact.
func (t *resourcePass) answer(c *Capture, r *source.Resource, head *http1.Head) {
	if e := c.Entry; e != nil {
		r.Reason, r.Location, r.MIME = e.Message, e.Location, e.Header("Content-Type")
		if charset := e.Header("X-Charset"); charset != "" && r.MIME != "" {
			r.MIME += "; charset=" + charset
		}
		if e.Size >= 0 {
			r.Sent = e.Size
		}
		for _, name := range []string{"Etag", "Last-Modified", "Content-Disposition"} {
			r.Facts = addFact(r.Facts, strings.ToLower(name), e.Header(name))
		}
		r.Facts = addFact(r.Facts, "httrack-cache", e.Cache)
		r.Facts = addFact(r.Facts, "httrack-save", e.Save)
	}
	if row := c.Row; row != nil {
		t.answerOfRow(c, r, row)
	}
	if head != nil {
		r.MIME = first(head.Get("Content-Type"), r.MIME)
		r.Location = first(r.Location, head.Get("Location"))
	}
	r.Location = first(r.Location, c.MovedTo)
	if r.Status != 0 {
		r.Why = append(r.Why, "status: "+t.statusFrom(c))
	}
}

func (t *resourcePass) answerOfRow(c *Capture, r *source.Resource, row *Row) {
	r.Reason, r.MIME = first(r.Reason, row.Message), first(r.MIME, row.MIME)
	if row.answered() && r.Sent < 0 {
		r.Sent = row.Remote
	}
	if row.Via != "" {
		r.Via, _ = withScheme(row.Via)
	}
	r.Facts = addFact(r.Facts, "httrack-log", c.Log+", line "+strconv.FormatInt(row.Line, 10))
	r.Facts = addFact(r.Facts, "httrack-outcome", row.Outcome)
	r.Facts = addFact(r.Facts, "httrack-flags", strings.Trim(row.Flags, "-"))
	if etag, ok := strings.CutPrefix(row.Validator, "etag:"); ok {
		r.Facts = addFact(r.Facts, "etag", etag)
	}
}

// statusFrom returns the source of the status, in the order of Capture.Status.
func (t *resourcePass) statusFrom(c *Capture) string {
	switch {
	case c.Row != nil:
		return c.Log + ", line " + strconv.FormatInt(c.Row.Line, 10)
	case c.Entry != nil:
		return "X-StatusCode in " + c.Entry.Cache
	case c.Response != nil:
		return t.Mirror.path("hts-ioinfo.txt")
	}
	return "a message in the logs"
}

// addFact adds a known fact that is not yet there.
func addFact(facts []model.Field, name, value string) []model.Field {
	if value == "" {
		return facts
	}
	for _, f := range facts {
		if f.Name == name {
			return facts
		}
	}
	return append(facts, model.Field{Name: name, Value: value})
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// stray describes a file without a known URL.
func (t *resourcePass) stray(f model.SourceFile) *source.Resource {
	r := &source.Resource{File: f.Path, Saved: t.Mirror.within(f.Path), Size: f.Size, Sent: -1,
		Grade: source.OriginalFile, Body: t.fileBody(f.Path)}
	why := "URL: neither cache nor logs, a comment in the file or its path tells it"
	if c := t.Mirror.twins[f.Path]; c != nil {
		why = "URL: its comment says that of " + c.File +
			", which other witnesses name; whether it is an earlier state of it, nothing tells"
	}
	r.Why = append(r.Why, why)
	t.strayTime(r)
	if t.Mirror.unfinished {
		r.Grade, r.Truncated = source.Differing, "unspecified"
		r.Why = append(r.Why, "grade: the run broke off, and no source shows whether the file is complete")
		return r
	}
	if rewrites("", f.Path) {
		r.Rewritten, r.Grade = true, source.LinksReconstructed
		r.Why = append(r.Why, "grade: HTTrack rewrites files of this kind")
	} else {
		r.Why = append(r.Why, "grade: HTTrack does not rewrite files of this kind")
	}
	return r
}

// fileBody opens a file of the mirror.
func (t *resourcePass) fileBody(p string) source.Body {
	return func() (io.ReadCloser, error) { return t.Mirror.tree.Open(p) }
}
