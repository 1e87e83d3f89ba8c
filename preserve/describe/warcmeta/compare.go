package warcmeta

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"

	"quire/metadata/oclc"
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
			written:   written{Refers: c.ID, Of: w.URL, Row: d.ID, Level: d.Level, Format: f}}
		document, err := j.document(&p)
		if err != nil {
			return fmt.Errorf("row %d: %w", d.Row, err)
		}
		p.Sum = sha256.Sum256(document)
		j.planned = append(j.planned, p)
		out.Records = append(out.Records, Attached{Format: f, Is: IsNew})
	}
	j.result.Described = append(j.result.Described, out)
	return nil
}

// document writes the row in the planned form.
func (j *job) document(p *planned) ([]byte, error) {
	var b bytes.Buffer
	if err := oclc.Write(&b, p.Format, j.o.Rows[p.row].Record); err != nil {
		return nil, err
	}
	if b.Len() > oclc.MaxBytes {
		return nil, oclc.ErrTooLong // it could not be read back
	}
	return b.Bytes(), nil
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
				maxVersions, w.Of, w.Format, w.Refers)
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
		switch {
		case now != nil && now.sameContent(&p.written):
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
