package mirror

import (
	"fmt"
	"io"
	"path"
	"strings"

	"quire/model"
	"quire/preserve/convert/relink"
	"quire/source"
)

// turner turns the links of a page back.
type turner func(dst io.Writer, src io.Reader, p relink.Page) (relink.Result, error)

// note describes the changes to a page.
func note(r *relink.Result) string {
	s := fmt.Sprintf("%d of %d links turned back, %d left as they are because nothing tells where they led, %d "+
		"insertions of the crawler removed; links reconstructed, not original bytes",
		r.Changed, r.Links, r.Unresolved, r.Insertions)
	if r.LateBase {
		s += "; a base element stands behind links that were resolved without it"
	}
	return s
}

// links maps each file of the mirror to its URL, for links that lead to the file.
type links struct {
	byPath map[string]target
}

type target struct {
	url  string
	kept bool
}

func (l *links) lookup(path string) (string, bool) {
	t, ok := l.byPath[path]
	return t.url, ok
}

// collectLinks reads the mirror once before the conversion, if there are links to turn back. If
// several URLs have the same path, it uses the URL of the bytes at that path.
func (c *conversion) collectLinks() error {
	if style(c.mirror) == source.StyleNone {
		return nil
	}
	c.links.byPath = map[string]target{}
	needed := false
	for r, err := range c.mirror.Resources(c.ctx, nil) {
		if err == nil {
			err = c.ctx.Err()
		}
		if err != nil {
			return err
		}
		needed = needed || r.Rewritten
		if r.Saved == "" || r.URL == "" {
			continue
		}
		if t, ok := c.links.byPath[r.Saved]; !ok || !t.kept && r.Body != nil {
			c.links.byPath[r.Saved] = target{r.URL, r.Body != nil}
		}
	}
	if !needed {
		c.links.byPath = nil
	}
	return nil
}

// turnBack turns the links of a page back. If no link needs it and the size is the one that the
// server sent, the page is unchanged. A link that the crawler pointed to a file would still lead
// there, and a link that it made absolute would make the page longer.
func (c *conversion) turnBack(p *present) error {
	c.turned.Cut(0)
	kind := pageType(p)
	if kind == "" {
		return c.script(p)
	}
	dst := &watchedWriter{w: &c.turned}
	page := relink.Page{File: p.place(), URL: p.URL, MIME: kind, Style: styles[style(c.mirror)], Lookup: c.links.lookup}
	if f, ok := c.mirror.(source.Footed); ok {
		page.Footer = f.Footer()
	}
	t, err := c.o.turn(dst, c.body.Reader(), page)
	switch {
	case dst.err != nil:
		return fmt.Errorf("holding a page with links to turn back: %w", dst.err)
	case err != nil:
		c.find(model.Finding{Code: CodeLinks, Severity: model.Warning, Path: p.File,
			Message: fmt.Sprintf("the links of the file cannot be restored: %v", err)})
		p.regrade(source.Differing, "links: they cannot be turned back; the file is as the crawler left it")
	case t.Changed == 0 && t.Unresolved == 0 && t.Insertions == 0 && p.Sent == p.size && !p.damaged:
		p.regrade(source.OriginalFile, "grade: there is nothing to be turned back in it, and its size is what was sent")
	default:
		p.turned, p.Grade = &t, source.LinksReconstructed
	}
	return nil
}

// regrade states that the bytes are after all the bytes served for the URL.
func (p *present) regrade(g source.Grade, why string) {
	p.Rewritten, p.Grade = false, g
	p.Why = append(p.Why[:len(p.Why):len(p.Why)], why)
}

// place returns the path of the file within the mirror. The links in the file are relative to this
// path.
func (p *present) place() string {
	if p.Saved != "" {
		return p.Saved
	}
	return p.File
}

// styles maps the styles in package source to the styles in package relink.
var styles = map[source.Style]relink.Style{source.StyleHTTrack: relink.HTTrack, source.StyleWget: relink.Wget}

// pageType returns the type that decides how links are found. It returns "" if the page is neither
// HTML nor CSS. A page may have been served with another type; if the crawler identified it as
// HTML, it has an HTML file name.
func pageType(p *present) string {
	known := p.MIME
	if known == "" {
		known = p.identified
	}
	declared, parameters, _ := strings.Cut(known, ";")
	declared = strings.ToLower(strings.TrimSpace(declared))
	switch ext := strings.ToLower(path.Ext(p.File)); {
	case declared == "text/html", declared == "application/xhtml+xml", declared == "text/css",
		declared == "image/svg+xml":
		return known
	case ext == ".html" || ext == ".htm" || declared == "" &&
		(ext == ".php" || ext == ".asp" || ext == ".shtml" || ext == ".jsp" || ext == ".cfm"):
		if parameters != "" {
			parameters = ";" + parameters
		}
		return "text/html" + parameters
	case ext == ".css" && declared == "":
		return "text/css"
	case ext == ".svg" && declared == "", declared == "image/svg-xml":
		return "image/svg+xml"
	}
	return ""
}

// watchedWriter keeps write errors.
type watchedWriter struct {
	w   io.Writer
	err error
}

// Write implements io.Writer.
func (w *watchedWriter) Write(b []byte) (int, error) {
	n, err := w.w.Write(b)
	if err != nil {
		w.err = err
	}
	return n, err
}
