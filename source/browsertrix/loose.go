package browsertrix

import (
	"context"
	"path"
	"strings"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
)

// Loose finds logs of Browsertrix without a crawl. It must run after the other readers.
type Loose struct{}

var _ source.Reader = Loose{}

// Name returns "browsertrix".
func (Loose) Name() string { return string(model.Browsertrix) }

// Find claims each log as a harvest, by its content.
func (r Loose) Find(ctx context.Context, t *archivefs.Tree) ([]source.Claim, error) {
	var claims []source.Claim
	for _, f := range t.Files() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if name := strings.ToLower(path.Base(f.Path)); !strings.Contains(name, ".log") &&
			!strings.HasSuffix(name, ".jsonl") {
			continue
		}
		head, err := t.Head(f.Path, maxHead)
		if err != nil {
			return nil, err
		}
		if !isJobLog(head) {
			continue
		}
		files := []string{f.Path}
		claims = append(claims, source.Claim{Reader: r.Name(), Root: path.Dir(f.Path),
			Why: []string{f.Path + " is a log of Browsertrix, without its crawl"}, Files: files,
			Read: func(ctx context.Context) (source.Harvest, error) { return readLoose(ctx, t, f.Path) }})
	}
	return claims, nil
}

// readLoose reads a log without a crawl.
func readLoose(ctx context.Context, t *archivefs.Tree, p string) (*Harvest, error) {
	h, err := read(ctx, t, path.Dir(p), []string{p})
	if err == nil {
		h.about.ID = strings.TrimSuffix(path.Base(p), ".log")
	}
	return h, err
}
