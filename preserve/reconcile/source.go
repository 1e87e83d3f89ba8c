package reconcile

import (
	"context"
	"errors"
	"path/filepath"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
	"quire/source/detect"
)

// Source compares the sources of each harvest in the given files and folders. The error includes
// system errors and unreadable harvests; the other harvests are still compared.
func Source(ctx context.Context, o Options, paths ...string) (result *Result, err error) {
	s, err := detect.Open(ctx, paths...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	result = &Result{Source: filepath.Join(paths...), Outcome: Explained, Harvests: []*HarvestResult{},
		Unclaimed: len(s.Unclaimed)}
	if len(paths) != 1 {
		result.Source = ""
	}
	for h, failed := range s.Harvests(ctx) {
		if failed == nil {
			var out *HarvestResult
			o.elsewhere = others(s, h.Found)
			if out, failed = One(ctx, h.Harvest, h.Found.Tree, o); failed == nil {
				result.add(out)
			}
		}
		if err = errors.Join(err, failed); ctx.Err() != nil {
			break
		}
	}
	return result, err
}

// others finds the containers of other harvests in the source: an index may cover them, too.
func others(s *detect.Source, this *detect.Found) map[string]string {
	if len(s.Found) < 2 {
		return nil
	}
	own := map[string]bool{}
	for _, p := range this.Files {
		own[bareName(p)] = true
	}
	all := map[string]string{}
	for i := range s.Found {
		f := &s.Found[i]
		for _, p := range f.Files {
			if bare := bareName(p); f != this && IsContainerName(p) && !own[bare] {
				all[bare] = f.Reader + " " + f.Root + ": " + p
			}
		}
	}
	return all
}

// One compares the sources of one harvest in t.
func One(ctx context.Context, h source.Harvest, t *archivefs.Tree, o Options) (*HarvestResult, error) {
	return newRun(ctx, h, t, o).all()
}

// Bytes returns the number of bytes that a run reads from a source, for progress displays.
func Bytes(ctx context.Context, paths ...string) (n int64, err error) {
	s, err := detect.Open(ctx, paths...)
	if err != nil {
		return 0, err
	}
	for i := range s.Found {
		for _, p := range s.Found[i].Files {
			if f := s.Found[i].Tree.Find(p); f != nil {
				n += f.Size
			}
		}
	}
	return n, s.Close()
}

func (r *Result) add(h *HarvestResult) {
	r.Harvests = append(r.Harvests, h)
	rank := map[Class]int{Explained: 0, Lost: 1, Unexplained: 2}
	if rank[h.Outcome] > rank[r.Outcome] {
		r.Outcome = h.Outcome
	}
}

// files lists the files of a role.
func (r *run) files(role model.Role) (all []*model.SourceFile) {
	for i := range r.about.Files {
		if f := &r.about.Files[i]; f.Role == role {
			all = append(all, f)
		}
	}
	return all
}
