package characterize

import (
	"quire/internal/spool"
	"quire/model"
)

// Entries keeps the records of a container in a temporary file until they are written.
type Entries struct {
	records *spool.Spool[model.Record]
}

// NewEntries makes a place for the records of one container, below dir or, when that is "", where
// temporary files go. It is to be closed.
func NewEntries(dir string) (*Entries, error) {
	records, err := spool.New[model.Record](dir)
	return &Entries{records}, err
}

// Add keeps a record. It has the form of inspect.Options.Record.
func (e *Entries) Add(r model.Record) error { return e.records.Add(r) }

// Close gives the room on disk back.
func (e *Entries) Close() error { return e.records.Close() }
