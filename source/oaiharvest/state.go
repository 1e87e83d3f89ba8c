package oaiharvest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// StateFile is the file that describes a harvest. It is rewritten after each page; work that it
// does not record does not count.
const StateFile = "harvest.json"

// Format is the value of State.Format, and Version the newest supported version.
const (
	Format  = "quire-oai-harvest"
	Version = 1
)

// The other files of the folder, in addition to State.Files.
const (
	DeletedFile  = "deleted.jsonl"  // a line for each deleted record
	FindingsFile = "findings.jsonl" // a line for each finding
	FilesFile    = "files.jsonl"    // a line for each file made, with --as files
	RefusedDir   = "refused"        // unreadable records, unchanged
	ContentDir   = "files"          // the files made, with --as files
	SeenFile     = "seen.db"        // the records already harvested; optional
)

// State is the description of the harvest in a folder.
type State struct {
	Format    string `json:"format"`
	Version   int    `json:"version"`
	BaseURL   string `json:"base_url"`
	Prefix    string `json:"prefix"`
	PrefixWhy string `json:"prefix_why"` // "asked for", or the reason for the choice
	Set       string `json:"set"`
	As        string `json:"as"` // "warc", "files"
	Software  string `json:"software"`
	UserAgent string `json:"user_agent"`
	// whether CRATEs and DIDLs are kept as received, beside their parts
	Documents bool `json:"documents,omitempty"`

	Server  *Server  `json:"server"`  // its last description of itself
	Windows []Window `json:"windows"` // in order; only the last one can be unfinished
	Tools   []Tool   `json:"tools"`   // run by the server, with their outputs
	Counts  Counts   `json:"counts"`

	Files []File `json:"files"` // containers; the last one may still grow
	// bytes of the lists that belong to this state; the rest was not finished
	Lengths  map[string]int64 `json:"lengths"`
	Findings map[string]int64 `json:"findings"` // number of findings, by code
	First    []Finding        `json:"first"`    // the first of each code; all are in FindingsFile
}

// Server has the data of Identify.
type Server struct {
	Name              string   `json:"name"`
	ProtocolVersion   string   `json:"protocol_version"`
	AdminEmails       []string `json:"admin_emails"`
	EarliestDatestamp string   `json:"earliest_datestamp"`
	DeletedRecord     string   `json:"deleted_record"`
	Granularity       string   `json:"granularity"`
	Formats           []string `json:"formats"` // prefixes
}

// Window is one harvest of the changes between two moments.
type Window struct {
	AskedFrom  string `json:"asked_from"` // as in the call; or ""
	AskedUntil string `json:"asked_until"`

	From    string `json:"from"`     // as sent; "" without a bound
	FromWhy string `json:"from_why"` // "asked for", or the source of the value
	Until   string `json:"until"`

	UntilWhy     string     `json:"until_why"`
	Began        time.Time  `json:"began"` // by our clock
	Ended        *time.Time `json:"ended"`
	ResponseDate time.Time  `json:"response_date"` // of the first response, by the server's clock

	Complete bool   `json:"complete"`
	End      string `json:"end"` // outcome, as text

	Token string `json:"token"` // of the next page; "" at the start of a list
	// start of the repeated request for the list, after its token had expired; else ""
	Restart  string    `json:"restart"`
	Pages    int64     `json:"pages"`     // pages read
	Run      int64     `json:"run"`       // pages since the list was requested
	RunNew   int64     `json:"run_new"`   // new records in them
	RunLast  time.Time `json:"run_last"`  // datestamp of the last record in them
	Restarts int64     `json:"restarts"`  // number of repeated requests for the list
	Barren   int64     `json:"barren"`    // consecutive restarts without a new record
	Ordered  bool      `json:"ordered"`   // datestamps have not decreased so far
	Last     time.Time `json:"last"`      // the latest datestamp seen
	Size     int64     `json:"list_size"` // the last completeListSize of the server; or 0
	Counts   Counts    `json:"counts"`
}

// Counts are numbers of records, unless stated otherwise.
type Counts struct {
	Records    int64 `json:"records"`    // records kept, including deleted records
	Deleted    int64 `json:"deleted"`    // of these
	Refused    int64 `json:"refused"`    // unreadable; kept separately
	Duplicates int64 `json:"duplicates"` // already harvested, and skipped
	Resources  int64 `json:"resources"`  // resources with their bytes here
	Bytes      int64 `json:"bytes"`      // of them
	Referred   int64 `json:"referred"`   // resources fetched from the URL in their record
	Missing    int64 `json:"missing"`    // resources without their bytes here
	Differing  int64 `json:"differing"`  // resources with bytes that differ from their record
	Outputs    int64 `json:"outputs"`    // of tools
	Received   int64 `json:"received"`   // bytes of responses, as sent
}

// Lacking says what a list that was followed to its end does not have: records that cannot be read, and resources
// without their bytes. It returns "" if nothing is lacking.
func (c *Counts) Lacking() string {
	var all []string
	if c.Refused > 0 {
		all = append(all, fmt.Sprintf("records that cannot be read: %d of %d", c.Refused, c.Records+c.Refused))
	}
	if c.Missing > 0 {
		all = append(all, fmt.Sprintf("resources without their bytes: %d of %d", c.Missing, c.Resources+c.Missing))
	}
	return strings.Join(all, "; ")
}

// Add adds d to c.
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
	Failed  int64  `json:"failed"` // runs that failed, were stopped, or wrote too much
}

// File is a container.
type File struct {
	Name    string `json:"name"`
	Bytes   int64  `json:"bytes"` // bytes that belong to this state
	Records int64  `json:"records"`
	Window  int    `json:"window"` // its window, from 1
}

// Finding is one finding of the harvest.
type Finding struct {
	Code       string    `json:"code"`
	Severity   string    `json:"severity"`
	Time       time.Time `json:"time"`
	Window     int       `json:"window"`
	Page       int64     `json:"page"`       // of the window, from 1; 0 if about no page
	Offset     int64     `json:"offset"`     // in the response
	Identifier string    `json:"identifier"` // of the record; "" if about none
	File       string    `json:"file"`       // the file with its bytes; or ""
	Message    string    `json:"message"`
}

// Deleted is a line of DeletedFile.
type Deleted struct {
	Identifier string   `json:"identifier"`
	Datestamp  string   `json:"datestamp"` // as written
	Sets       []string `json:"sets"`
	Window     int      `json:"window"`
}

// maxState is the maximum size of a StateFile in bytes.
const maxState = 16 << 20

// errOther reports that a file is not a StateFile.
var errOther = errors.New("it is not the state of an OAI-PMH harvest")

// ReadState reads a StateFile.
func ReadState(r io.Reader) (*State, error) {
	var s State
	limited := &io.LimitedReader{R: r, N: maxState}
	err := json.NewDecoder(limited).Decode(&s)
	switch {
	case limited.N <= 0:
		return nil, fmt.Errorf("%s exceeds the limit of %d bytes", StateFile, maxState)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", StateFile, err)
	case s.Format != Format:
		return nil, fmt.Errorf("%s: %w", StateFile, errOther)
	case s.Version > Version:
		return nil, fmt.Errorf("%s has version %d; a newer quire wrote it", StateFile, s.Version)
	}
	return &s, nil
}
