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

// Loose finds logs of Wget without the files of which they tell. It is to be asked when the other
// readers were.
type Loose struct{}

var _ source.Reader = Loose{}

// Name is the name of the system.
func (Loose) Name() string { return string(model.Wget) }

// Find takes each log for a run of its own: what was fetched, and what was not, is told all the
// same.
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
		if err != nil || !isLog(head) { // what is damaged in an archive is no log that could be known
			continue
		}
		m := &foundMirror{root: path.Dir(f.Path), logs: []foundLog{{path: f.Path}}, tops: map[string]bool{},
			flat: map[string]bool{}, files: []string{f.Path}}
		claims = append(claims, source.Claim{Reader: string(model.Wget), Root: m.root, Files: m.files,
			Why: []string{f.Path + " is a log of Wget, and nothing of which it tells is here"},
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
