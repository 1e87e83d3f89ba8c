package export

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"

	"quire/holdings"
	"quire/model"
)

// ErrExists reports that the export already exists, so nothing was done: see Request.Have.
var ErrExists = errors.New("the export already exists")

// State returns a digest over the whole input of the export: the version, the metadata of the
// package, and each capture with the access decision. Equal states give equal exports.
func (s *Source) State() string {
	told := *s.Package
	told.Events = s.Events()
	v := s.Version()
	text, err := json.Marshal(struct {
		Software string
		Version  int
		Stored   string // the files of the version
		Package  any
		Captures string
		Hidden   int64
	}{s.Software(), v.Number, v.Inventory, told, hex.EncodeToString(s.state.Sum(nil)), s.hidden})
	if err != nil { // encoding of these types cannot fail
		panic(err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Events returns the events that created the version, oldest first. It omits later views and
// exports: so the same version always gives the same export.
func (s *Source) Events() []holdings.Event {
	var all []holdings.Event
	for i := range s.Package.Events {
		if e := &s.Package.Events[i]; !e.Repository || e.Type == string(model.Ingestion) {
			all = append(all, s.within(*e))
		}
	}
	return all
}
