package source

import (
	"strings"

	"quire/internal/archivefs"
	"quire/model"
)

// Documented is a Harvest part of whose documentation does not lie in files of its own but in the
// records of a container: the metadata files of NetarchiveSuite, which hold each log, report and
// list of a job. Such a document is among the Files of the Harvest like every other, with its role
// and what restricts it; its SourceFile.Record names the record that holds it, and its Path is one
// within Documents, never one of the source. It is opened with OpenFile, and copied with the
// container it lies in.
type Documented interface {
	Harvest
	// Documents holds the documents as if they lay in a folder of Heritrix: order.xml,
	// logs/crawl.log, reports/hosts-report.txt, index/NAME.cdx for the CDX of the container NAME,
	// or of that whose name begins so. It can be read as long as the source is open, and need not
	// be closed.
	Documents() *archivefs.Tree
}

// Relocated is a Harvest that knows where records are now to which its log refers by the place they
// had: the files were compressed, renamed or written anew since.
type Relocated interface {
	Harvest
	// Migrated gives the place at which the record of that place lies now; false when nothing tells
	// that it moved.
	Migrated(from model.Place) (model.Place, bool)
}

// Archived is a Harvest of which files lie in archives that are files of the harvest themselves:
// the tarballs of PANDAS.
type Archived interface {
	Harvest
	// Archive gives the archive of that path within the source; nil when the harvest has none. It
	// is open as long as the source is.
	Archive(path string) *archivefs.Tree
}

// OpenFile opens a file of a harvest in t, the source it was read from, wherever it lies: in a file
// of its own, in a record, or in an archive.
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
