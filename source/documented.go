package source

import (
	"strings"

	"quire/internal/archivefs"
	"quire/model"
)

// Documented is a Harvest with documents in the records of a container instead of files. An example
// are the metadata files of NetarchiveSuite, which hold each log, report and list of a job. Such a
// document is among the Files of the Harvest like any other, with its role and restrictions. Its
// SourceFile.Record names the record, and its Path is one within Documents, never one of the
// source. OpenFile opens it. It is copied with its container.
type Documented interface {
	Harvest
	// Documents returns the documents in the folder structure of Heritrix: order.xml,
	// logs/crawl.log, reports/hosts-report.txt. index/NAME.cdx is the CDX of the container NAME, or
	// of the one with a name that begins so. The Tree is readable while the source is open, and
	// need not be closed.
	Documents() *archivefs.Tree
}

// Relocated is a Harvest that knows the current places of records. Its log has the old places,
// because the files were later compressed, renamed or rewritten.
type Relocated interface {
	Harvest
	// Migrated returns the current place of the record at an old place, and false if no move is
	// recorded.
	Migrated(from model.Place) (model.Place, bool)
}

// Archived is a Harvest with files in archives. The archives, such as the tarballs of PANDAS, are
// also files of the harvest.
type Archived interface {
	Harvest
	// Archive returns the archive at a path within the source, or nil if the harvest has none. It
	// is open while the source is.
	Archive(path string) *archivefs.Tree
}

// OpenFile opens a file of a harvest in t, the source it was read from. The file can be separate,
// in a record, or in an archive.
func OpenFile(t *archivefs.Tree, h Harvest, f *model.SourceFile) (archivefs.Content, error) {
	if d, ok := h.(Documented); ok && f.Record != nil {
		t = d.Documents()
	}
	if a, ok := h.(Archived); ok && f.Archive != "" {
		if within := a.Archive(f.Archive); within != nil {
			return within.Open(strings.TrimPrefix(f.Path, f.Archive+"/"))
		}
	}
	return t.Open(f.Path)
}
