// Package purge destroys packages by the decision of two persons. It checks that no other package needs
// their payloads, lets the repository remove them, and clears the indexes for readers
// (docs/reference/454_purge.md).
package purge

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quire/access/pictures"
	"quire/access/search"
	"quire/access/thumbnail"
	"quire/holdings"
	"quire/internal/humanize"
	"quire/repository/disposal"
	"quire/repository/store"
)

// textFolder is the folder of the text index, below the data derived for readers.
const textFolder = "text"

// Readers are the indexes for readers and harvesters.
type Readers struct {
	// Open opens the holdings of the repository. The caller closes them.
	Open func() (*holdings.Holdings, error)
	// Harvesters drops the index for harvesters; nil if there is none.
	Harvesters func() error
}

// ErrNeeded reports that other packages need payloads of a package, and that the request does not name
// them.
var ErrNeeded = errors.New("other packages need payloads of it")

// Request records a request. The error is [ErrNeeded] if revisits of packages that it does not name would
// lose their payloads.
func Request(ctx context.Context, s *store.Store, readers Readers, r store.PurgeRequest) (disposal.Purge, error) {
	if _, err := s.History(ctx, r.Package); err != nil {
		return disposal.Purge{}, err
	}
	h, err := readers.Open()
	if err != nil {
		return disposal.Purge{}, err
	}
	if err := free(ctx, h, r.Package, r.Although); err != nil {
		return disposal.Purge{}, err
	}
	return s.RequestPurge(ctx, r)
}

// Approve decides a request as the second person, and carries it out, also in the indexes.
func Approve(ctx context.Context, s *store.Store, readers Readers, token, by string) (store.PurgeStatus, error) {
	h, err := readers.Open()
	if err != nil {
		return store.PurgeStatus{}, err
	}
	status, err := s.ApprovePurge(ctx, token, by, func(ctx context.Context, p disposal.Purge) error {
		return free(ctx, h, p.Package, p.Although)
	})
	if err != nil {
		return status, err
	}
	all, err := clearIndexes(context.WithoutCancel(ctx), s, h, readers)
	if i := slices.IndexFunc(all, func(p store.PurgeStatus) bool { return p.ID == status.ID }); i >= 0 {
		status = all[i]
	}
	if err != nil {
		return status, fmt.Errorf("the purge of %s is decided, and the indexes for readers still have it; quire "+
			"purge finish goes on: %w", status.Package, err)
	}
	return status, nil
}

// Finish carries out all purges that are decided, in the copies that are present and in the indexes. It
// returns all purges.
func Finish(ctx context.Context, s *store.Store, readers Readers) ([]store.PurgeStatus, error) {
	if _, err := s.FinishPurges(ctx); err != nil {
		return nil, err
	}
	all, err := s.Purges(ctx)
	if err != nil || !slices.ContainsFunc(all, inIndexes) {
		return all, err
	}
	h, err := readers.Open()
	if err != nil {
		return all, err
	}
	return clearIndexes(ctx, s, h, readers)
}

// inIndexes reports whether the indexes may have a purged package.
func inIndexes(p store.PurgeStatus) bool { return pending(p, store.PurgeIndexes) }

func pending(p store.PurgeStatus, place string) bool {
	return slices.ContainsFunc(p.Pending, func(at store.PendingPlace) bool { return at.Place == place })
}

// free returns an error if packages that are not named need payloads of a package.
func free(ctx context.Context, h *holdings.Holdings, id string, although []string) error {
	needs, err := h.Dependents(ctx, id)
	if err != nil {
		return err
	}
	var lacking []string
	for _, other := range slices.Sorted(maps.Keys(needs)) {
		if !slices.Contains(although, other) {
			lacking = append(lacking, fmt.Sprintf("%s (%s)", other,
				humanize.Number(needs[other], "revisit", "revisits")))
		}
	}
	if len(lacking) == 0 {
		return nil
	}
	return fmt.Errorf("%s: %w, which then lose them: %s. Purge those first, or name them: --although", id, ErrNeeded,
		strings.Join(lacking, ", "))
}

// clearIndexes writes the indexes for readers anew, and records that they have no package that was purged before.
// One that is purged meanwhile may be in them, and stays pending. An index that fails does not keep the others from
// being cleared; the purges then stay pending. It returns all purges.
func clearIndexes(ctx context.Context, s *store.Store, h *holdings.Holdings, readers Readers) ([]store.PurgeStatus,
	error) {
	before, err := s.Purges(ctx)
	if err != nil {
		return before, err
	}
	err = errors.Join(h.Compact(ctx), thumbnail.Clear(h.Dir()), thumbnail.ClearShots(ctx, h.Dir(), h),
		clearPictures(ctx, h), clearText(ctx, h),
		search.Takedown(ctx, filepath.Join(h.Dir(), textFolder), h, purged(before), true))
	if readers.Harvesters != nil {
		err = errors.Join(err, readers.Harvesters())
	}
	if err != nil {
		return before, err
	}
	for _, p := range before {
		if !inIndexes(p) || pending(p, store.PurgeCatalogue) {
			continue
		}
		if err := s.RecordIndexesPurged(ctx, p.Purge); err != nil {
			return before, err
		}
	}
	return s.Purges(ctx)
}

// purged returns the packages that the indexes may still have.
func purged(all []store.PurgeStatus) (packages []string) {
	for _, p := range all {
		if inIndexes(p) {
			packages = append(packages, p.Package)
		}
	}
	return packages
}

func clearPictures(ctx context.Context, h *holdings.Holdings) error {
	dir := filepath.Join(h.Dir(), pictures.DirName)
	if !pictures.Exists(dir) {
		return nil
	}
	x, err := pictures.Open(ctx, dir, h, nil)
	if err != nil {
		return err
	}
	err = unlessBusy(ctx, patience, func() error { return x.Compact(ctx) })
	return errors.Join(err, x.Close())
}

func clearText(ctx context.Context, h *holdings.Holdings) error {
	dir := filepath.Join(h.Dir(), textFolder)
	if !search.Exists(dir) {
		return nil
	}
	x, err := search.Open(ctx, dir, h, search.Options{})
	if err != nil {
		return err
	}
	err = unlessBusy(ctx, patience, func() error { return x.Compact(ctx) })
	return errors.Join(err, x.Close())
}

// patience is how long a purge waits for another writer of an index: a server may bring it up to date at this
// moment.
const patience = 10 * time.Second

// unlessBusy repeats a step while another process writes the index, for a limited time.
func unlessBusy(ctx context.Context, limit time.Duration, step func() error) error {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(limit); ; {
		err := step()
		if !errors.Is(err, search.ErrBusy) && !errors.Is(err, pictures.ErrBusy) || time.Now().After(end) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-tick.C:
		}
	}
}
