package source

import (
	"context"
	"iter"

	"quire/internal/archivefs"
	"quire/model"
)

// Harvest is one harvest, as one reader interprets it.
type Harvest interface {
	// About returns the known facts of the run. The reader owns the result, which does not change.
	About() *model.Harvest
	// Fetches yields the outcome of each URL, in the order of the logs, without keeping them: a
	// crawl has millions. A harvest without a log yields none. An unreadable line is a finding,
	// passed to report, and not an error.
	Fetches(ctx context.Context, report func(model.Finding)) iter.Seq2[model.Fetch, error]
}

// Claim is a part of a Tree that a reader claims as a harvest.
type Claim struct {
	Reader string // name of the reader: "heritrix"
	Root   string // folder within the Tree, "." for all of it
	Why    []string
	Files  []string // paths within the Tree that belong to it
	Read   func(ctx context.Context) (Harvest, error)
}

// Reader reads the harvests of one system.
type Reader interface {
	Name() string
	// Find looks for harvests of its system, by file names and, for ambiguous names, by content.
	Find(ctx context.Context, t *archivefs.Tree) ([]Claim, error)
}

// CodeSecret is the code of a finding by any reader: a file holds a password, a key or a session,
// and is not public.
const CodeSecret = "SOURCE-SECRET"

// CodePersonal is the code of a finding by any reader: a file names persons, with more than their
// names, and is not public.
const CodePersonal = "SOURCE-PERSONAL"

// CodeClock is the code of a finding by any reader: the zone of the times in a log is in doubt.
const CodeClock = "SOURCE-CLOCK"

// FromUserAgent begins the source of a crawler's name and version that come only from the user agent
// in a configuration. This may be the user agent of a template, for another version of the crawler.
const FromUserAgent = "the user agent, which may be that of a template,"

// NotePage is the first note of a model.Fetch that comes only from a list of pages. Such a list is
// not a log: it has the pages, but no other fetches.
const NotePage = "page"
