package export

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"

	"quire/holdings"
	"quire/model"
)

// ErrHave says that nothing was made, for what would have been is there already: see Request.Have.
var ErrHave = errors.New("what would be made is there already")

// State is a digest over all that an export of the package is made of, for its readers, at this
// moment: the version, what is said of the package, and each capture with what they get of it.
// While it is the same, an export is the same.
func (s *Source) State() string {
	told := *s.Package
	told.Events = s.Events()
	v := s.Version()
	text, err := json.Marshal(struct {
		Software string
		Version  int
		Stored   string // its files
		Package  any
		Captures string
		Hidden   int64
	}{s.Software(), v.Number, v.Inventory, told, hex.EncodeToString(s.state.Sum(nil)), s.hidden})
	if err != nil { // none of these types fails
		panic(err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Events are those that made the version what it is, oldest first. That it was looked at or handed
// out later is none of it: so the same version gives the same export, whenever it is made.
func (s *Source) Events() []holdings.Event {
	var all []holdings.Event
	for i := range s.Package.Events {
		if e := &s.Package.Events[i]; !e.Repository || e.Type == string(model.Ingestion) {
			all = append(all, s.within(*e))
		}
	}
	return all
}
