package saved

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"strings"
	"time"

	"quire/model"
	"quire/source"
	"quire/source/internal/facts"
)

// CodeSaved is the code of a finding about a saved page that cannot be read wholly.
const CodeSaved = "SOURCE-SAVED"

// harvest has saved pages.
type harvest struct {
	about   model.Harvest
	pages   *pages
	archive *archive // of an MHTML file
}

var _ source.Mirror = (*harvest)(nil)

// About returns the facts that the pages state.
func (h *harvest) About() *model.Harvest { return &h.about }

// Fetches yields nothing, because a browser writes no log.
func (h *harvest) Fetches(context.Context, func(model.Finding)) iter.Seq2[model.Fetch, error] {
	return func(func(model.Fetch, error) bool) {}
}

// read reads the pages, and an MHTML file once.
func (p *pages) read(ctx context.Context) (source.Harvest, error) {
	h := &harvest{pages: p, about: model.Harvest{System: model.SavedPages, ID: p.tree.NameOf(p.folder),
		Documentation: model.Undocumented}}
	f := facts.New(&h.about)
	f.Note("documentation", string(model.Undocumented), "a person saved these pages: there is no log")
	if p.archive != "" {
		return h, h.readArchive(f)
	}
	for _, s := range p.pages {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f.AddFile(model.SourceFile{Path: s.path, Size: p.tree.Find(s.path).Size, Role: model.RoleContent})
		f.Set(&h.about.Software, "software", s.tool, "comment in "+s.path)
		h.span(f, s.time, "comment in "+s.path)
		if isWeb(s.url) {
			f.AddSeedOf(s.url, "comment in "+s.path)
		} else {
			f.Find(CodeSaved, model.Warning, s.path, 0, "the page states no URL of the web: %.200q", s.url)
		}
	}
	return h, nil
}

// span extends the time of the harvest.
func (h *harvest) span(f *facts.Facts, at time.Time, from string) {
	if at.IsZero() {
		return
	}
	if h.about.Start.IsZero() || at.Before(h.about.Start) {
		h.about.Start = at
		f.Note("start", at.Format(time.RFC3339), from)
	}
	if at.After(h.about.End) {
		h.about.End = at
		f.Note("end", at.Format(time.RFC3339), from)
	}
}

func (h *harvest) readArchive(f *facts.Facts) (err error) {
	name := h.pages.archive
	h.about.ID = strings.TrimSuffix(path.Base(name), path.Ext(name))
	f.AddFile(model.SourceFile{Path: name, Size: h.pages.tree.Find(name).Size, Role: model.RoleArtefact})
	in, err := h.pages.tree.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	a, err := readArchive(in)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	h.archive = a
	header := "header of " + name
	f.Set(&h.about.Software, "software", a.maker, header)
	f.Set(&h.about.Title, "title", a.title, "Subject in the "+header)
	h.span(f, a.time, "Date in the "+header)
	if isWeb(a.url) {
		f.AddSeedOf(a.url, header)
	}
	if a.cut {
		f.Find(CodeSaved, model.Warning, name, 0, "the file ends before its last boundary: its last part may be cut")
	}
	if a.more {
		f.Find(CodeSaved, model.Warning, name, 0, "only the first %d parts are read", maxParts)
	}
	return nil
}

func isWeb(url string) bool {
	lower := strings.ToLower(url)
	return strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://")
}

// Artefacts returns the MHTML file: its parts are the content.
func (h *harvest) Artefacts() []model.SourceFile {
	if h.archive == nil {
		return nil
	}
	return h.about.Files
}

// Resources yields the pages, or the parts of the MHTML file. A part that repeats the URL of an earlier
// one is a frame or a style of the browser: it stays in the file, and a finding counts it.
func (h *harvest) Resources(ctx context.Context, report func(model.Finding)) iter.Seq2[*source.Resource, error] {
	return func(yield func(*source.Resource, error) bool) {
		if h.archive != nil {
			h.parts(ctx, report, yield)
			return
		}
		for i := range h.pages.pages {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			if !yield(h.page(&h.pages.pages[i]), nil) {
				return
			}
		}
	}
}

func (h *harvest) page(p *savedFile) *source.Resource {
	t := h.pages.tree
	r := &source.Resource{File: p.path, Saved: path.Base(p.path), Size: t.Find(p.path).Size, Sent: -1,
		MIME: "text/html", Grade: source.Differing, Body: func() (io.ReadCloser, error) { return t.Open(p.path) },
		Why: []string{"file: " + p.path,
			"grade: " + p.tool + " writes the page as the browser shows it, with all that it embeds",
			"media type: " + p.tool + " saves pages of HTML"}}
	if isWeb(p.url) {
		r.URL = p.url
		r.Why = append(r.Why, "URL: comment of "+p.tool)
	}
	r.Time, r.TimeFrom = p.time, "comment of "+p.tool
	if at := t.Find(p.path).Modified; p.time.IsZero() && !at.IsZero() {
		r.Time, r.TimeFrom = at.UTC(), "mtime of the file"
	}
	if r.Time.IsZero() {
		r.TimeFrom = ""
	}
	return r
}

func (h *harvest) parts(ctx context.Context, report func(model.Finding), yield func(*source.Resource, error) bool) {
	in, err := h.pages.tree.Open(h.pages.archive)
	if err != nil {
		yield(nil, err)
		return
	}
	defer func() { _ = in.Close() }() // it was only read
	seen, left := map[string]bool{}, 0
	for i := range h.archive.parts {
		if err := ctx.Err(); err != nil {
			yield(nil, err)
			return
		}
		p := &h.archive.parts[i]
		if !isWeb(p.url) || seen[p.url] {
			left++
			continue
		}
		seen[p.url] = true
		if !yield(h.part(in, p, i+1), nil) {
			return
		}
	}
	if left > 0 {
		report(model.Finding{Code: CodeSaved, Severity: model.Info, Path: h.pages.archive,
			Message: fmt.Sprintf("%d of %d parts have no URL of their own on the web, such as frames and styles that "+
				"the browser wrote: they stay in the file", left, len(h.archive.parts))})
	}
}

// part describes a part. All bodies are read from one opened file, in their order: a file in an archive
// is inflated from its beginning when it is opened. The decoded size is not known before.
func (h *harvest) part(in io.ReadSeeker, p *part, number int) *source.Resource {
	name := h.pages.archive
	r := &source.Resource{URL: p.url, Sent: -1, MIME: p.mime, Grade: source.OriginalEntity,
		Body: func() (io.ReadCloser, error) { return p.open(in) },
		Why:  []string{fmt.Sprintf("URL: Content-Location of part %d of %s", number, name)}}
	if p.isPage() {
		r.Grade = source.Differing
		r.Why = append(r.Why, "grade: the browser writes pages and styles as it shows them")
	} else {
		r.Why = append(r.Why, "grade: the browser stores the body as it was sent")
	}
	if p.isPlain() {
		r.Size = p.to - p.from
	}
	if last := number == len(h.archive.parts); last && h.archive.cut {
		r.Truncated = "unspecified"
	}
	if !h.archive.time.IsZero() {
		r.Time, r.TimeFrom = h.archive.time, "Date in the header of "+name
	}
	return r
}
