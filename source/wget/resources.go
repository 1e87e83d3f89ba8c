package wget

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
)

// Resources yields each URL once: first the URLs of the logs, in their order, then the files
// without a log entry.
func (m *mirror) Resources(ctx context.Context, report func(model.Finding)) iter.Seq2[*source.Resource, error] {
	return func(yield func(*source.Resource, error) bool) {
		t := &resourcePass{mirror: m, report: report, open: map[string]archivefs.Content{}}
		for _, c := range m.captures {
			if err := ctx.Err(); err != nil {
				yield(nil, errors.Join(err, t.close()))
				return
			}
			r, err := t.resource(c)
			if !yield(r, err) || err != nil {
				_ = t.close() // opened for reading only
				return
			}
		}
		if err := t.close(); err != nil {
			yield(nil, err)
		}
	}
}

// resourcePass keeps the logs open, because they have the heads of responses.
type resourcePass struct {
	*mirror
	report func(model.Finding)
	open   map[string]archivefs.Content
	last   time.Time // newest mtime; zero if not yet known
}

func (t *resourcePass) close() error {
	var errs []error
	for _, c := range t.open {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// resource combines the facts about a URL.
func (t *resourcePass) resource(c *capture) (*source.Resource, error) {
	r := &source.Resource{URL: c.url, Assumed: strings.Join(c.assumed, "; "), Saved: c.saved, Sent: -1,
		Grade: source.Lost, File: c.file, Why: slices.Clone(c.why)}
	var head []byte
	if a := c.by; a != nil {
		var err error
		if head, err = t.head(c); err != nil {
			return nil, err
		}
		t.logged(r, c, head)
	}
	if c.copyOf != nil {
		r.Why = append(r.Why, "the file holds what the redirect led to, "+c.copyOf.url+", which has a file of its own")
		return r, nil
	}
	if c.file == "" {
		return r, nil
	}
	return r, t.body(r, c, head)
}

// logged adds the facts from the log.
func (t *resourcePass) logged(r *source.Resource, c *capture, head []byte) {
	a, l := c.by, c.log
	r.Status, r.Reason, r.Location, r.MIME = a.Status, a.Reason, a.Location, a.MIME
	if a.Kept {
		r.Status, r.Reason = 0, "" // of a response that was not accepted
	}
	if a.Saved && a.Got >= 0 {
		r.Sent = a.Got
	}
	if a.concluded() {
		r.Status = http.StatusOK
		r.Why = append(r.Why, "the status is concluded: it was saved")
	}
	if a.Problem != "" {
		r.Facts = append(r.Facts, model.Field{Name: "problem", Value: withoutUser(a.Problem)})
	}
	r.Why = append(r.Why, fmt.Sprintf("line %d of %s", a.Line, l.Path))
	if at, leeway, from, ok := l.clock.estimate(later(a)); ok && !a.Kept {
		r.Time, r.Leeway, r.TimeFrom = at, leeway, "the log; "+from
	}
	if head == nil {
		return
	}
	t.headed(r, head, "the head of the answer in "+l.Path)
	s := a.Head
	r.Response = func() ([]byte, error) { return t.mirror.headIn(l.Path, s) }
	if q := a.Request; q.From < q.To {
		r.Request = func() ([]byte, error) { return t.mirror.headIn(l.Path, q) }
	}
}

// headed adds the facts from the head of a response.
func (t *resourcePass) headed(r *source.Resource, head []byte, from string) {
	if v := headerOf(head, "Content-Type"); v != "" {
		r.MIME = v
	}
	if m := lineStatus.FindSubmatch(firstLine(head)); m != nil && r.Status == 0 {
		r.Status, r.Reason = int(number(string(m[1]))), string(m[2])
	}
	if date, err := http.ParseTime(headerOf(head, "Date")); err == nil {
		r.Time, r.Leeway, r.TimeFrom = date.UTC(), 0, "header Date in "+from
	}
	for line := range bytes.SplitSeq(head, []byte("\n")) {
		if name, value, ok := bytes.Cut(line, []byte(":")); ok {
			r.Facts = append(r.Facts, model.Field{Name: string(bytes.TrimSpace(name)),
				Value: string(bytes.TrimSpace(value))})
		}
	}
}

// body finds the remaining bytes, and grades them.
func (t *resourcePass) body(r *source.Resource, c *capture, head []byte) error {
	from := c.file
	if b := t.backups[c.file]; b != "" {
		from = b
		r.From, r.Copy = b, func() (io.ReadCloser, error) { return t.tree.Open(c.file) }
		r.Why = append(r.Why, b+" keeps the bytes as they came")
	}
	begin, err := t.tree.Head(from, headSize)
	if err != nil {
		return err
	}
	file := t.tree.Find(from)
	skip := int64(0)
	if t.mirror.headed {
		skip = int64(headEnd(begin))
	}
	if skip > 0 {
		inside := begin[:skip]
		t.headed(r, inside, "the head with which the file begins")
		r.Why = append(r.Why, "the file begins with the head of the answer (--save-headers)")
		r.Response = func() ([]byte, error) { return inside, nil }
		begin = begin[skip:]
	}
	r.Size = file.Size - skip
	r.Body = func() (io.ReadCloser, error) { return openFrom(t.tree, from, skip) }
	t.times(r, c, file, head != nil || skip > 0)
	t.grade(r, c, from != c.file, skip > 0, begin)
	t.complete(r, c.by, from)
	return nil
}

// complete compares the size of the body with the log. A body that broke off, or has another size,
// is not the one that the server sent.
func (t *resourcePass) complete(r *source.Resource, a *attempt, from string) {
	var problem string
	doubt := cmp.Or(t.contested[from], t.contested[r.File])
	switch {
	case doubt != "":
		problem = doubt
	case a != nil && a.Second && a.Saved && a.Length >= 0 && a.Length != r.Size && !r.Rewritten:
		problem = fmt.Sprintf("it has %d bytes, and the server announced %d", r.Size, a.Length)
	case a != nil && a.partial():
		r.Sent, r.Truncated = a.Length, "disconnect"
		problem = fmt.Sprintf("it has %d bytes of a response that broke off: the log has %q", r.Size,
			withoutUser(a.Problem))
		if a.Length >= 0 {
			problem = fmt.Sprintf("it has %d bytes of a response that broke off; the server announced %d: the log "+
				"has %q", r.Size, a.Length, withoutUser(a.Problem))
		}
	case a == nil && !r.Rewritten && t.writtenInRun(from):
		r.Truncated = "unspecified"
		problem = fmt.Sprintf("it has %d bytes, was written during the run, and no line of the log lists it as saved: "+
			"it may have broken off", r.Size)
	case r.Sent >= 0 && r.Sent != r.Size && !r.Rewritten && !compressed(r):
		problem = fmt.Sprintf("it has %d bytes, but the log reports %d", r.Size, r.Sent)
	default:
		if a != nil && a.Saved && a.Length < 0 {
			r.Why = append(r.Why, "the log has no length, and cannot show whether the body is whole")
		}
		return
	}
	r.Grade = source.Differing
	r.Why = append(r.Why, "grade: "+problem)
	if t.report != nil {
		t.report(model.Finding{Code: findSize, Severity: model.Warning, Path: from, Message: problem})
	}
}

// writtenInRun reports whether a file was written while a run wrote its log. A log that is not verbose
// (-nv) has no line about a response that broke off.
func (t *resourcePass) writtenInRun(p string) bool {
	at := t.tree.Find(p).Modified
	for i := range t.logs {
		l := &t.logs[i]
		begin, known := l.clock.utc(l.journal.First)
		end, ended := l.clock.utc(l.journal.Finished)
		if known && ended && !at.Before(begin.Add(-seconds)) && at.Before(end.Add(time.Second)) { // whole seconds
			return true
		}
	}
	return false
}

// compressed reports whether the response had a content coding, which Wget removes by option.
func compressed(r *source.Resource) bool {
	for _, f := range r.Facts {
		if strings.EqualFold(f.Name, "Content-Encoding") {
			return true
		}
	}
	return false
}

// times uses the file's mtime if no better source exists, and records its meaning as far as known.
func (t *resourcePass) times(r *source.Resource, c *capture, file *archivefs.File, headed bool) {
	if file.Modified.IsZero() {
		return
	}
	if inFuture(file.Modified) {
		r.Facts = append(r.Facts, model.Field{Name: "Last-Modified",
			Value: file.Modified.UTC().Format(http.TimeFormat)})
		r.Why = append(r.Why, "the mtime of the file lies in the future, and is no time of the download")
		return
	}
	if r.Time.IsZero() {
		r.Time, r.Leeway = file.Modified.UTC(), max(dayLong, t.newest().Sub(file.Modified))
		r.TimeFrom = "mtime of " + file.Path + ", which is the server's Last-Modified if it sent one, otherwise the " +
			"time of the download; the file was captured at that time or later"
		return
	}
	apart := r.Time.Sub(file.Modified).Abs()
	if apart > r.Leeway+2*time.Minute && !headed && c.by != nil && !c.by.Kept {
		r.Facts = append(r.Facts, model.Field{Name: "Last-Modified",
			Value: file.Modified.UTC().Format(http.TimeFormat)})
		r.Why = append(r.Why, "Last-Modified is the mtime of the file, which is not the time of the download")
	}
}

// dayLong is the least possible error of a time that may be the server's Last-Modified.
const dayLong = 24 * time.Hour

// newest returns the newest mtime of the mirror: its end, or before.
func (t *resourcePass) newest() time.Time {
	if t.last.IsZero() {
		for _, f := range t.about.Files {
			if at := t.tree.Find(f.Path).Modified; at.After(t.last) && !inFuture(at) {
				t.last = at
			}
		}
	}
	return t.last
}

// inFuture reports whether a time is later than today: servers send such values of Last-Modified.
func inFuture(at time.Time) bool { return time.Until(at) > dayLong }

// grade returns how closely the bytes match those that the server sent.
func (t *resourcePass) grade(r *source.Resource, c *capture, backup, headed bool, begin []byte) {
	why := func(s string) { r.Why = append(r.Why, s) }
	turned, told := t.turned[c.file]
	r.Grade = source.OriginalFile
	switch {
	case backup:
		r.Grade = source.OriginalEntity
	case told && turned:
		r.Grade, r.Rewritten = source.LinksReconstructed, true
		why("the log says that links were converted, and there is no backup")
	case told:
		why("the log says that there were no links to convert")
	case !convertible(c.file, r.MIME, begin):
		why("of a kind in which no links are converted")
	case t.changes.state == changed:
		why("links were converted elsewhere, and not here: " + t.changes.why)
	case t.changes.state == unchanged:
		why("links were " + t.changes.why + ": " + t.changes.from)
	default:
		r.Grade, r.Rewritten = source.LinksReconstructed, true
		why("no source shows whether links were converted, and there is no backup")
	}
	if headed && !r.Rewritten {
		r.Grade = source.OriginalEntity
	}
}

// head reads the head of a response from its log.
func (t *resourcePass) head(c *capture) ([]byte, error) {
	s := c.by.Head
	if s.From >= s.To || c.by.Kept {
		return nil, nil
	}
	in := t.open[c.log.Path]
	if in == nil {
		var err error
		if in, err = t.tree.Open(c.log.Path); err != nil {
			return nil, err
		}
		t.open[c.log.Path] = in
	}
	return readHead(in, s)
}

// headIn returns a head in a log: as received in a debug log; otherwise with the line ends of the
// log, because -S shows no others.
func (m *mirror) headIn(p string, s span) ([]byte, error) {
	in, err := m.tree.Open(p)
	if err != nil {
		return nil, err
	}
	head, err := readHead(in, s)
	return head, errors.Join(err, in.Close())
}

func readHead(in io.ReaderAt, s span) ([]byte, error) {
	b := make([]byte, min(s.To-s.From, maxHead))
	if _, err := in.ReadAt(b, s.From); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if s.Exact {
		return b, nil
	}
	var head []byte
	for line := range bytes.SplitAfterSeq(b, []byte("\n")) {
		line = bytes.TrimLeft(line, " ")
		if n := bytes.IndexByte(line, ' '); n > 0 && n < 4 && bytes.Trim(line[:n], "0123456789") == nil {
			line = line[n+1:] // versions until 1.9 number the lines
		}
		head = append(head, line...)
	}
	return append(head, '\n'), nil
}

// openFrom opens a file after its head.
func openFrom(t *archivefs.Tree, p string, skip int64) (io.ReadCloser, error) {
	c, err := t.Open(p)
	if err != nil {
		return nil, err
	}
	if _, err := c.Seek(skip, io.SeekStart); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}
