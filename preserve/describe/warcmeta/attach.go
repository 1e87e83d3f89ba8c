package warcmeta

import (
	"context"
	"errors"
	"slices"
	"time"

	"quire/metadata/oclc"
	"quire/model"
	"quire/preserve/describe"
	"quire/source/detect"
	"quire/source/records/lookup"
)

// Options of Run. Rows and Agent are needed. With neither Out nor InPlace nothing is written: the
// Result says what would be.
type Options struct {
	Rows     []describe.Description
	As       []oclc.Format // forms, a record for each; none is oclc.Fields
	Captures lookup.Which  // of several; "" is the nearest to the date of a row that has one, or else the first
	Out      string        // folder for a new WARC file; it is made when it is not there
	InPlace  bool          // behind the records of the file that has the capture

	Source   detect.Options
	Agent    model.Agent       // the software: name and version
	TempDir  string            // for what memory does not hold; "" is where temporary files go
	Start    func(total int64) // told the bytes to be read, before reading; may be nil
	Progress func(bytes int64) // told of bytes read; may be nil
	Now      func() time.Time  // nil is time.Now
}

// ErrNoContainer says that there is nothing to look into.
var ErrNoContainer = errors.New("no ARC or WARC file")

// Result is what was found, and what was written.
type Result struct {
	Rows       int         `json:"rows"`
	Containers int         `json:"containers"`
	Captures   int64       `json:"captures"` // in them
	Described  []Described `json:"described"`
	Missing    []Missing   `json:"missing"`   // what could not be described, and why
	Left       []Missing   `json:"left"`      // rows that are about no capture: collections
	Damaged    []Damage    `json:"damaged"`   // containers of which some may not have been read
	New        int64       `json:"new"`       // descriptions that are not there yet
	Replacing  int64       `json:"replacing"` // of these, the ones that take the place of another
	Unchanged  int64       `json:"unchanged"` // that are there already
	Written    int64       `json:"written"`
	Files      []File      `json:"files"` // that were written
	Outcome    string      `json:"outcome"`
}

// Described is a capture that was found for a URL of the sheet.
type Described struct {
	Row       int        `json:"row"` // of the sheet
	ID        string     `json:"id"`
	URL       string     `json:"url"`       // of the sheet
	TargetURI string     `json:"targetURI"` // of the record
	Date      time.Time  `json:"date"`
	RecordID  string     `json:"recordID"`
	Container string     `json:"container"`
	Offset    int64      `json:"offset"`
	How       string     `json:"how"`      // it was found
	Captured  int        `json:"captured"` // times that the URL was
	Records   []Attached `json:"records"`
}

// Attached is one description of it.
type Attached struct {
	Format   oclc.Format `json:"format"`
	ID       string      `json:"id"`
	Replaces string      `json:"replaces,omitempty"`
	Is       string      `json:"is"` // Is* below
}

// What an Attached is.
const (
	IsWritten   = "written"
	IsUnchanged = "unchanged" // it was there already
	IsNew       = "new"       // and not written: nobody asked for it, or its container refused it
)

// Missing is a row, or a URL of it, that got no description.
type Missing struct {
	Row  int      `json:"row"`
	ID   string   `json:"id"`
	URL  string   `json:"url"`
	Why  string   `json:"why"`
	Near []string `json:"near"` // URLs that were captured, and are like it
}

// Damage is what is wrong with a container.
type Damage struct {
	Container string `json:"container"`
	Faults    int64  `json:"faults"`
	First     string `json:"first"`
}

// File is a WARC file that was written, or to which records were added.
type File struct {
	Path    string `json:"path"`
	Records int64  `json:"records"` // descriptions in it that are new
	Bytes   int64  `json:"bytes"`   // of the file
	Added   int64  `json:"added"`   // of these
}

// The outcomes.
const (
	Success    = "success"
	Incomplete = "incomplete" // something is missing, or refused
)

// Run looks for the captures that the rows are about, and writes the descriptions that are not
// there yet.
func Run(ctx context.Context, sources []string, o Options) (_ *Result, err error) {
	if o.InPlace && o.Out != "" {
		return nil, errors.New("descriptions are written in place or into a new file: one of the two")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if len(o.As) == 0 {
		o.As = []oclc.Format{oclc.Fields}
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

// plan decides what is to be written.
func (j *job) plan() error {
	var wants []lookup.Want
	var urls []wanted
	for i := range j.o.Rows {
		d := &j.o.Rows[i]
		if d.Level == describe.Collection {
			j.result.Left = append(j.result.Left,
				Missing{Row: d.Row, ID: d.ID, Why: "a collection has no capture of its own"})
			continue
		}
		of := Seek(d, j.o.Captures)
		if len(of) == 0 {
			j.miss(d, "", "the row has no URL but that for access", nil)
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

// wanted is a URL of the row at that place among the rows.
type wanted struct {
	row int
	Sought
}

// choose takes what was found for a URL.
func (j *job) choose(w wanted, found []lookup.Found) error {
	d := &j.o.Rows[w.row]
	f := w.Pick(found)
	if len(f.Chosen) == 0 {
		j.miss(d, w.URL, f.Why, f.Near)
	}
	for _, c := range f.Chosen {
		if c.ID == "" {
			why := "its record has no WARC-Record-ID, to which a description could refer"
			if j.containers[c.Container].arc {
				why = "it lies in an ARC, whose records have no ids to refer to: make a WARC of it first (quire " +
					"convert)"
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
