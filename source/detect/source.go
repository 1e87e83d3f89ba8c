package detect

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
)

// Source has the harvests in the named files and folders.
type Source struct {
	Paths     []string // as given
	Found     []Found  // in the order of the paths, then of the folders within
	Opened    []Archive
	Unclaimed []Unclaimed
	Findings  []model.Finding // refused parts of archives and folders

	trees []*archivefs.Tree
	told  map[model.Finding]bool // avoids repeated findings for an archive that is opened twice
}

// Found is a detected harvest. Read reads it.
type Found struct {
	source.Claim
	Tree       *archivefs.Tree // the Tree of Root and Files
	Archive    string          // path of Tree within the source, if it is an archive; "" for the source itself
	Shared     []string        // files that also document an earlier harvest, and belong to it
	Overridden []Overridden    // overruled claims to the same files
}

// Overridden is an overruled claim.
type Overridden struct {
	source.Claim
	Lost int    // number of its files that the winning harvest got
	Kept bool   // it remains a harvest with its other files
	Why  string // why it was overruled
}

// Archive is an archive within the source that was opened for the harvests in it.
type Archive struct {
	Tree *archivefs.Tree // the Tree that contains it
	Path string
	Size int64 // bytes
}

// Unclaimed is a file that belongs to no harvest.
type Unclaimed struct {
	Tree *archivefs.Tree
	Path string
	Size int64  // bytes
	Why  string // probable kind of the file
}

// Harvest is one harvest that was read, and its location.
type Harvest struct {
	source.Harvest
	Found *Found
}

// Harvests reads one harvest after another. An unreadable one yields an error, and reading
// continues.
func (s *Source) Harvests(ctx context.Context) iter.Seq2[Harvest, error] {
	return func(yield func(Harvest, error) bool) {
		for i := range s.Found {
			f := &s.Found[i]
			h, err := f.Read(ctx)
			if err != nil {
				err = fmt.Errorf("reading the harvest that %s found in %s: %w", f.Reader, f.Path(), err)
			}
			if !yield(Harvest{h, f}, err) || ctx.Err() != nil {
				return
			}
		}
	}
}

// Close closes all folders and archives. Afterwards, harvests cannot be read.
func (s *Source) Close() error {
	var errs []error
	for i := len(s.trees) - 1; i >= 0; i-- { // inner Trees before outer Trees
		errs = append(errs, s.trees[i].Close())
	}
	s.trees = nil
	return errors.Join(errs...)
}
