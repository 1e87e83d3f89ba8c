package store

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"quire/repository/catalogue"
)

// Wider counts the files and folders of one place that more accounts can reach than the repository
// grants. It is only a warning: earlier versions of Quire had no settings for access. The packages
// that they stored have wider access, but are otherwise undamaged.
type Wider struct {
	Place string      `json:"place"` // name of the copy, or "repository"
	Path  string      `json:"path"`  // folder
	Count int64       `json:"count"`
	First string      `json:"first"` // below Path
	Found fs.FileMode `json:"-"`     // of the first
	Mode  fs.FileMode `json:"-"`     // granted to folders
}

// String names the first entry and the command that restricts all.
func (w Wider) String() string {
	return fmt.Sprintf("%s: %d files and folders are open to more accounts than mode %04o grants, first "+
		"%s (%04o); restrict them: chmod -R %s %s",
		w.Place, w.Count, w.Mode, w.First, w.Found, narrowing(w.Mode), w.Path)
}

// narrowing returns the argument of chmod that removes all access beyond a mode.
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

// wider looks for entries that are open to more accounts than granted: in the audited packages, or
// everywhere in an audit of all packages. A sample does not look for them.
func (a *audit) wider(ctx context.Context) error {
	s := a.store
	var own []string
	for _, c := range s.folders() {
		own = append(own, c.path)
	}
	at := []string{"."}
	switch a.choice.Kind {
	case catalogue.Full:
		if err := a.widerIn(ctx, "repository", s.root, []string{"."},
			append(own, filepath.Join(s.root, locksFolder))); err != nil {
			return err
		}
	case catalogue.Sample, catalogue.Aged:
		return nil
	case catalogue.Named:
		at = nil
		for _, id := range a.ids {
			card, err := s.card(ctx, id)
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

// widerIn checks the folders listed in at, except the folders listed in but. It ignores unreadable
// entries. It also ignores entries below a folder that excludes other accounts, such as the indexes
// of quire serve in the repository folder.
func (a *audit) widerIn(ctx context.Context, place, root string, at, but []string) error {
	w := Wider{Place: place, Path: root, Mode: a.store.disk.granted().mode}
	skip := map[string]bool{}
	for _, path := range but {
		skip[path] = true
	}
	for _, below := range at {
		come := fs.FileMode(0o077)
		for dir := filepath.Dir(filepath.Join(root, below)); len(dir) >= len(root); dir = filepath.Dir(dir) {
			if info, err := os.Stat(dir); err == nil {
				come = admitted(info.Mode(), come)
			}
		}
		if err := w.walk(ctx, filepath.Join(root, below), come, skip); err != nil {
			return err
		}
	}
	if w.Count > 0 {
		a.report.Wider = append(a.report.Wider, w)
	}
	return nil
}

// admitted returns the accounts of come that can enter a folder, as the bits of group and others.
func admitted(folder, come fs.FileMode) fs.FileMode {
	if folder&0o010 == 0 {
		come &^= 0o070
	}
	if folder&0o001 == 0 {
		come &^= 0o007
	}
	return come
}

// walk counts the entries with wider access at a path. come is the set of accounts that can reach
// this path.
func (w *Wider) walk(ctx context.Context, path string, come fs.FileMode, skip map[string]bool) error {
	info, err := os.Lstat(path)
	if err != nil || skip[path] || info.Mode()&fs.ModeSymlink != 0 {
		return ctx.Err() // the audit itself reports unreadable entries
	}
	if info.Mode().Perm()&come&^w.Mode != 0 {
		if w.Count++; w.Count == 1 {
			w.First, w.Found = path, info.Mode().Perm()
			if rel, err := filepath.Rel(w.Path, path); err == nil {
				w.First = filepath.ToSlash(rel)
			}
		}
	}
	if come = admitted(info.Mode(), come); !info.IsDir() || come&^w.Mode == 0 {
		return ctx.Err()
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return ctx.Err() // as above
	}
	for _, e := range entries {
		if err := w.walk(ctx, filepath.Join(path, e.Name()), come, skip); err != nil {
			return err
		}
	}
	return nil
}
