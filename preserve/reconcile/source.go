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
	near := neighboursIn(s)
	for h, failed := range s.Harvests(ctx) {
		if failed == nil {
			var out *HarvestResult
			o.elsewhere = near.otherThan(h.Found)
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

// neighbours are the containers of all harvests in a source, by bare name: an index of one harvest
// may cover those of others, too. All harvests share one table, so memory grows with the containers
// only.
type neighbours map[string]neighbour // of several with one name, the last

type neighbour struct {
	of   *detect.Found
	path string
}

func neighboursIn(s *detect.Source) neighbours {
	all := neighbours{}
	if len(s.Found) < 2 {
		return all
	}
	for i := range s.Found {
		f := &s.Found[i]
		for _, p := range f.Files {
			if !IsContainerName(p) {
				continue
			}
			all[bareName(p)] = neighbour{f, p}
		}
	}
	return all
}

// others are the containers of other harvests than one.
type others struct {
	all neighbours
	own map[string]bool // bare names of its own files
}

func (n neighbours) otherThan(this *detect.Found) others {
	o := others{all: n}
	if len(n) == 0 {
		return o
	}
	o.own = map[string]bool{}
	for _, p := range this.Files {
		o.own[bareName(p)] = true
	}
	return o
}

// at returns the place of a container of another harvest, or "".
func (o others) at(bare string) string {
	n, ok := o.all[bare]
	if !ok || o.own[bare] {
		return ""
	}
	return n.of.Reader + " " + n.of.Root + ": " + n.path
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
