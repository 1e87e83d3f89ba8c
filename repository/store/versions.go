package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"quire/repository/catalogue"
)

// Counts counts the files that differ between two versions.
type Counts struct {
	Added   int64 `json:"added"`
	Removed int64 `json:"removed"`
	Changed int64 `json:"changed"`
}

// VersionInfo describes a version of a package.
type VersionInfo struct {
	Number  int       `json:"number"`
	Created time.Time `json:"created"`
	Message string    `json:"message"`
	By      string    `json:"by"` // a person or a program
	Files   int64     `json:"files"`
	Bytes   int64     `json:"bytes"`
	Counts            // against the version before
}

// FileChange is a file that differs between two versions. A digest is "" in the version without the
// file.
type FileChange struct {
	Path      string `json:"path"`
	OldSize   int64  `json:"old_bytes"`
	NewSize   int64  `json:"new_bytes"`
	OldSHA512 string `json:"old_sha512"`
	NewSHA512 string `json:"new_sha512"`
}

// Versions lists the versions of a package, the first one first.
func (s *Store) Versions(ctx context.Context, id string) ([]VersionInfo, error) {
	r, err := s.History(ctx, id)
	if err != nil {
		return nil, err
	}
	o := s.truth(r.Package)
	if o == nil {
		return nil, fmt.Errorf("package %s: no available copy has its inventory; audit the repository", id)
	}
	all := make([]VersionInfo, 0, len(r.Versions))
	var before []catalogue.File
	for _, v := range r.Versions {
		info := VersionInfo{Number: v.Number, Created: v.Created, Message: v.Message, By: authorOf(o, v.Number),
			Files: int64(len(v.Files)), Bytes: v.Bytes}
		for _, c := range compareFiles(before, v.Files) {
			info.add(&c)
		}
		all = append(all, info)
		before = v.Files
	}
	return all, nil
}

// add counts a changed file.
func (c *Counts) add(f *FileChange) {
	switch {
	case f.OldSHA512 == "":
		c.Added++
	case f.NewSHA512 == "":
		c.Removed++
	default:
		c.Changed++
	}
}

// Compare lists the files that differ between two versions of a package, sorted by path.
func (s *Store) Compare(ctx context.Context, id string, older, newer int) ([]FileChange, error) {
	r, err := s.History(ctx, id)
	if err != nil {
		return nil, err
	}
	var files [2][]catalogue.File
	for i, n := range []int{older, newer} {
		if n < 1 || n > len(r.Versions) {
			return nil, fmt.Errorf("version %d of %s does not exist; the newest is %d", n, id, len(r.Versions))
		}
		files[i] = r.Versions[n-1].Files
	}
	return compareFiles(files[0], files[1]), nil
}

// compareFiles compares two lists of files, both sorted by path.
func compareFiles(older, newer []catalogue.File) []FileChange {
	all := []FileChange{}
	for len(older)+len(newer) > 0 {
		order := -1 // of the next older file against the next newer one
		if len(older) == 0 {
			order = 1
		} else if len(newer) > 0 {
			order = strings.Compare(older[0].Path, newer[0].Path)
		}
		var c FileChange
		if order <= 0 {
			c.Path, c.OldSize, c.OldSHA512 = older[0].Path, older[0].Size, older[0].SHA512
			older = older[1:]
		}
		if order >= 0 {
			c.Path, c.NewSize, c.NewSHA512 = newer[0].Path, newer[0].Size, newer[0].SHA512
			newer = newer[1:]
		}
		if c.OldSHA512 != c.NewSHA512 {
			all = append(all, c)
		}
	}
	return all
}
