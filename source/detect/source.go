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

// Source is what lies in the files and folders that a user named.
type Source struct {
	Paths     []string // as given
	Found     []Found  // in the order of the paths, then of the folders within
	Opened    []Archive
	Unclaimed []Unclaimed
	Findings  []model.Finding // what was refused while archives and folders were opened

	trees []*archivefs.Tree
	told  map[model.Finding]bool // so that an archive that is opened twice is told of once
}

// Found is a harvest that was recognised. It is read when Read is called.
type Found struct {
	source.Claim
	Tree       *archivefs.Tree // where Root and Files lie
	Archive    string          // path within the source of the archive that Tree is; "" when it is the source itself
	Shared     []string        // those of Files that document a harvest before as well, and are counted there
	Overridden []Overridden    // what others recognised in the same files
}

// Overridden is a claim that gave way.
type Overridden struct {
	source.Claim
	Lost int    // how many of its files went to the harvest that it gave way to
	Kept bool   // it is a harvest all the same, with the rest of its files
	Why  string // why it gave way
}

// Archive is an archive within the source that was opened, because harvests lie in it.
type Archive struct {
	Tree *archivefs.Tree // that it lies in
	Path string
	Size int64 // bytes
}

// Unclaimed is a file that belongs to no harvest.
type Unclaimed struct {
	Tree *archivefs.Tree
	Path string
	Size int64  // bytes
	Why  string // what it seems to be
}

// Harvest is one harvest that was read, and where it was found.
type Harvest struct {
	source.Harvest
	Found *Found
}

// Harvests reads one harvest after the other. One that cannot be read is an error, and the next is
// tried.
func (s *Source) Harvests(ctx context.Context) iter.Seq2[Harvest, error] {
	return func(yield func(Harvest, error) bool) {
		for i := range s.Found {
			f := &s.Found[i]
			h, err := f.Read(ctx)
			if err != nil {
				err = fmt.Errorf("reading what %s found in %s: %w", f.Reader, f.Path(), err)
			}
			if !yield(Harvest{h, f}, err) || ctx.Err() != nil {
				return
			}
		}
	}
}

// Close closes all folders and archives. Harvests cannot be read any more.
func (s *Source) Close() error {
	var errs []error
	for i := len(s.trees) - 1; i >= 0; i-- { // those within before those around
		errs = append(errs, s.trees[i].Close())
	}
	s.trees = nil
	return errors.Join(errs...)
}
