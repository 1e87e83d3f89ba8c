package plain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"slices"
	"strings"
	"time"

	"quire/internal/archivefs"
	"quire/internal/secret"
	"quire/model"
	"quire/source"
	"quire/source/internal/facts"
)

// Codes of findings about a folder of files.
const (
	CodePrefix = "SOURCE-URL-PREFIX" // the URLs are unknown: the user must give the prefix
	CodeScript = "SOURCE-SCRIPT"     // server-side programs: visitors never received these bytes
)

// harvest is a website in a folder.
type harvest struct {
	about  model.Harvest
	tree   *archivefs.Tree
	root   string
	prefix string
	starts map[string]bool // pages that represent their folder
}

var _ source.Mirror = (*harvest)(nil)

// About returns the facts; only the files are known.
func (h *harvest) About() *model.Harvest { return &h.about }

// Fetches yields nothing, because there is no log.
func (h *harvest) Fetches(context.Context, func(model.Finding)) iter.Seq2[model.Fetch, error] {
	return func(func(model.Fetch, error) bool) {}
}

func read(ctx context.Context, t *archivefs.Tree, root, prefix string, files []string) (source.Harvest, error) {
	h := &harvest{about: model.Harvest{System: model.PlainFolder, ID: t.NameOf(root),
		Documentation: model.Undocumented},
		tree: t, root: root, prefix: prefix, starts: startsOf(files)}
	f := facts.New(&h.about)
	var s survey
	for _, p := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := h.file(f, p, &s); err != nil {
			return nil, err
		}
	}
	h.addFacts(f, s)
	return h, nil
}

// survey has the facts from all files together.
type survey struct {
	scripts        int
	oldest, newest archivefs.File
}

func (s *survey) add(f archivefs.File) {
	if isScript(f.Path) {
		s.scripts++
	}
	if f.Modified.IsZero() {
		return
	}
	if s.oldest.Path == "" || f.Modified.Before(s.oldest.Modified) {
		s.oldest = f
	}
	if s.newest.Path == "" || f.Modified.After(s.newest.Modified) {
		s.newest = f
	}
}

// file adds a file with its role, and restricts the file if it is confidential.
func (h *harvest) file(f *facts.Facts, p string, s *survey) error {
	file := *h.tree.Find(p)
	role, holds := ownRole(h.within(p))
	key, err := holdsKey(h.tree, p)
	if err != nil {
		return err
	}
	if key {
		role, holds = model.RoleConfiguration, "a private key"
	}
	if role == "" {
		role = model.RoleContent
		s.add(file)
	}
	f.AddFile(model.SourceFile{Path: p, Size: file.Size, Role: role})
	if holds != "" && file.Size > 0 {
		f.Restrict(p, 0, "holds "+holds)
		return nil
	}
	return restrictText(h.tree, f, p)
}

// holdsKey reports whether a file named like a key contains a private key. Public certificates have
// such names too.
func holdsKey(t *archivefs.Tree, p string) (bool, error) {
	if ext := strings.ToLower(path.Ext(p)); ext != ".pem" && ext != ".key" {
		return false, nil
	}
	head, err := t.Head(p, headSize)
	return bytes.Contains(head, []byte("PRIVATE KEY-----")), err
}

// restrictText searches the likely files for cookies and for passwords in URLs.
func restrictText(t *archivefs.Tree, f *facts.Facts, p string) (err error) {
	look, what := secret.Text, "a password in a URL"
	switch {
	case path.Base(p) == "cookies.txt":
		look, what = secret.Cookies, "cookies, which may open somebody's session"
	case strings.HasSuffix("/"+p, "/.git/config") || strings.HasSuffix("/"+p, "/.hg/hgrc"):
	default:
		return nil
	}
	c, err := t.Open(p)
	if err != nil {
		return err
	}
	at, found, err := look(c)
	if found {
		f.Restrict(p, at, "holds "+what)
	}
	return errors.Join(err, c.Close())
}

// addFacts records the known facts, and reports the missing facts.
func (h *harvest) addFacts(f *facts.Facts, s survey) {
	f.Note("id", h.about.ID, "name of the folder")
	f.Note("url prefix", h.prefix, "the user")
	if h.prefix == "" {
		f.Find(CodePrefix, model.Warning, "", 0,
			"the base URL of these files is unknown: give it with --url-prefix URL%s", h.example())
	}
	if s.oldest.Path != "" {
		f.Note("oldest file", s.oldest.Modified.UTC().Format(time.RFC3339), "mtime of "+s.oldest.Path)
		f.Note("newest file", s.newest.Modified.UTC().Format(time.RFC3339), "mtime of "+s.newest.Path)
	}
	if s.scripts > 0 {
		f.Find(CodeScript, model.Warning, "", 0,
			"%d of the files are server-side programs: the pages sent to visitors are not among the files", s.scripts)
	}
	f.Note("documentation", string(model.Undocumented),
		"only files of a website lie here: no log, no configuration, no report")
}

// example returns the URL suggested by the name of the root.
func (h *harvest) example() string {
	name := h.tree.NameOf(h.root)
	if i := strings.LastIndexByte(name, '.'); i <= 0 || len(name)-i < 3 || strings.ContainsAny(name, " _/") {
		return ""
	}
	return fmt.Sprintf(", perhaps http://%s/", name)
}

// startsOf finds the start page of each folder.
func startsOf(files []string) map[string]bool {
	best := map[string]string{} // by folder
	order := func(p string) int { return slices.Index(startPages, strings.ToLower(path.Base(p))) }
	for _, p := range files {
		if at := order(p); at >= 0 {
			if other := best[path.Dir(p)]; other == "" || at < order(other) {
				best[path.Dir(p)] = p
			}
		}
	}
	starts := map[string]bool{}
	for _, p := range best {
		starts[p] = true
	}
	return starts
}

// within returns the path below the root.
func (h *harvest) within(p string) string {
	if h.root == "." {
		return p
	}
	return strings.TrimPrefix(p, h.root+"/")
}

// Artefacts returns the files that systems and tools left among the content.
func (h *harvest) Artefacts() []model.SourceFile {
	return slices.DeleteFunc(slices.Clone(h.about.Files), func(f model.SourceFile) bool {
		return f.Role == model.RoleContent
	})
}

// Resources yields each file, sorted by path.
func (h *harvest) Resources(ctx context.Context, _ func(model.Finding)) iter.Seq2[*source.Resource, error] {
	return func(yield func(*source.Resource, error) bool) {
		for _, f := range h.about.Files {
			if f.Role != model.RoleContent {
				continue
			}
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			if !yield(h.resource(f), nil) {
				return
			}
		}
	}
}

// resource describes one file.
func (h *harvest) resource(f model.SourceFile) *source.Resource {
	below := h.within(f.Path)
	r := &source.Resource{File: f.Path, Saved: below, Size: f.Size, Sent: -1, Grade: source.OriginalFile,
		Body: func() (io.ReadCloser, error) { return h.tree.Open(f.Path) },
		Why:  []string{"file: " + f.Path, "grade: no crawler is known that would have changed it"}}
	if at := h.tree.Find(f.Path).Modified; !at.IsZero() {
		r.Time, r.TimeFrom = at.UTC(), "mtime of the file"
	}
	if mime := mediaTypes[strings.ToLower(path.Ext(below))]; mime != "" {
		r.MIME = mime
		r.Why = append(r.Why, "media type: assumed from the name of the file; no server is known that declared one")
	}
	if h.prefix == "" {
		return r
	}
	r.URL, r.Assumed = h.prefix+escape(below), "all of it: the prefix that the user gave, and the path of the file"
	if h.starts[f.Path] {
		dir, _ := path.Split(below)
		r.URL = h.prefix + escape(dir)
		r.Assumed += "; that " + path.Base(below) + " stands for its folder"
	}
	r.Why = append(r.Why, "URL: prefix and path")
	return r
}
