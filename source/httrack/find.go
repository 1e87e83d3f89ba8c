package httrack

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"quire/internal/archivefs"
	"quire/source"
)

// Reader finds mirrors of HTTrack.
type Reader struct{}

var _ source.Reader = Reader{}

// Name returns the name of the system.
func (Reader) Name() string { return "httrack" }

// marks are the files of hts-cache that identify a mirror.
var marks = []string{"new.zip", "old.zip", "new.txt", "old.txt", "new.ndx", "old.ndx", "new.lst", "doit.log"}

// Find claims each folder with an hts-cache, or with an hts-log.txt that HTTrack began, as a
// mirror. A mirror that has lost both still has HTTrack's comments in its pages.
func (Reader) Find(ctx context.Context, t *archivefs.Tree) ([]source.Claim, error) {
	why := map[string][]string{}
	for _, f := range t.Files() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		dir, name := path.Split(f.Path)
		dir = path.Clean(dir)
		switch {
		case path.Base(dir) == "hts-cache" && slices.Contains(marks, name):
			root := path.Dir(dir)
			why[root] = append(why[root], f.Path+" is of HTTrack's cache")
		case name == "hts-log.txt":
			ok, err := isLog(t, f.Path)
			if err != nil {
				return nil, err
			}
			if ok {
				why[dir] = append(why[dir], f.Path+" begins with HTTrack")
			}
		}
	}
	if err := commented(ctx, t, why); err != nil {
		return nil, err
	}
	var claims []source.Claim
	for root := range why {
		files := filesOf(t, root, why)
		claims = append(claims, source.Claim{Reader: "httrack", Root: root, Why: why[root], Files: files,
			Read: func(ctx context.Context) (source.Harvest, error) { return read(ctx, t, root, files) }})
	}
	slices.SortFunc(claims, func(a, b source.Claim) int { return strings.Compare(a.Root, b.Root) })
	return claims, nil
}

// Read reads a mirror for another reader that knows its files. An example is an instance of PANDAS,
// which may have lost its whole cache and logs. files are paths within t, below root.
func Read(ctx context.Context, t *archivefs.Tree, root string, files []string) (*Harvest, error) {
	return read(ctx, t, root, files)
}

// isLog reports whether a file begins like HTTrack's log. Damaged files in an archive never do.
func isLog(t *archivefs.Tree, p string) (bool, error) {
	head, err := t.Head(p, 7)
	var machine *fs.PathError
	if errors.As(err, &machine) {
		return false, err
	}
	return err == nil && string(head) == "HTTrack", nil
}

// filesOf returns the files below a root that are not below another root within it.
func filesOf(t *archivefs.Tree, root string, roots map[string][]string) []string {
	var files []string
	for _, f := range t.Files() {
		for dir := path.Dir(f.Path); ; dir = path.Dir(dir) {
			if dir == root {
				files = append(files, f.Path)
			}
			if _, other := roots[dir]; other || dir == "." || dir == root {
				break
			}
		}
	}
	return files
}
