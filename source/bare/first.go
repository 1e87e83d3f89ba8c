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

// first is what the first record of a container tells of it.
type first struct {
	found   bool // there is one
	date    time.Time
	written string // name of the file when it was written
	origin  string // origin code of an ARC
	version string // "ARC 1.0", "WARC 1.1"
	fields  []model.Field
}

// firstRecord is how much of a container is read to see its first record, in bytes as stored. That
// of a crawler has some hundred.
const firstRecord = 256 << 10

// readFirst reads the first record. What is damaged has none; the error is one of the machine.
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
