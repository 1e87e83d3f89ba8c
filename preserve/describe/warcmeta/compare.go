package warcmeta

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"time"

	"quire/metadata/oclc"
	"quire/preserve/describe"
	"quire/source/records/lookup"
)

// planned is a description that should exist.
type planned struct {
	written
	described int    // index in Result.Described, and in its Records
	record    int    // index of the record there
	row       int    // index in Options.Rows
	target    string // WARC-Target-URI
	container int
	done      bool // it exists with the same content
}

// take plans the descriptions of a capture, one in each form.
func (j *job) take(w wanted, c lookup.Chosen, captured int) error {
	d := &j.o.Rows[w.row]
	s := subject{refers: c.ID, of: w.URL, level: d.Level}
	if other, claimed := j.claimed[s]; claimed {
		if other != d.Row { // otherwise each would replace the other, every time
			j.miss(d, w.URL, fmt.Sprintf("row %d describes it already, at the same level", other), nil)
		}
		return nil // or the same record occurs twice
	}
	j.claimed[s] = d.Row
	out := Described{Row: d.Row, ID: d.ID, URL: w.URL, TargetURI: c.URI, Date: c.Date, RecordID: c.ID,
		Container: j.containers[c.Container].Place(), Offset: c.Offset, How: c.How, Captured: captured}
	for _, f := range j.o.As {
		p := planned{described: len(j.result.Described), record: len(out.Records), row: w.row, target: c.URI,
			container: c.Container,
			written:   written{Refers: c.ID, Of: w.URL, Row: d.ID, Level: d.Level, Form: f}}
		document, losses, err := j.document(&p, j.now)
		if err != nil {
			return fmt.Errorf("row %d: %w", d.Row, err)
		}
		p.Sum = sha256.Sum256(document)
		j.planned = append(j.planned, p)
		out.Records = append(out.Records, Attached{Format: f, Is: IsNew, Losses: losses})
	}
	j.result.Described = append(j.result.Described, out)
	return nil
}

// document writes the row in the planned form, made at that time. It returns the values that the
// form cannot hold.
func (j *job) document(p *planned, made time.Time) ([]byte, []describe.Loss, error) {
	var b bytes.Buffer
	losses, err := writeForm(&b, p.Form, j.o.Rows[p.row], made, j.o.Agent.Name)
	if err != nil {
		return nil, nil, err
	}
	if b.Len() > oclc.MaxBytes {
		return nil, nil, oclc.ErrTooLong // it could not be read back
	}
	return b.Bytes(), losses, nil
}

// exists reports whether the existing description has the planned content. A document of a catalogue
// may state when it was made, so it is made again for the date of the existing one.
func (j *job) exists(p *planned, now *written) (bool, error) {
	if now.sameContent(&p.written) || !p.Form.catalogue() {
		return now.sameContent(&p.written), nil
	}
	document, _, err := j.document(p, now.Date)
	if err != nil {
		return false, err
	}
	again := p.written
	again.Sum = sha256.Sum256(document)
	return now.sameContent(&again), nil
}

// maxVersions is how many descriptions of one subject are searched for the current one.
const maxVersions = 1000

// compare finds out which planned descriptions exist already, and which descriptions they replace.
func (j *job) compare() error {
	there := map[subject][]written{}
	for i := range j.planned {
		there[j.planned[i].subject()] = nil
	}
	err := j.known.Each(func(w written) error {
		list, wanted := there[w.subject()]
		if !wanted {
			return nil
		}
		if len(list) == maxVersions {
			return fmt.Errorf("there are more than %d descriptions of %s as %s for the record %s",
				maxVersions, w.Of, w.Form, w.Refers)
		}
		there[w.subject()] = append(list, w)
		return nil
	})
	if err != nil {
		return err
	}
	for i := range j.planned {
		p := &j.planned[i]
		now := latest(there[p.subject()])
		same := false
		if now != nil {
			if same, err = j.exists(p, now); err != nil {
				return err
			}
		}
		switch {
		case same:
			p.done, p.written = true, *now
			j.result.Unchanged++
		case now != nil:
			p.Replaces = now.ID
			j.result.Replacing++
			fallthrough
		default:
			p.identify()
			j.result.New++
		}
		a := &j.result.Described[p.described].Records[p.record]
		if a.ID, a.Replaces = p.ID, p.Replaces; p.done {
			a.Is = IsUnchanged
		}
	}
	return nil
}

// latest returns the current description: one that no other replaces. If there are several, made
// independently, it returns the newest.
func latest(all []written) (last *written) {
	replaced := map[string]bool{}
	for i := range all {
		replaced[all[i].Replaces] = true
	}
	for i := range all {
		w := &all[i]
		if replaced[w.ID] {
			continue
		}
		if last == nil || cmp.Or(w.Date.Compare(last.Date), cmp.Compare(w.ID, last.ID)) > 0 {
			last = w
		}
	}
	return last
}
