package disposal

import (
	"errors"
	"fmt"
	"time"

	"quire/preserve/statements"
)

// Hold forbids the purge of a package until a day, or without end.
type Hold struct {
	ID      string         `json:"id"` // H1, H2, …
	Package string         `json:"package"`
	Until   statements.Day `json:"until,omitempty"` // the last day; "" means without end
	Set     Act            `json:"set"`             // with the reason
	Lifted  *Act           `json:"lifted,omitempty"`
}

// InForce reports whether the hold forbids a purge on a day.
func (h *Hold) InForce(day statements.Day) bool {
	return h.Lifted == nil && (h.Until == "" || day <= h.Until)
}

// Holds is the document of all holds, the first one first.
type Holds struct {
	Format int    `json:"format"` // 1
	List   []Hold `json:"holds"`
}

// ReadHolds reads the document.
func ReadHolds(text []byte) (*Holds, error) {
	h := &Holds{}
	if err := decode(text, h); err != nil {
		return nil, fmt.Errorf("the holds: %w", err)
	}
	if h.Format != 1 {
		return nil, fmt.Errorf("the holds have format %d, unknown to this program", h.Format)
	}
	for i := range h.List {
		if err := h.List[i].check(); err != nil {
			return nil, fmt.Errorf("hold %d: %w", i+1, err)
		}
	}
	return h, nil
}

// Marshal returns the document, readable for people.
func (h *Holds) Marshal() ([]byte, error) {
	h.Format = 1
	return encode(h)
}

// Add adds a hold, and gives it an id.
func (h *Holds) Add(n Hold) (Hold, error) {
	n.ID = fmt.Sprintf("H%d", len(h.List)+1)
	if err := n.check(); err != nil {
		return n, err
	}
	h.List = append(h.List, n)
	return n, nil
}

// Find returns the hold with an id, or nil.
func (h *Holds) Find(id string) *Hold {
	for i := range h.List {
		if h.List[i].ID == id {
			return &h.List[i]
		}
	}
	return nil
}

// On returns the holds that are in force on a package.
func (h *Holds) On(id string, day statements.Day) (all []Hold) {
	for _, n := range h.List {
		if n.Package == id && n.InForce(day) {
			all = append(all, n)
		}
	}
	return all
}

func (h *Hold) check() error {
	switch {
	case h.ID == "" || h.Package == "":
		return errors.New("it has no id or package")
	case h.Set.By == "" || h.Set.At.IsZero():
		return errors.New("it needs the person who sets it, and the time")
	case h.Until != "":
		if _, err := time.Parse(time.DateOnly, string(h.Until)); err != nil {
			return fmt.Errorf("until %.40q is not a day (2027-01-31)", h.Until)
		}
	}
	return checkText("reason", h.Set.Because)
}
