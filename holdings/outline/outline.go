package outline

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"quire/holdings/facts"
	"quire/holdings/rights"
	"quire/model"
	"quire/preserve/aip"
)

// Outline is the part of the facts of one version of a package that decisions on access need.
type Outline struct {
	Rights      *rights.Own      `json:"-"` // see [Kept]
	TitleSource *aip.TitleSource `json:"title_source,omitempty"`
	Harvests    int              `json:"harvests"`
	Containers  []Container      `json:"containers"` // by path
	// Index is a text that changes with the containers as the index of captures must have them.
	Index string `json:"index"`
}

// Container is a container in an outline: see [facts.Container].
type Container struct {
	Path       string            `json:"path"`
	Scan       model.ScanOutcome `json:"scan"`
	Never      string            `json:"never,omitempty"`
	Restricted bool              `json:"restricted,omitempty"`
	Viral      []int64           `json:"viral,omitempty"`      // its infected records, sorted
	ViralSums  []string          `json:"viral_sums,omitempty"` // SHA-256, hex
}

// Plain reports whether the container has no rights of its own.
func (c *Container) Plain() bool { return c.Never == "" && len(c.Viral)+len(c.ViralSums) == 0 }

// Infected reports whether a virus was found in a record.
func (c *Container) Infected(order int64) bool {
	_, is := slices.BinarySearch(c.Viral, order)
	return is
}

// Of returns the outline of facts.
func Of(f *facts.Facts, shared *rights.Shared) (*Outline, error) {
	o := &Outline{TitleSource: f.TitleSource, Harvests: len(f.Harvests)}
	for path, c := range f.Containers {
		o.Containers = append(o.Containers, Container{Path: path, Scan: c.Scan, Never: c.Never,
			Restricted: c.Restricted, Viral: slices.Sorted(maps.Keys(c.Viral)), ViralSums: c.ViralSums})
	}
	slices.SortFunc(o.Containers, func(a, b Container) int { return strings.Compare(a.Path, b.Path) })
	var err error
	o.Rights, err = shared.Own(f.Rights.Statements)
	return o, err
}

// Kept is an outline of one version, as the file has it.
type Kept struct {
	ID        string
	Inventory string // of the version
	rights    rights.Sum
	text      []byte
}

// keep returns the form for the file.
func keep(id, inventory string, o *Outline) (Kept, error) {
	text, err := json.Marshal(o)
	return Kept{id, inventory, o.Rights.Sum, text}, err
}

// sum covers all parts of the row, and its form: a damaged one, or one of another form, is not used.
func (k *Kept) sum(form byte) []byte {
	h := sha256.New()
	for _, part := range [][]byte{{form}, []byte(k.ID), {0}, []byte(k.Inventory), {0}, k.rights[:], k.text} {
		h.Write(part) // a hash never fails
	}
	return h.Sum(nil)
}

// errDamaged reports a row that differs from the written one.
var errDamaged = errors.New("the outline is damaged")
