package detect

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source/browsertrix"
)

// maxArchives bounds the archives within a source that are open at the same time.
const maxArchives = 200

// archives opens the unclaimed archives, and records the reason for each other unclaimed file. With
// sites, only websites are new, so it opens only files already known to be archives.
func (l *look) archives(ctx context.Context, sites bool, why map[string]string) (err error) {
	for _, f := range l.tree.Files() {
		if l.taken[f.Path] || sites && why[f.Path] != whyEmpty {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		var within *look
		if within, why[f.Path], err = l.nested(ctx, f, sites); err != nil {
			return err
		}
		if within == nil {
			continue
		}
		l.taken[f.Path] = true
		l.Opened = append(l.Opened, Archive{l.tree, f.Path, f.Size})
		l.found, l.unclaimed = append(l.found, within.found...), append(l.unclaimed, within.unclaimed...)
	}
	return nil
}

// The reasons why a file is unclaimed.
const (
	whyUnknown    = "no reader knows it"
	whyCollection = "it describes a collection of packages, each of which is a harvest"
	whyEmpty      = "an archive with no recognised content"
	whyClosed     = "an archive that was not opened"
	whyTorn       = "it is damaged and cannot be read"
)

// nested detects the harvests in an archive file. An archive without a harvest is treated as a
// plain file, and why then states the kind of the archive.
func (l *look) nested(ctx context.Context, f archivefs.File, sites bool) (within *look, why string, err error) {
	place := filepath.Join(l.tree.Path(), f.Path)
	is, err := l.tree.IsArchive(f.Path)
	switch {
	case err != nil && isMachine(err):
		return nil, "", err
	case err != nil:
		l.find(archivefs.FaultTorn, model.Error, place, 0, "cannot be read: %v", err)
		return nil, whyTorn, nil
	case !is && browsertrix.Lists(l.tree, f.Path):
		return nil, whyCollection, nil
	case !is:
		return nil, whyUnknown, nil
	case l.detection.within >= maxArchives:
		l.find(archivefs.FaultMore, model.Warning, place, 0,
			"is an archive that was not opened: this source has more than %d archives", maxArchives)
		return nil, whyClosed, nil
	}
	n, err := l.tree.Nested(f.Path)
	switch {
	case errors.Is(err, archivefs.ErrDepth):
		l.find(archivefs.FaultMore, model.Warning, place, 0, "is an archive that was not opened: %v",
			archivefs.ErrDepth)
		return nil, whyClosed, nil
	case err != nil && isMachine(err):
		return nil, "", err
	case err != nil:
		l.find(archivefs.FaultTorn, model.Error, place, 0, "is an archive that cannot be opened: %v", err)
		return nil, whyTorn, nil
	}
	l.refused(n)
	opened := len(l.Opened)
	within = &look{detection: l.detection, tree: n, archive: path.Join(l.archive, f.Path), taken: map[string]bool{}}
	l.detection.within++
	if err = within.all(ctx, sites); err == nil && len(within.found) > 0 {
		l.trees = append(l.trees, n)
		return within, "", nil
	}
	l.detection.within--
	l.Opened = l.Opened[:opened]
	return nil, whyEmpty, errors.Join(err, n.Close())
}

// isMachine reports whether an error comes from the disk, not from its content.
func isMachine(err error) bool {
	var machine *fs.PathError
	return errors.As(err, &machine)
}
