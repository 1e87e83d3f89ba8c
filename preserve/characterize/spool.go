package characterize

import (
	"quire/internal/spool"
	"quire/model"
)

// Entries keeps the records of a container in a temporary file until they are written.
type Entries struct {
	records *spool.Spool[model.Record]
}

// NewEntries makes a temporary file for the records of one container, in dir or, if that is "", in
// the system's folder. The caller closes it.
func NewEntries(dir string) (*Entries, error) {
	records, err := spool.New[model.Record](dir)
	return &Entries{records}, err
}

// Add keeps a record. It has the signature of inspect.Options.Record.
func (e *Entries) Add(r model.Record) error { return e.records.Add(r) }

// Close removes the temporary file.
func (e *Entries) Close() error { return e.records.Close() }
