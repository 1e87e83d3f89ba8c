package saved

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
)

// Reader finds saved pages.
type Reader struct{}

var _ source.Reader = Reader{}

// Name returns "saved-pages".
func (Reader) Name() string { return string(model.SavedPages) }

// Find claims the saved pages of each folder as a harvest. An MHTML file is a harvest of its own, and
// so is a page whose URL the folder has twice: it was saved at another time.
func (r Reader) Find(ctx context.Context, t *archivefs.Tree) ([]source.Claim, error) {
	var all []*pages
	times := map[[2]string]int{}    // by folder and URL: how often the folder has it
	known := map[folderNth]*pages{} // the harvests with single pages
	for _, f := range t.Files() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		kind, p, err := kindOf(t, f.Path)
		if err != nil {
			return nil, err
		}
		switch kind {
		case savedArchive:
			all = append(all, &pages{tree: t, folder: path.Dir(f.Path), archive: f.Path})
		case savedPage:
			dir := path.Dir(f.Path)
			nth := folderNth{dir, times[[2]string{dir, p.url}]}
			times[[2]string{dir, p.url}]++
			if known[nth] == nil {
				known[nth] = &pages{tree: t, folder: dir}
				all = append(all, known[nth])
			}
			known[nth].pages = append(known[nth].pages, savedFile{f.Path, p})
		}
	}
	var claims []source.Claim
	for _, p := range all {
		claims = append(claims, source.Claim{Reader: r.Name(), Root: p.folder, Why: []string{p.why()}, Files: p.files(),
			Read: func(ctx context.Context) (source.Harvest, error) { return p.read(ctx) }})
	}
	return claims, nil
}

// pages are the files of a harvest: an MHTML file, or pages of one folder.
type pages struct {
	tree    *archivefs.Tree
	folder  string
	archive string
	pages   []savedFile
}

// folderNth is the harvest of a folder with the pages whose URL comes there for the nth time.
type folderNth struct {
	folder string
	nth    int
}

// savedFile is a file with one page.
type savedFile struct {
	path string
	page
}

func (p *pages) files() []string {
	if p.archive != "" {
		return []string{p.archive}
	}
	var all []string
	for _, f := range p.pages {
		all = append(all, f.path)
	}
	return all
}

func (p *pages) why() string {
	switch {
	case p.archive != "":
		return p.archive + " is an MHTML file: a message with related parts"
	case len(p.pages) == 1:
		return fmt.Sprintf("%s states that %s saved it", p.pages[0].path, p.pages[0].tool)
	}
	return fmt.Sprintf("%d pages state that %s saved them", len(p.pages), p.pages[0].tool)
}

// The kinds of a file.
const (
	notSaved = iota
	savedPage
	savedArchive
)

// headSize is the number of bytes in which a page states that it was saved.
const headSize = 8 << 10

// kindOf recognises a saved page by its name and its first bytes.
func kindOf(t *archivefs.Tree, name string) (kind int, p page, err error) {
	ext := strings.ToLower(path.Ext(name))
	size := headSize
	switch ext {
	case ".html", ".htm", ".xhtml":
	case ".mhtml", ".mht":
		size = maxHeader
	default:
		return notSaved, page{}, nil
	}
	head, err := t.Head(name, size)
	var machine *fs.PathError
	if errors.As(err, &machine) {
		return notSaved, page{}, err
	}
	head = head[:min(len(head), size)] // as far as a damaged file in an archive can be read
	if ext == ".mhtml" || ext == ".mht" {
		if looksLikeMHTML(head) {
			return savedArchive, page{}, nil
		}
		return notSaved, page{}, nil
	}
	if p, ok := readPage(head); ok {
		return savedPage, p, nil
	}
	return notSaved, page{}, nil
}
