package bare

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"quire/format/warc"
	"quire/internal/archivefs"
	"quire/model"
	"quire/source/records"
)

// first has the facts from the first record of a container.
type first struct {
	found   bool // the record exists
	date    time.Time
	written string // original name of the file
	origin  string // origin code of an ARC
	version string // "ARC 1.0", "WARC 1.1"
	fields  []model.Field
}

// firstRecord is the number of stored bytes read to find the first record. The record of a crawler
// has a few hundred bytes.
const firstRecord = 256 << 10

// readFirst reads the first record. A damaged container has none; the error is a system error.
func readFirst(t *archivefs.Tree, p string) (first, error) {
	head, err := t.Head(p, firstRecord)
	var machine *fs.PathError
	if errors.As(err, &machine) {
		return first{}, err
	}
	rec, err := records.NewReader(bytes.NewReader(head), nil).Next()
	if err != nil {
		return first{}, nil //nolint:nilerr // it was read from memory: the content has no record
	}
	f := first{found: true, date: rec.Date}
	switch {
	case rec.ARC != nil && rec.ARC.Version != nil:
		v := rec.ARC.Version
		f.written, f.origin, f.version = v.Name, v.Origin, "ARC "+v.Version
	case rec.WARC != nil:
		f.written, f.version = rec.WARC.Get(warc.FieldFilename), "WARC "+rec.WARC.Version
	}
	f.fields, err = rec.Fields()
	if err != nil {
		return f, fmt.Errorf("%s: %w", p, err)
	}
	return f, nil
}
