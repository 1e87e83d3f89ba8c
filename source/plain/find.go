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

// Reader finds websites that nothing documents.
type Reader struct {
	// Taken says of a folder whether something in it belongs to another harvest. Such a folder is
	// no website. It may be nil.
	Taken func(folder string) bool

	prefix string
}

var _ source.Reader = Reader{}

// New makes a Reader of folders that stood at that URL; "" when nobody knows.
func New(prefix string) (Reader, error) {
	prefix, err := parsePrefix(prefix)
	return Reader{prefix: prefix}, err
}

// Name is "plain-folder".
func (Reader) Name() string { return string(model.PlainFolder) }

// Find takes the whole source for a website when the user says where it stood. Otherwise the
// outermost folders that look like one: with a start page, or with several pages and nothing else
// that explains them.
func (r Reader) Find(ctx context.Context, t *archivefs.Tree) ([]source.Claim, error) {
	if r.prefix != "" {
		return r.all(t), nil
	}
	pages, err := pages(ctx, t)
	if err != nil {
		return nil, err
	}
	roots := r.roots(pages) // with what tells them
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

// all takes everything for a website, because the user said so.
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

// pages lists the pages. A name is believed when the content looks like HTML.
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

// enough pages make a website of a folder without a start page.
const enough = 3

// roots finds the folders with a start page, and those with enough pages that lie in none of these;
// each with what tells it.
func (r Reader) roots(pages []string) map[string]string {
	roots := map[string]string{}
	for _, p := range pages {
		if dir := path.Dir(p); slices.Contains(startPages, strings.ToLower(path.Base(p))) && !r.taken(dir) {
			roots[dir] = p + " is a start page, and no log or configuration tells how it came"
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
			roots[dir] = fmt.Sprintf("%d pages lie there and below, and no log or configuration tells how they came", n)
		}
	}
	return roots
}

func (r Reader) taken(folder string) bool { return r.Taken != nil && r.Taken(folder) }

// inAnother says whether a folder lies within another root.
func inAnother(root string, roots map[string]string) bool {
	for dir := root; dir != "."; {
		dir = path.Dir(dir)
		if roots[dir] != "" {
			return true
		}
	}
	return false
}

// headSize is how much of a page is looked at.
const headSize = 2 << 10

// holdsHTML looks for what pages begin with. A page that is damaged is none.
func holdsHTML(t *archivefs.Tree, p string) (bool, error) {
	b, err := t.Head(p, headSize)
	var machine *fs.PathError
	if errors.As(err, &machine) {
		return false, err
	}
	b = bytes.ToLower(bytes.ReplaceAll(b, []byte{0}, nil)) // UTF-16 has a zero beside each letter
	for _, mark := range []string{"<!doctype", "<html", "<head", "<body", "<title", "<frameset", "<?php", "<%",
		"<table", "<p>", "<h1"} {
		if bytes.Contains(b, []byte(mark)) {
			return true, nil
		}
	}
	return false, nil
}
