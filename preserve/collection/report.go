package collection

import "quire/model"

// Outcome says whether a collection is whole.
type Outcome string

// The outcomes.
const (
	Complete   Outcome = "complete"
	Incomplete Outcome = "incomplete" // a container is missing, or differs
	Invalid    Outcome = "invalid"    // the METS of the collection cannot be relied on
)

// Report is what Validate found. Its JSON form is the contract of "quire validate --json" for a
// collection.
type Report struct {
	Path     string          `json:"path"` // of the folder, as given
	ID       string          `json:"id"`
	Title    string          `json:"title"`
	Outcome  Outcome         `json:"outcome"`
	Findings []model.Finding `json:"findings"` // about the METS

	Harvests         int64         `json:"harvests"`
	HarvestsComplete int64         `json:"harvests_complete"`
	Lacking          []HarvestLack `json:"incomplete_harvests"` // at most MaxListed, as all lists here

	Expected   int64 `json:"expected"`   // containers
	Present    int64 `json:"present"`    // of those
	Unverified int64 `json:"unverified"` // of those, without a digest to compare: by name, and size where that is known

	Missing       []Item   `json:"missing"` // nowhere
	MissingTotal  int64    `json:"missing_total"`
	Differs       []Differ `json:"differs"` // there by name, with another size or digest
	DiffersTotal  int64    `json:"differs_total"`
	Renamed       []Differ `json:"renamed"` // present, under another name
	RenamedTotal  int64    `json:"renamed_total"`
	Extra         []Held   `json:"extra"` // in a package of the collection, and not expected
	ExtraTotal    int64    `json:"extra_total"`
	Again         int64    `json:"again"` // expected containers that lie in more than one package
	Packages      int64    `json:"packages"`
	Unread        []string `json:"unread"` // packages, or files of theirs, that cannot be counted on
	UnreadTotal   int64    `json:"unread_total"`
	LostPackages  []string `json:"missing_packages"` // named by the collection, and not there
	PackagesTotal int64    `json:"missing_packages_total"`
}

// MaxListed is how many entries a list of a Report has. The totals count all.
const MaxListed = 1000

// Item is a container that is expected.
type Item struct {
	Harvest string `json:"harvest"`
	Name    string `json:"name"`
	Size    int64  `json:"size"` // bytes; -1 when not told
	Digest  string `json:"digest"`

	group int // number of the harvest
}

// HarvestLack is a harvest that is not complete.
type HarvestLack struct {
	ID       string `json:"id"`
	Label    string `json:"label"`
	Expected int64  `json:"expected"`
	Missing  int64  `json:"missing"`
}

// Differ is an expected container, and what is there in its stead.
type Differ struct {
	Item
	There Held `json:"there"`
}

// Held is a container that is somewhere.
type Held struct {
	Package string `json:"package"` // identifier
	Path    string `json:"path"`    // within the package
	Size    int64  `json:"size"`
	SHA512  string `json:"sha512"` // lower-case hex; "" when its package states none

	// Problem says why a package, or a file of it, cannot be counted on; the rest is then only as
	// far as it is known.
	Problem string `json:"-"`
}

// listed appends to a list while there is room.
func listed[T any](list []T, total *int64, v T) []T {
	*total++
	if len(list) < MaxListed {
		list = append(list, v)
	}
	return list
}
