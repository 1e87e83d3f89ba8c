package oaiharvest

import (
	"bytes"
	"context"
	"errors"
	"path"
	"strings"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
)

// Reader finds and reads harvests by OAI-PMH.
type Reader struct{}

var _ source.Reader = Reader{}

// Name returns "oai-pmh".
func (Reader) Name() string { return string(model.OAIPMH) }

// Find claims each folder with a harvest.json of Quire as a harvest. The files of the harvest are
// the files that harvest.json names, and the lists and refused records beside them.
func (r Reader) Find(ctx context.Context, t *archivefs.Tree) ([]source.Claim, error) {
	var claims []source.Claim
	for _, f := range t.Files() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if path.Base(f.Path) != StateFile {
			continue
		}
		head, err := t.Head(f.Path, 200)
		if err != nil {
			return nil, err
		}
		if !bytes.Contains(head, []byte(`"`+Format+`"`)) {
			continue
		}
		root := path.Dir(f.Path)
		files := filesOf(t, root)
		claims = append(claims, source.Claim{Reader: r.Name(), Root: root,
			Why: []string{f.Path + " is the state of a harvest by OAI-PMH"}, Files: files,
			Read: func(ctx context.Context) (source.Harvest, error) { return read(ctx, t, root, files) }})
	}
	return claims, nil
}

// filesOf returns the files of a harvest, without the index of seen records: that index is optional
// and specific to one machine.
func filesOf(t *archivefs.Tree, root string) []string {
	var files []string
	for _, f := range t.Files() {
		name, ok := f.Path, root == "."
		if !ok {
			name, ok = strings.CutPrefix(f.Path, root+"/")
		}
		if !ok {
			continue
		}
		top, _, deeper := strings.Cut(name, "/")
		switch {
		case deeper && (top == RefusedDir || top == ContentDir), name == StateFile, name == DeletedFile,
			name == FindingsFile, name == FilesFile, isContainer(name):
			files = append(files, f.Path)
		case !deeper && strings.HasPrefix(name, SeenFile):
			files = append(files, f.Path)
		}
	}
	return files
}

func isContainer(name string) bool {
	return strings.HasPrefix(name, "data-") && strings.HasSuffix(name, ".warc.gz") && !strings.Contains(name, "/")
}

// load reads the state.
func load(t *archivefs.Tree, p string) (*State, error) {
	c, err := t.Open(p)
	if err != nil {
		return nil, err
	}
	s, err := ReadState(c)
	return s, errors.Join(err, c.Close())
}
