package oaiharvest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// StateFile is the name of the file in which a harvest says all of itself. It is written anew after
// each page: what it does not know of was not done.
const StateFile = "harvest.json"

// Format is the value of State.Format, and Version the newest that is known here.
const (
	Format  = "quire-oai-harvest"
	Version = 1
)

// The other files of the folder, beside those of State.Files.
const (
	DeletedFile  = "deleted.jsonl"  // a line for each deleted record
	FindingsFile = "findings.jsonl" // a line for each finding
	FilesFile    = "files.jsonl"    // a line for each file that was made, when they were
	RefusedDir   = "refused"        // records that could not be read, as they came
	ContentDir   = "files"          // the files that were made, when they were
	SeenFile     = "seen.db"        // which records were had; it can be done without
)

// State is what a folder says of the harvest in it.
type State struct {
	Format    string `json:"format"`
	Version   int    `json:"version"`
	BaseURL   string `json:"base_url"`
	Prefix    string `json:"prefix"`
	PrefixWhy string `json:"prefix_why"` // "asked for", or from what it was chosen
	Set       string `json:"set"`
	As        string `json:"as"` // "warc", "files"
	Software  string `json:"software"`
	UserAgent string `json:"user_agent"`

	Server  *Server  `json:"server"`  // as it described itself last
	Windows []Window `json:"windows"` // in order; only the last one can be unfinished
	Tools   []Tool   `json:"tools"`   // that the server ran, with what they had to say
	Counts  Counts   `json:"counts"`

	Files []File `json:"files"` // containers; the last one may be written to again
	// bytes of the lists that belong to this state; what is behind was not finished
	Lengths  map[string]int64 `json:"lengths"`
	Findings map[string]int64 `json:"findings"` // how often, by code
	First    []Finding        `json:"first"`    // the first of each code; all are in FindingsFile
}

// Server is what Identify says.
type Server struct {
	Name              string   `json:"name"`
	ProtocolVersion   string   `json:"protocol_version"`
	AdminEmails       []string `json:"admin_emails"`
	EarliestDatestamp string   `json:"earliest_datestamp"`
	DeletedRecord     string   `json:"deleted_record"`
	Granularity       string   `json:"granularity"`
	Formats           []string `json:"formats"` // prefixes
}

// Window is one harvest of what changed between two moments.
type Window struct {
	AskedFrom  string `json:"asked_from"` // as the call had it; "" when it did not
	AskedUntil string `json:"asked_until"`

	From    string `json:"from"`     // as sent; "" when there was no bound
	FromWhy string `json:"from_why"` // "asked for", or from what it was concluded
	Until   string `json:"until"`

	UntilWhy     string     `json:"until_why"`
	Began        time.Time  `json:"began"` // by our clock
	Ended        *time.Time `json:"ended"`
	ResponseDate time.Time  `json:"response_date"` // of the first answer, by the clock of the server

	Complete bool   `json:"complete"`
	End      string `json:"end"` // how it ended, in words

	Token string `json:"token"` // of the page to ask for next; "" at the begin of a list
	// from which the list is being asked for anew, after its token had died; "" while it has not
	Restart  string    `json:"restart"`
	Pages    int64     `json:"pages"`     // that were read
	Run      int64     `json:"run"`       // pages since the list was asked for
	RunNew   int64     `json:"run_new"`   // records in them that were new
	RunLast  time.Time `json:"run_last"`  // datestamp of the last record in them
	Restarts int64     `json:"restarts"`  // how often the list was asked for anew
	Barren   int64     `json:"barren"`    // of these, in a row and without a new record
	Ordered  bool      `json:"ordered"`   // datestamps never went back, so far
	Last     time.Time `json:"last"`      // the latest datestamp that was seen
	Size     int64     `json:"list_size"` // completeListSize, as the server said last; 0 when it did not
	Counts   Counts    `json:"counts"`
}

// Counts are of records, unless they say of what.
type Counts struct {
	Records    int64 `json:"records"`    // that were kept, deleted ones among them
	Deleted    int64 `json:"deleted"`    // of these
	Refused    int64 `json:"refused"`    // that could not be read; kept aside
	Duplicates int64 `json:"duplicates"` // that were had already, and passed over
	Resources  int64 `json:"resources"`  // whose bytes are here
	Bytes      int64 `json:"bytes"`      // of them
	Referred   int64 `json:"referred"`   // of the resources, those that were fetched from where the record refers to
	Missing    int64 `json:"missing"`    // resources whose bytes are not here
	Differing  int64 `json:"differing"`  // resources whose bytes are not what was said of them
	Outputs    int64 `json:"outputs"`    // of tools
	Received   int64 `json:"received"`   // bytes of answers, as sent
}

// Add adds others.
func (c *Counts) Add(d Counts) {
	c.Records += d.Records
	c.Deleted += d.Deleted
	c.Refused += d.Refused
	c.Duplicates += d.Duplicates
	c.Resources += d.Resources
	c.Bytes += d.Bytes
	c.Referred += d.Referred
	c.Missing += d.Missing
	c.Differing += d.Differing
	c.Outputs += d.Outputs
	c.Received += d.Received
}

// Tool is a tool that the server ran.
type Tool struct {
	Label   string `json:"label"`
	Version string `json:"version"`
	Outputs int64  `json:"outputs"`
	Failed  int64  `json:"failed"` // of these, how often it failed, was stopped, or said too much
}

// File is a container.
type File struct {
	Name    string `json:"name"`
	Bytes   int64  `json:"bytes"` // that belong to this state
	Records int64  `json:"records"`
	Window  int    `json:"window"` // which it belongs to, from 1
}

// Finding is one thing that was odd.
type Finding struct {
	Code       string    `json:"code"`
	Severity   string    `json:"severity"`
	Time       time.Time `json:"time"`
	Window     int       `json:"window"`
	Page       int64     `json:"page"`       // of the window, from 1; 0 when it is about no page
	Offset     int64     `json:"offset"`     // in the answer
	Identifier string    `json:"identifier"` // of the record; "" when it is about none
	File       string    `json:"file"`       // in which its bytes are kept; "" when they are not
	Message    string    `json:"message"`
}

// Deleted is a line of DeletedFile.
type Deleted struct {
	Identifier string   `json:"identifier"`
	Datestamp  string   `json:"datestamp"` // as written
	Sets       []string `json:"sets"`
	Window     int      `json:"window"`
}

// maxState bounds what is read of a StateFile, in bytes.
const maxState = 16 << 20

// errOther says that a file is no StateFile.
var errOther = errors.New("it is not that of an OAI-PMH harvest")

// ReadState reads a StateFile.
func ReadState(r io.Reader) (*State, error) {
	var s State
	limited := &io.LimitedReader{R: r, N: maxState}
	err := json.NewDecoder(limited).Decode(&s)
	switch {
	case limited.N <= 0:
		return nil, fmt.Errorf("%s has more than %d bytes", StateFile, maxState)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", StateFile, err)
	case s.Format != Format:
		return nil, fmt.Errorf("%s: %w", StateFile, errOther)
	case s.Version > Version:
		return nil, fmt.Errorf("%s is of version %d; a newer quire has written it", StateFile, s.Version)
	}
	return &s, nil
}
