package wget

import (
	"context"
	"errors"
	"io/fs"
	"path"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
)

// Loose finds logs of Wget without the downloaded files. It must run after the other readers.
type Loose struct{}

var _ source.Reader = Loose{}

// Name returns the name of the system.
func (Loose) Name() string { return string(model.Wget) }

// Find claims each log as a separate run: it still has the outcomes of the URLs.
func (Loose) Find(ctx context.Context, t *archivefs.Tree) ([]source.Claim, error) {
	var claims []source.Claim
	for _, f := range t.Files() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if f.Size == 0 || !likeLog.MatchString(path.Base(f.Path)) || containerName.MatchString(path.Base(f.Path)) {
			continue
		}
		head, err := t.Head(f.Path, headSize)
		var machine *fs.PathError
		if errors.As(err, &machine) {
			return nil, err
		}
		if err != nil || !isLog(head) { // a damaged file in an archive cannot be recognised as a log
			continue
		}
		m := &foundMirror{root: path.Dir(f.Path), logs: []foundLog{{path: f.Path}}, tops: map[string]bool{},
			flat: map[string]bool{}, files: []string{f.Path}}
		claims = append(claims, source.Claim{Reader: string(model.Wget), Root: m.root, Files: m.files,
			Why: []string{f.Path + " is a log of Wget, without the files that it names"},
			Read: func(ctx context.Context) (source.Harvest, error) {
				h, err := readMirror(ctx, t, m)
				if err != nil {
					return nil, err
				}
				h.about.ID = path.Base(f.Path)
				return h, nil
			}})
	}
	return claims, nil
}
