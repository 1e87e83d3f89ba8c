package collection

import "quire/model"

// Outcome is the result of checking a collection.
type Outcome string

// The outcomes.
const (
	Complete   Outcome = "complete"
	Incomplete Outcome = "incomplete" // a container is missing, or differs
	Invalid    Outcome = "invalid"    // the METS of the collection cannot be relied on
)

// Report is the result of Validate. Its JSON form is the contract of "quire validate --json" for a
// collection.
type Report struct {
	Path     string          `json:"path"` // of the folder, as given
	ID       string          `json:"id"`
	Title    string          `json:"title"`
	Outcome  Outcome         `json:"outcome"`
	Findings []model.Finding `json:"findings"` // about the METS

	Harvests         int64         `json:"harvests"`
	HarvestsComplete int64         `json:"harvests_complete"`
	Lacking          []HarvestLack `json:"incomplete_harvests"` // at most MaxListed, like all lists here

	Expected   int64 `json:"expected"`   // containers
	Present    int64 `json:"present"`    // of the expected
	Unverified int64 `json:"unverified"` // of the present: matched by name and known size, without a digest

	Missing       []Item   `json:"missing"` // nowhere
	MissingTotal  int64    `json:"missing_total"`
	Differs       []Differ `json:"differs"` // same name, but another size or digest
	DiffersTotal  int64    `json:"differs_total"`
	Renamed       []Differ `json:"renamed"` // present under another name
	RenamedTotal  int64    `json:"renamed_total"`
	Extra         []Held   `json:"extra"` // unexpected, in a package of the collection
	ExtraTotal    int64    `json:"extra_total"`
	Again         int64    `json:"again"` // expected containers in more than one package
	Packages      int64    `json:"packages"`
	Unread        []string `json:"unread"` // packages or files that are unreliable
	UnreadTotal   int64    `json:"unread_total"`
	LostPackages  []string `json:"missing_packages"` // named by the collection, but missing
	PackagesTotal int64    `json:"missing_packages_total"`
}

// MaxListed is how many entries a list of a Report has. The totals count all entries.
const MaxListed = 1000

// Item is an expected container.
type Item struct {
	Harvest string `json:"harvest"`
	Name    string `json:"name"`
	Size    int64  `json:"size"` // bytes; -1 if not stated
	Digest  string `json:"digest"`

	group int // number of the harvest
}

// HarvestLack is an incomplete harvest.
type HarvestLack struct {
	ID       string `json:"id"`
	Label    string `json:"label"`
	Expected int64  `json:"expected"`
	Missing  int64  `json:"missing"`
}

// Differ is an expected container with the container held instead.
type Differ struct {
	Item
	There Held `json:"there"`
}

// Held is a container in a package.
type Held struct {
	Package string `json:"package"` // identifier
	Path    string `json:"path"`    // within the package
	Size    int64  `json:"size"`
	SHA512  string `json:"sha512"` // lower-case hex; "" if its package states none

	// Problem is the reason why a package, or a file in it, is unreliable; the other fields then
	// hold only the known data.
	Problem string `json:"-"`
}

// listed appends to a list up to its limit.
func listed[T any](list []T, total *int64, v T) []T {
	*total++
	if len(list) < MaxListed {
		list = append(list, v)
	}
	return list
}
