package store

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// Wider sums up the files and folders of one place that more accounts can reach than the repository grants. It is a
// warning: packages stored before there were such settings are wider, and as whole as others.
type Wider struct {
	Place string      `json:"place"` // name of the copy, or "repository"
	Path  string      `json:"path"`  // folder
	Count int64       `json:"count"`
	First string      `json:"first"` // below Path
	Found fs.FileMode `json:"-"`     // of the first
	Mode  fs.FileMode `json:"-"`     // granted to folders
}

// String names the first of them and the command that narrows all.
func (w Wider) String() string {
	return fmt.Sprintf("%s: %d files and folders are open to more accounts than mode %04o grants, first %s (%04o); narrow them: chmod -R %s %s",
		w.Place, w.Count, w.Mode, w.First, w.Found, narrowing(w.Mode), w.Path)
}

// narrowing is what chmod takes to remove all that a mode does not grant.
func narrowing(mode fs.FileMode) string {
	var parts []string
	for i, class := range []string{"g", "o"} {
		missing := ""
		for j, bit := range []string{"r", "w", "x"} {
			if mode>>(5-3*i-j)&1 == 0 {
				missing += bit
			}
		}
		if missing != "" {
			parts = append(parts, class+"-"+missing)
		}
	}
	return strings.Join(parts, ",")
}

// wider looks for what is open to more accounts than granted: in the packages that are audited, or everywhere when all are.
func (a *audit) wider(ctx context.Context) error {
	s := a.store
	var own []string
	for _, c := range s.copies {
		own = append(own, c.path)
	}
	at := []string{"."}
	if len(a.ids) == 0 {
		if err := a.widerIn(ctx, "repository", s.root, []string{"."}, append(own, filepath.Join(s.root, locksFolder))); err != nil {
			return err
		}
	}
	if len(a.ids) > 0 {
		at = nil
		for card, err := range a.cards(ctx) {
			if err != nil {
				return err
			}
			at = append(at, filepath.Join(rootFolder, filepath.FromSlash(card.Path)))
		}
	}
	for _, c := range a.there {
		if err := a.widerIn(ctx, c.name, c.path, at, nil); err != nil {
			return err
		}
	}
	return nil
}

// widerIn looks through folders of a place, and passes over those in but. What cannot be read is not its concern.
func (a *audit) widerIn(ctx context.Context, place, root string, at, but []string) error {
	w := Wider{Place: place, Path: root, Mode: a.store.disk.granted().mode}
	skip := map[string]bool{}
	for _, path := range but {
		skip[path] = true
	}
	for _, below := range at {
		err := filepath.WalkDir(filepath.Join(root, below), func(path string, entry fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				return nil //nolint:nilerr // what cannot be read is told by the audit itself
			case entry.Type()&fs.ModeSymlink != 0:
				return nil
			case skip[path]:
				return fs.SkipDir
			}
			info, err := entry.Info()
			if err != nil {
				return nil //nolint:nilerr // it went away meanwhile
			}
			if info.Mode().Perm()&0o077&^w.Mode == 0 {
				return nil
			}
			if w.Count++; w.Count == 1 {
				w.First, w.Found = path, info.Mode().Perm()
				if rel, err := filepath.Rel(root, path); err == nil {
					w.First = filepath.ToSlash(rel)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if w.Count > 0 {
		a.report.Wider = append(a.report.Wider, w)
	}
	return nil
}
