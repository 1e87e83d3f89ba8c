package warcmeta

import (
	"context"
	"errors"
	"slices"
	"time"

	"quire/model"
	"quire/preserve/describe"
	"quire/source/detect"
	"quire/source/records/lookup"
)

// Options configures Run. Rows and Agent are required. With neither Out nor InPlace nothing is
// written: the Result lists the planned changes.
type Options struct {
	Rows     []describe.Description
	As       []Form       // forms, with a record for each; empty is Fields
	Captures lookup.Which // which of several captures; "": nearest to the row's date, or else the first
	Out      string       // folder for a new WARC file; created if missing
	InPlace  bool         // append to the file that has the capture
	DryRun   bool         // write nothing: Result.Files lists the files that would be written

	Source   detect.Options
	Agent    model.Agent       // the software: name and version
	TempDir  string            // for temporary files; "" is the system's folder
	Start    func(total int64) // receives the bytes to read, before reading; may be nil
	Progress func(bytes int64) // receives the bytes read; may be nil
	Now      func() time.Time  // nil is time.Now
}

// ErrNoContainer reports that there is no container to read.
var ErrNoContainer = errors.New("no ARC or WARC file")

// Result lists the matches and the written files.
type Result struct {
	Rows       int         `json:"rows"`
	Containers int         `json:"containers"`
	Captures   int64       `json:"captures"` // in them
	Described  []Described `json:"described"`
	Missing    []Missing   `json:"missing"`   // rows and URLs without a description, with the reason
	Left       []Missing   `json:"left"`      // rows that have no capture: collections
	Damaged    []Damage    `json:"damaged"`   // containers that may not be fully read
	New        int64       `json:"new"`       // descriptions not in the containers yet
	Replacing  int64       `json:"replacing"` // new descriptions that replace an earlier description
	Unchanged  int64       `json:"unchanged"` // descriptions that already exist
	Written    int64       `json:"written"`
	Files      []File      `json:"files"` // that were written; in a dry run, that would be
	Outcome    string      `json:"outcome"`
}

// Described is a capture of a URL of the sheet.
type Described struct {
	Row       int        `json:"row"` // of the sheet
	ID        string     `json:"id"`
	URL       string     `json:"url"`       // of the sheet
	TargetURI string     `json:"targetURI"` // of the record
	Date      time.Time  `json:"date"`
	RecordID  string     `json:"recordID"`
	Container string     `json:"container"`
	Offset    int64      `json:"offset"`
	How       string     `json:"how"`      // how it was found
	Captured  int        `json:"captured"` // number of captures of the URL
	Records   []Attached `json:"records"`
}

// Attached is one description of a capture.
type Attached struct {
	Format   Form            `json:"format"`
	ID       string          `json:"id"`
	Replaces string          `json:"replaces,omitempty"`
	Is       string          `json:"is"`               // Is* below
	Losses   []describe.Loss `json:"losses,omitempty"` // values of the row that the form cannot hold
}

// The states of an Attached.
const (
	IsWritten   = "written"
	IsUnchanged = "unchanged" // it already existed
	IsNew       = "new"       // not written: not requested, or its container was refused
)

// Missing is a row, or one of its URLs, without a description.
type Missing struct {
	Row  int      `json:"row"`
	ID   string   `json:"id"`
	URL  string   `json:"url"`
	Why  string   `json:"why"`
	Near []string `json:"near"` // similar URLs that were captured
}

// Damage describes the damage of a container.
type Damage struct {
	Container string `json:"container"`
	Faults    int64  `json:"faults"`
	First     string `json:"first"`
}

// File is a WARC file that is new, or that has added records.
type File struct {
	Path    string `json:"path"`
	Records int64  `json:"records"` // new descriptions in it
	Bytes   int64  `json:"bytes"`   // of the file
	Added   int64  `json:"added"`   // bytes added
}

// The outcomes.
const (
	Success    = "success"
	Incomplete = "incomplete" // something is missing, or refused
)

// Run finds the captures of the rows, and writes the descriptions that do not exist yet.
func Run(ctx context.Context, sources []string, o Options) (_ *Result, err error) {
	if o.InPlace && o.Out != "" {
		return nil, errors.New("descriptions are written in place or into a new file: choose one of the two")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if len(o.As) == 0 {
		o.As = []Form{Fields}
	}
	o.As = slices.Compact(slices.Sorted(slices.Values(o.As)))
	result := &Result{Rows: len(o.Rows), Described: []Described{}, Missing: []Missing{}, Left: []Missing{},
		Damaged: []Damage{}, Files: []File{}}
	j := &job{o: o, now: o.Now().UTC().Truncate(time.Second), claimed: map[subject]int{}, result: result}
	if err := j.open(ctx, sources); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, j.close()) }()
	if err := j.read(ctx); err != nil {
		return nil, err
	}
	if err := j.plan(); err != nil {
		return nil, err
	}
	if err := j.write(ctx); err != nil {
		return nil, err
	}
	j.result.Outcome = Success
	if len(j.result.Missing) > 0 {
		j.result.Outcome = Incomplete
	}
	return j.result, nil
}

// plan decides which descriptions to write.
func (j *job) plan() error {
	var wants []lookup.Want
	var urls []wanted
	for i := range j.o.Rows {
		d := &j.o.Rows[i]
		if d.Level == describe.Collection {
			j.result.Left = append(j.result.Left,
				Missing{Row: d.Row, ID: d.ID, Why: "a collection has no capture"})
			continue
		}
		of := Seek(d, j.o.Captures)
		if len(of) == 0 {
			j.miss(d, "", "the row has only a URL for access", nil)
		}
		for _, s := range of {
			urls = append(urls, wanted{i, s})
			wants = append(wants, s.Wants...)
		}
	}
	found, err := j.index.Find(wants)
	if err != nil {
		return err
	}
	for _, w := range urls {
		one := found[:len(w.Wants)]
		found = found[len(w.Wants):]
		if err := j.choose(w, one); err != nil {
			return err
		}
	}
	return j.compare()
}

func (j *job) miss(d *describe.Description, url, why string, near []string) {
	j.result.Missing = append(j.result.Missing, Missing{Row: d.Row, ID: d.ID, URL: url, Why: why, Near: near})
}

// wanted is a URL of the row with that index.
type wanted struct {
	row int
	Sought
}

// choose selects among the captures of a URL.
func (j *job) choose(w wanted, found []lookup.Found) error {
	d := &j.o.Rows[w.row]
	f := w.Pick(found)
	if len(f.Chosen) == 0 {
		j.miss(d, w.URL, f.Why, f.Near)
	}
	for _, c := range f.Chosen {
		if c.ID == "" {
			why := "its record has no WARC-Record-ID for a description to refer to"
			if j.containers[c.Container].arc {
				why = "it is in an ARC, and ARC records have no ids to refer to: convert it to WARC " +
					"first (quire convert)"
			}
			j.miss(d, w.URL, why+": "+j.containers[c.Container].Place(), nil)
			continue
		}
		if err := j.take(w, c, f.Captured); err != nil {
			return err
		}
	}
	return nil
}
