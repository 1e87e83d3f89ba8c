package reconcile

import (
	"time"

	"quire/model"
)

// Result is what the comparison of a source came to. Its JSON form is the contract of "quire
// reconcile --json".
type Result struct {
	Source    string           `json:"source"`
	Outcome   Class            `json:"outcome"` // the worst of the harvests
	Harvests  []*HarvestResult `json:"harvests"`
	Unclaimed int              `json:"unclaimed_files"` // files that belong to no harvest
}

// HarvestResult is the comparison of the witnesses of one harvest.
type HarvestResult struct {
	System  model.System `json:"system"`
	ID      string       `json:"id"`
	Outcome Class        `json:"outcome"` // the worst of its differences; explained when there is none

	Witnesses   Witnesses        `json:"witnesses"`
	Notes       []string         `json:"notes"` // what could not be compared, and why
	Joined      Joined           `json:"joined"`
	Spellings   map[string]int64 `json:"urls_spelled_otherwise"` // by what differs
	Differences []*Difference    `json:"differences"`            // those that there are, in the order of Kinds
	Totals      Counts           `json:"totals"`

	// LostCaptures counts the captures that the log or an index tells of and that are gone: each
	// once, in however many differences it shows.
	LostCaptures int64 `json:"lost_captures"`

	Containers []ContainerResult `json:"containers"` // those with something to say; ContainersTotal counts all
	DependsOn  []Foreign         `json:"depends_on"` // containers of other harvests that hold content of this one
	Hosts      []Host            `json:"hosts"`      // the worst
	HostsRest  Host              `json:"hosts_rest"` // the others, together
	HostsTotal int64             `json:"hosts_total"`

	Findings []model.Finding `json:"findings"` // of the containers and the log, capped; FindingsTotal counts all
	Total    int64           `json:"findings_total"`
}

// Witnesses says what was compared.
type Witnesses struct {
	Log     Log     `json:"log"`
	Index   Index   `json:"index"`
	Records Records `json:"records"`
	Lists   []List  `json:"lists"`
	Pages   []File  `json:"pages"`
	Reports []File  `json:"reports"`
}

// Log is the crawl log as a witness.
type Log struct {
	Present    bool       `json:"present"`
	Lines      int64      `json:"lines"`
	Fetched    int64      `json:"fetched"` // lines with a status above zero
	NotFetched int64      `json:"not_fetched"`
	Unreadable int64      `json:"unreadable"`
	First      *time.Time `json:"first"` // begin of the earliest fetch
	Last       *time.Time `json:"last"`
}

// Index is all indexes as a witness.
type Index struct {
	Files      []File `json:"files"`
	Entries    int64  `json:"entries"`
	Unreadable int64  `json:"unreadable"`
}

// Records is what the containers hold; of a mirror, its files.
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

// File is a file that was read, with what it holds.
type File struct {
	File string `json:"file"`
	Rows int64  `json:"rows"`
}

// Joined counts by what lines of the log and records were found to belong together.
type Joined struct {
	Place     int64 `json:"by_container_and_offset"`
	Digest    int64 `json:"by_url_second_and_digest"`
	Second    int64 `json:"by_url_and_second"`
	Near      int64 `json:"by_url_within_two_seconds"` // and digest; or status, where there is no digest
	AnyTime   int64 `json:"by_url_and_digest"`
	Size      int64 `json:"by_url_and_size_in_order"` // of logs that have neither digests nor the time of the request
	Mirror    int64 `json:"by_url_in_a_mirror"`       // which has each URL once
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

// worst is the outcome that counts come to.
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
	Reasons []Because `json:"reasons"` // the more frequent first; that of nothing has no code
}

// Because is all differences of a kind that have one explanation.
type Because struct {
	Code     string `json:"code"`
	Class    Class  `json:"class"`
	Means    string `json:"means"`
	Count    int64  `json:"count"`
	Examples []Case `json:"examples"` // capped
}

// Case is one difference. What does not apply is left out.
type Case struct {
	URL       string     `json:"url,omitempty"`
	Host      string     `json:"host,omitempty"`
	Time      *time.Time `json:"time,omitempty"` // of the capture
	Status    int        `json:"status,omitempty"`
	Container string     `json:"container,omitempty"`
	Offset    *int64     `json:"offset,omitempty"`
	Line      int64      `json:"line,omitempty"`   // in the log or the index
	Detail    string     `json:"detail,omitempty"` // what the witnesses say, or by what it is explained
}

// Entry is a line of the list of all differences.
type Entry struct {
	Harvest string `json:"harvest"`
	Kind    Kind   `json:"kind"`
	Class   Class  `json:"class"`
	Code    string `json:"code"` // of the explanation; "" when there is none
	Case
}

// ContainerResult is what is told of one container.
type ContainerResult struct {
	Name      string        `json:"name"`
	Path      string        `json:"path"`          // within the source; "" when it is absent
	Within    string        `json:"name_within"`   // what it calls itself, where that is another name
	ListedBy  []string      `json:"listed_by"`     // lists that name it
	Size      int64         `json:"size"`          // bytes; 0 when it is absent
	Listed    int64         `json:"listed_size"`   // -1 when no list tells one
	Records   int64         `json:"records"`       // that it holds
	Entries   int64         `json:"index_entries"` // that indexes have for it
	LostURLs  int64         `json:"lost_urls"`     // that it held, as far as is known
	Damage    int64         `json:"damage"`        // findings that say that some of it cannot be read
	Outcome   model.Outcome `json:"outcome"`       // of its inspection
	CutReason string        `json:"cut,omitempty"` // why it is taken for cut
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

	// LostCaptures counts as that of the harvest does. Lost counts differences: one capture that is
	// gone shows in the log and in the index, and a captured one that is damaged is not gone.
	LostCaptures int64 `json:"lost_captures"`
}
