package reconcile

import (
	"time"

	"quire/model"
)

// Result is the result of comparing a source. Its JSON form is the contract of "quire reconcile
// --json".
type Result struct {
	Source    string           `json:"source"`
	Outcome   Class            `json:"outcome"` // the worst of all harvests
	Harvests  []*HarvestResult `json:"harvests"`
	Unclaimed int              `json:"unclaimed_files"` // files outside all harvests
}

// HarvestResult is the comparison of the sources of one harvest.
type HarvestResult struct {
	System  model.System `json:"system"`
	ID      string       `json:"id"`
	Outcome Class        `json:"outcome"` // class of the worst difference; explained if there are no differences

	Witnesses   Sources          `json:"witnesses"`
	Notes       []string         `json:"notes"` // omitted comparisons, with reasons
	Joined      Joined           `json:"joined"`
	Spellings   map[string]int64 `json:"urls_spelled_otherwise"` // by kind of difference
	Differences []*Difference    `json:"differences"`            // the differences found, in the order of Kinds
	Totals      Counts           `json:"totals"`

	// LostCaptures counts the lost captures that the log or an index lists. Each capture is counted
	// once, even if it appears in several differences.
	LostCaptures int64 `json:"lost_captures"`

	Containers []ContainerResult `json:"containers"` // containers with differences; ContainersTotal counts all
	DependsOn  []Foreign         `json:"depends_on"` // containers of other harvests with content of this one
	Hosts      []Host            `json:"hosts"`      // the worst
	HostsRest  Host              `json:"hosts_rest"` // the others, together
	HostsTotal int64             `json:"hosts_total"`

	Findings []model.Finding `json:"findings"` // findings about containers and log, limited; FindingsTotal counts all
	Total    int64           `json:"findings_total"`
}

// Sources lists the compared sources.
type Sources struct {
	Log     Log     `json:"log"`
	Index   Index   `json:"index"`
	Records Records `json:"records"`
	Lists   []List  `json:"lists"`
	Pages   []File  `json:"pages"`
	Reports []File  `json:"reports"`
}

// Log describes the crawl log.
type Log struct {
	Present    bool       `json:"present"`
	Lines      int64      `json:"lines"`
	Fetched    int64      `json:"fetched"` // lines with a status above zero
	NotFetched int64      `json:"not_fetched"`
	Unreadable int64      `json:"unreadable"`
	First      *time.Time `json:"first"` // start of the earliest fetch
	Last       *time.Time `json:"last"`
}

// Index describes all indexes together.
type Index struct {
	Files      []File `json:"files"`
	Entries    int64  `json:"entries"`
	Unreadable int64  `json:"unreadable"`
}

// Records describes the content of the containers; for a mirror, its files.
type Records struct {
	Containers int64            `json:"containers"`
	Records    int64            `json:"records"`
	ByType     map[string]int64 `json:"by_type"`
	First      *time.Time       `json:"first"`
	Last       *time.Time       `json:"last"`
}

// List is a file that lists containers: a manifest, a report, a METS.
type List struct {
	File       string `json:"file"`
	Containers int64  `json:"containers"`
}

// File is a file that was read, with its counts.
type File struct {
	File string `json:"file"`
	Rows int64  `json:"rows"`
}

// Joined counts the matched lines and records, by criterion.
type Joined struct {
	Place     int64 `json:"by_container_and_offset"`
	Digest    int64 `json:"by_url_second_and_digest"`
	Second    int64 `json:"by_url_and_second"`
	Near      int64 `json:"by_url_within_two_seconds"` // and by digest; or by status, if there is no digest
	AnyTime   int64 `json:"by_url_and_digest"`
	Size      int64 `json:"by_url_and_size_in_order"` // for logs without digests and request times
	Mirror    int64 `json:"by_url_in_a_mirror"`       // it has each URL once
	IndexAt   int64 `json:"index_by_container_and_offset"`
	IndexTime int64 `json:"index_by_url_and_second"`
}

// Counts counts differences by class.
type Counts struct {
	Explained   int64 `json:"explained"`
	Lost        int64 `json:"lost"`
	Unexplained int64 `json:"unexplained"`
}

func (c *Counts) add(class Class, n int64) {
	switch class {
	case Explained:
		c.Explained += n
	case Lost:
		c.Lost += n
	default:
		c.Unexplained += n
	}
}

// worst returns the worst class that occurred: unexplained, lost or explained.
func (c *Counts) worst() Class {
	switch {
	case c.Unexplained > 0:
		return Unexplained
	case c.Lost > 0:
		return Lost
	}
	return Explained
}

// Difference is all differences of one kind.
type Difference struct {
	Kind  Kind  `json:"kind"`
	Count int64 `json:"count"`
	Counts
	Reasons []Because `json:"reasons"` // the most frequent first; the empty code means no explanation
}

// Because is all differences of a kind with the same explanation.
type Because struct {
	Code     string `json:"code"`
	Class    Class  `json:"class"`
	Means    string `json:"means"`
	Count    int64  `json:"count"`
	Examples []Case `json:"examples"` // capped
}

// Case is one difference. Inapplicable fields are omitted.
type Case struct {
	URL       string     `json:"url,omitempty"`
	Host      string     `json:"host,omitempty"`
	Time      *time.Time `json:"time,omitempty"` // of the capture
	Status    int        `json:"status,omitempty"`
	Container string     `json:"container,omitempty"`
	Offset    *int64     `json:"offset,omitempty"`
	Line      int64      `json:"line,omitempty"`   // in the log or the index
	Detail    string     `json:"detail,omitempty"` // statements of the sources, or evidence for the explanation
}

// Entry is a line of the list of all differences.
type Entry struct {
	Harvest string `json:"harvest"`
	Kind    Kind   `json:"kind"`
	Class   Class  `json:"class"`
	Code    string `json:"code"` // of the explanation; "" for none
	Case
}

// ContainerResult describes one container.
type ContainerResult struct {
	Name      string        `json:"name"`
	Path      string        `json:"path"`          // in the source; "" if absent
	Within    string        `json:"name_within"`   // the name it states for itself, if different
	ListedBy  []string      `json:"listed_by"`     // lists with its name
	Size      int64         `json:"size"`          // bytes; 0 if absent
	Listed    int64         `json:"listed_size"`   // -1 if not listed
	Records   int64         `json:"records"`       // its records
	Entries   int64         `json:"index_entries"` // its entries in indexes
	LostURLs  int64         `json:"lost_urls"`     // lost with it, as far as known
	Damage    int64         `json:"damage"`        // findings that part of it is unreadable
	Outcome   model.Outcome `json:"outcome"`       // of its inspection
	CutReason string        `json:"cut,omitempty"` // reason to assume truncation
}

// Foreign is a container of another harvest.
type Foreign struct {
	Name string `json:"name"`
	URLs int64  `json:"urls"` // that refer to it
}

// Host is a line of the table of hosts.
type Host struct {
	Host       string         `json:"host"`
	Logged     int64          `json:"logged"`
	Fetched    int64          `json:"fetched"`
	NotFetched int64          `json:"not_fetched"`
	Records    int64          `json:"records"` // of content
	Kinds      map[Kind]int64 `json:"differences"`
	Counts

	// LostCaptures counts captures in the same way as the field LostCaptures of the harvest. Lost
	// counts differences. One lost capture appears in the log and in the index, and a damaged
	// capture is not lost.
	LostCaptures int64 `json:"lost_captures"`
}
