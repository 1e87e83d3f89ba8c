package plain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
)

// Reader finds undocumented websites.
type Reader struct {
	// Taken reports whether a folder has files of another harvest. Such a folder is not a website.
	// Taken may be nil.
	Taken func(folder string) bool

	prefix string
}

var _ source.Reader = Reader{}

// New returns a Reader of folders with that base URL, or "" if unknown.
func New(prefix string) (Reader, error) {
	prefix, err := parsePrefix(prefix)
	return Reader{prefix: prefix}, err
}

// Name returns "plain-folder".
func (Reader) Name() string { return string(model.PlainFolder) }

// Find claims the whole source as a website if the user gives its URL. Otherwise it claims the
// outermost folders that look like one: with a start page, or with several pages and no other
// explanation.
func (r Reader) Find(ctx context.Context, t *archivefs.Tree) ([]source.Claim, error) {
	if r.prefix != "" {
		return r.all(t), nil
	}
	pages, err := pages(ctx, t)
	if err != nil {
		return nil, err
	}
	roots := r.roots(pages) // with the reasons
	var claims []source.Claim
	for root, why := range roots {
		if inAnother(root, roots) {
			continue
		}
		claims = append(claims, r.claim(t, root, why))
	}
	slices.SortFunc(claims, func(a, b source.Claim) int { return strings.Compare(a.Root, b.Root) })
	return claims, nil
}

// all claims the whole source as a website, because the user gave its URL.
func (r Reader) all(t *archivefs.Tree) []source.Claim {
	if len(t.Files()) == 0 {
		return nil
	}
	return []source.Claim{r.claim(t, ".", "it stood at "+r.prefix+", as the user says")}
}

func (r Reader) claim(t *archivefs.Tree, root, why string) source.Claim {
	var files []string
	for _, f := range t.Files() {
		if root == "." || strings.HasPrefix(f.Path, root+"/") {
			files = append(files, f.Path)
		}
	}
	return source.Claim{Reader: r.Name(), Root: root, Why: []string{why}, Files: files,
		Read: func(ctx context.Context) (source.Harvest, error) { return read(ctx, t, root, r.prefix, files) }}
}

// pages lists the pages. A file with the name of a page is a page only if its content looks like
// HTML.
func pages(ctx context.Context, t *archivefs.Tree) ([]string, error) {
	var all []string
	for _, f := range t.Files() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !isPage(f.Path) {
			continue
		}
		html, err := holdsHTML(t, f.Path)
		if err != nil {
			return nil, err
		}
		if html {
			all = append(all, f.Path)
		}
	}
	return all, nil
}

// enough is the number of pages that makes a folder without a start page a website.
const enough = 3

// roots finds the folders with a start page, and other folders with enough pages; each with the
// reason.
func (r Reader) roots(pages []string) map[string]string {
	roots := map[string]string{}
	for _, p := range pages {
		if dir := path.Dir(p); slices.Contains(startPages, strings.ToLower(path.Base(p))) && !r.taken(dir) {
			roots[dir] = p + " is a start page without a log or configuration"
		}
	}
	count := map[string]int{}
	for _, p := range pages {
		if roots[path.Dir(p)] != "" || inAnother(path.Dir(p), roots) {
			continue
		}
		for dir := path.Dir(p); ; dir = path.Dir(dir) {
			if count[dir]++; dir == "." {
				break
			}
		}
	}
	for dir, n := range count {
		if n >= enough && !r.taken(dir) {
			roots[dir] = fmt.Sprintf("%d pages are in the folder and below, without a log or configuration", n)
		}
	}
	return roots
}

func (r Reader) taken(folder string) bool { return r.Taken != nil && r.Taken(folder) }

// inAnother reports whether a folder is within another root.
func inAnother(root string, roots map[string]string) bool {
	for dir := root; dir != "."; {
		dir = path.Dir(dir)
		if roots[dir] != "" {
			return true
		}
	}
	return false
}

// headSize is the number of bytes read from a page.
const headSize = 2 << 10

// holdsHTML reports whether a file begins like a page. A damaged page does not count.
func holdsHTML(t *archivefs.Tree, p string) (bool, error) {
	b, err := t.Head(p, headSize)
	var machine *fs.PathError
	if errors.As(err, &machine) {
		return false, err
	}
	b = bytes.ToLower(bytes.ReplaceAll(b, []byte{0}, nil)) // in UTF-16, each letter has a zero byte
	for _, mark := range []string{"<!doctype", "<html", "<head", "<body", "<title", "<frameset", "<?php", "<%",
		"<table", "<p>", "<h1"} {
		if bytes.Contains(b, []byte(mark)) {
			return true, nil
		}
	}
	return false, nil
}
