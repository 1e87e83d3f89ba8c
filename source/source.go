package source

import (
	"context"
	"iter"

	"quire/internal/archivefs"
	"quire/model"
)

// Harvest is one harvest, as one reader understands it.
type Harvest interface {
	// About tells what is known of the run. It is the reader's own, and does not change.
	About() *model.Harvest
	// Fetches tells what became of each URL, in the order of the logs, without keeping them: a
	// crawl has millions. A harvest without a log gives none. A line that cannot be read is a
	// finding, told through report, and not an error.
	Fetches(ctx context.Context, report func(model.Finding)) iter.Seq2[model.Fetch, error]
}

// Claim is a part of a Tree that a reader takes for a harvest of its own.
type Claim struct {
	Reader string // name of the reader: "heritrix"
	Root   string // folder within the Tree, "." for all of it
	Why    []string
	Files  []string // paths within the Tree that belong to it
	Read   func(ctx context.Context) (Harvest, error)
}

// Reader knows one system.
type Reader interface {
	Name() string
	// Find looks for harvests of its system, by what the files are called and, where that is not
	// enough, what they hold.
	Find(ctx context.Context, t *archivefs.Tree) ([]Claim, error)
}

// CodeSecret is the code of a finding that every reader may make: a file holds a password, a key or
// a session, and must not be shown to everyone.
const CodeSecret = "SOURCE-SECRET"

// CodePersonal is the code of a finding that every reader may make: a file names persons, with more
// than their names, and must not be shown to everyone.
const CodePersonal = "SOURCE-PERSONAL"

// NotePage is the first note of a model.Fetch that is told by a list of pages alone. Such a list is
// no log: it has the pages, and nothing of what else was fetched.
const NotePage = "page"
