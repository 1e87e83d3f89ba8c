package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"quire/repository/catalogue"
	remote "quire/repository/place"
)

// States of a copy, see [ListedCopy].
const (
	CopyPresent = "present"
	CopyAway    = "away"
	CopyRetired = "retired"
)

// ListedCopy says where a copy is, and what the catalogue knows about its packages.
type ListedCopy struct {
	Name     string    `json:"name"`
	Kind     string    `json:"kind"` // "folder", "bucket", or "mount"
	Path     string    `json:"path"`
	State    string    `json:"state"`
	Detail   string    `json:"detail"`   // why it is away, or was retired
	Packages int64     `json:"packages"` // of the repository
	Good     int64     `json:"good"`
	Listed   int64     `json:"listed"` // there by the checksums of the store; not read, because they are cold
	Damaged  int64     `json:"damaged"`
	Missing  int64     `json:"missing"`
	Owed     int64     `json:"owed"`
	Bytes    int64     `json:"bytes"`  // of the packages that are good
	Oldest   time.Time `json:"oldest"` // the reading of a good package that is longest ago
	Free     int64     `json:"free"`   // bytes; 0 if unknown
}

// ListCopies lists the copies, and then those that were retired. It reads no package.
func (s *Store) ListCopies(ctx context.Context) ([]ListedCopy, error) {
	config, err := readConfig(s.root)
	if err != nil {
		return nil, err
	}
	sums, err := s.catalogue.CopySums(ctx)
	if err != nil {
		return nil, err
	}
	total, err := s.catalogue.Count(ctx)
	if err != nil {
		return nil, err
	}
	states := make([]ListedCopy, 0, len(config.Copies)+len(config.Retired))
	for _, c := range s.copies {
		k := ListedCopy{Name: c.name, Kind: kindOf(c.path), Path: c.path, State: CopyPresent, Packages: total}
		if err := c.check(s.id); err != nil {
			k.State, k.Detail = CopyAway, err.Error()
		} else if c.isFar() {
			k.Free = 0
		} else if _, free, err := freeSpace(c.path); err == nil {
			k.Free = free
		}
		for _, sum := range sums {
			if sum.Copy == c.name {
				k.add(sum)
			}
		}
		states = append(states, k)
	}
	for _, r := range config.Retired {
		states = append(states, ListedCopy{Name: r.Name, Kind: kindOf(r.Path), Path: r.absolute(s.root),
			State: CopyRetired, Packages: total,
			Detail: fmt.Sprintf("retired at %s: %s", r.At.UTC().Format(time.RFC3339), r.Because)})
	}
	return states, nil
}

// kindOf returns the kind of the place of a copy.
func kindOf(path string) string {
	switch {
	case !remote.IsURL(path):
		return "folder"
	case strings.HasPrefix(path, "s3://"):
		return "bucket"
	}
	return "mount"
}

func (k *ListedCopy) add(sum catalogue.CopySum) {
	switch sum.Status {
	case catalogue.Good:
		k.Good, k.Bytes, k.Oldest = sum.Packages, sum.Bytes, sum.Oldest
	case catalogue.AsListed:
		k.Listed = sum.Packages
	case catalogue.Missing:
		k.Missing = sum.Packages
	case catalogue.Owed:
		k.Owed = sum.Packages
	default:
		k.Damaged = sum.Packages
	}
}

// Lacks returns the number of packages that the copy does not have in their newest version.
func (k *ListedCopy) Lacks() int64 { return k.Packages - k.Good - k.Listed - k.Damaged }

// CopyCheck is the result of [Store.CheckCopies] for one copy.
type CopyCheck struct {
	ListedCopy
	Problems []string `json:"problems"`
	Notes    []string `json:"notes"` // facts that a person should know
}

// CheckCopies checks whether copies are there and usable: their identity, the files of the storage
// root, the right to write, the states of their packages in the catalogue. It reads no package; an
// audit does. No name means all copies.
func (s *Store) CheckCopies(ctx context.Context, only []string) ([]CopyCheck, error) {
	states, err := s.ListCopies(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range only {
		if s.copyNamed(name) == nil {
			return nil, s.noCopy(name)
		}
	}
	checks := []CopyCheck{}
	for _, k := range states {
		chosen := len(only) == 0
		for _, name := range only {
			chosen = chosen || name == k.Name
		}
		if chosen && k.State != CopyRetired {
			checks = append(checks, s.checkCopy(k))
		}
	}
	return checks, nil
}

func (s *Store) checkCopy(k ListedCopy) CopyCheck {
	check := CopyCheck{ListedCopy: k, Problems: []string{}, Notes: []string{}}
	problem := func(format string, args ...any) {
		check.Problems = append(check.Problems, fmt.Sprintf(format, args...))
	}
	if k.State == CopyAway {
		problem("%s", k.Detail)
		return check
	}
	c := s.copyNamed(k.Name)
	c.rootFaults(func(f Finding) { problem("%s %s", f.File, f.Detail) })
	if c.isFar() {
		if err := c.probeFar(context.Background()); err != nil {
			problem("%v", err)
		} else {
			check.Notes = append(check.Notes, c.traits.String())
		}
	} else if err := copiesWritable([]*copyFolder{c}); err != nil {
		problem("%v", err)
	}
	if n := k.Lacks(); n > 0 {
		problem("lacks %d of %d packages: quire copy add %s goes on filling it", n, k.Packages, k.Path)
	}
	if k.Damaged > 0 {
		problem("has %d damaged packages: quire audit --repair", k.Damaged)
	}
	if others := s.onSameDisk(c); len(others) > 0 {
		check.Notes = append(check.Notes, "is on the same file system as "+strings.Join(others, ", ")+
			": one disk can fail for all of them")
	}
	return check
}

// rootFaults compares the files of the storage root itself.
func (c *copyFolder) rootFaults(report func(Finding)) {
	if c.isFar() {
		c.farRootFaults(report)
		return
	}
	files := rootFiles()
	for _, name := range sortedKeys(files) {
		text, err := readSmall(filepath.Join(c.root(), filepath.FromSlash(name)), 1<<20)
		switch {
		case err != nil:
			report(Finding{Code: WrongRoot, Copy: c.name, File: name, Detail: "cannot be read: " + err.Error()})
		case string(text) != string(files[name]):
			report(Finding{Code: WrongRoot, Copy: c.name, File: name, Expected: sumBytes(files[name]),
				Found: sumBytes(text), Detail: "differs from the file that was written (SHA-512)"})
		}
	}
}

// onSameDisk returns the names of the other copies on the file system of a copy.
func (s *Store) onSameDisk(c *copyFolder) []string {
	if c.isFar() {
		return nil
	}
	device, _, err := freeSpace(c.path)
	if err != nil {
		return nil
	}
	var same []string
	for _, other := range s.folders() {
		if other == c {
			continue
		}
		if _, err := os.Stat(other.path); err != nil {
			continue
		}
		if d, _, err := freeSpace(other.path); err == nil && d == device {
			same = append(same, other.name)
		}
	}
	return same
}
