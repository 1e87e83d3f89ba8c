package pages

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strconv"

	"quire/access/machines"
	"quire/holdings"
)

//go:embed templates static
var ownFiles embed.FS

// link is a text with a link, or without one if URL is empty.
type link struct{ Text, URL string }

// fact is a line of a list of facts.
type fact struct {
	Label  string
	Values []link
}

// figure is a number with its label.
type figure struct{ Label, Value string }

// card is an entry in a list.
type card struct {
	Title, URL, Text, Note string
	Thumb                  string // address of a thumbnail; "" for none
	Host, Captures         string // of a website; "" if unknown

	Locked bool
	Lock   string // class of readers; "" if open to all
}

// pager links the pages of a long list.
type pager struct{ Prev, Next, Words string }

// tab is a link to a main page; one of them is the current page.
type tab struct {
	link
	Here  bool
	Exact bool // the current page is this one, not one below it
}

// page is the data of the common page template.
type page struct {
	Name    string
	Title   string
	Class   holdings.Class
	Classes bool // the page names the reader's class
	Private bool // search engines should omit it
	Nav     []tab
	Feeds   []machines.Link // other forms of the page, in its head
	Crumbs  []link
	Tongues []tongue // languages of this page; empty if only one
	Body    any
}

// renderer holds the templates, in one language.
type renderer struct {
	pages map[string]*template.Template // by file name
	files map[string]file               // of /static/
}

// file is one of our own files; browsers may cache it.
type file struct {
	content []byte
	mime    string
	version string // changes with the content
}

// newRenderer parses the templates. They are embedded: the first test finds errors in them.
func newRenderer(s *site) (*renderer, error) {
	r := &renderer{pages: map[string]*template.Template{}, files: map[string]file{}}
	if err := r.readFiles(); err != nil {
		return nil, err
	}
	frame, err := template.New("").Funcs(r.functions(s)).ParseFS(ownFiles, "templates/layout.html",
		"templates/access.html")
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(ownFiles, "templates/*.html")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		t, err := frame.Clone()
		if err == nil {
			t, err = t.ParseFS(ownFiles, name)
		}
		if err != nil {
			return nil, err
		}
		r.pages[path.Base(name)] = t
	}
	return r, nil
}

func (r *renderer) readFiles() error {
	entries, err := ownFiles.ReadDir("static")
	if err != nil {
		return err
	}
	for _, e := range entries {
		content, err := ownFiles.ReadFile("static/" + e.Name())
		if err != nil {
			return err
		}
		sum := sha256.Sum256(content)
		r.files[e.Name()] = file{content: content, mime: typeOf(e.Name()),
			version: hex.EncodeToString(sum[:6])}
	}
	return nil
}

// functions returns the functions for templates.
func (r *renderer) functions(s *site) template.FuncMap {
	return template.FuncMap{
		"t": s.words.T, "num": s.words.Number,
		"language": s.words.Language, "direction": s.words.Direction,
		"home":     s.ui.Front,
		"weekdays": s.weekdays,
		"static":   func(name string) string { return s.ui.Static(name) + "?v=" + r.files[name].version },
	}
}

// write sends a page. It renders the page completely before it sends the first byte: so the client
// gets a full page or an error.
func (r *renderer) write(w http.ResponseWriter, status int, name string, p page) error {
	t := r.pages[name]
	if t == nil {
		return fmt.Errorf("no template %s", name)
	}
	var out bytes.Buffer
	if err := t.ExecuteTemplate(&out, "layout", p); err != nil {
		return fmt.Errorf("rendering the page %s: %w", name, err)
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(out.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(out.Bytes()) // the client may have gone
	return nil
}

// serveFile serves one of our own files.
func (r *renderer) serveFile(w http.ResponseWriter, req *http.Request, name string) bool {
	f, ok := r.files[name]
	if !ok {
		return false
	}
	h := w.Header()
	h.Set("Content-Type", f.mime)
	h.Set("ETag", `"`+f.version+`"`)
	h.Set("Cache-Control", "public, max-age=3600")
	if req.URL.Query().Get("v") == f.version {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if req.Header.Get("If-None-Match") == `"`+f.version+`"` {
		w.WriteHeader(http.StatusNotModified)
		return true
	}
	h.Set("Content-Length", strconv.Itoa(len(f.content)))
	_, _ = w.Write(f.content) // the client may have gone
	return true
}
