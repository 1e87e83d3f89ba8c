package research

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"quire/holdings"
	"quire/repository/store"
)

// Form is the name of the export in --as and in the register of exports.
const Form = "parquet"

// The tables.
const (
	Captures   = "captures"
	Records    = "records"
	Links      = "links"
	HostLinks  = "host_links"
	Texts      = "texts"
	Containers = "containers"
	Events     = "events"
)

// Tables returns the names of all tables.
func Tables() []string {
	return []string{Captures, Records, Links, HostLinks, Texts, Containers, Events}
}

// Usual returns the tables of an export for which none are named: all without the texts.
func Usual() []string {
	return slices.DeleteFunc(Tables(), func(name string) bool { return name == Texts })
}

// Request describes an export.
type Request struct {
	Out string         // folder of the export: absent, empty, or with an earlier run
	For holdings.Class // class of its readers; "" means Public
	// names of the tables; nil means [Usual], or those of the earlier run
	Tables []string
	// add only these packages; nil means all. Packages that the export has already are checked in any case
	Packages []string
	By       string // the person responsible; "" if unknown

	Problem  func(error)             // receives captures that cannot be read; may be nil
	Progress func(pkg string, n int) // called for each package that is written, with the number left; may be nil
}

// check refuses a wrong request.
func (r *Request) check(st *store.Store) error {
	if r.For == "" {
		r.For = holdings.Public
	}
	if r.Out == "" {
		return errors.New("an export as parquet needs a folder")
	}
	var err error
	if r.Out, err = filepath.Abs(r.Out); err != nil {
		return err
	}
	for _, name := range r.Tables {
		if !slices.Contains(Tables(), name) {
			return fmt.Errorf("there is no table %q; the tables are %s", name, strings.Join(Tables(), ", "))
		}
	}
	slices.Sort(r.Tables)
	r.Tables = slices.Compact(r.Tables)
	return st.CheckOutside(r.Out)
}

func (r *Request) problem(err error) {
	if r.Problem != nil {
		r.Problem(err)
	}
}

// Result describes a run.
type Result struct {
	Export string           `json:"export"` // its id in the register of exports; "" in a plan for a new one
	Path   string           `json:"path"`
	For    holdings.Class   `json:"for"`
	Tables []string         `json:"tables"`
	Rows   map[string]int64 `json:"rows"`  // of each table, in the whole export; null in a plan
	Files  int64            `json:"files"` // of the whole export
	Bytes  int64            `json:"bytes"`

	Kept      int64     `json:"kept"`      // packages that stay as they are
	Added     []Changed `json:"added"`     // packages that are new in the export
	Rewritten []Changed `json:"rewritten"` // packages whose version or access changed
	Removed   []Changed `json:"removed"`   // packages that have no open content any more
	// Unreadable counts pages without rows of links or texts, because no copy has them undamaged.
	Unreadable int64 `json:"unreadable"`
}

// Changed is a package that a run adds, rewrites or removes.
type Changed struct {
	Package string `json:"package"`
	Version int    `json:"version,omitempty"`
	Why     string `json:"why,omitempty"`
}
