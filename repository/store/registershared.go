package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"

	"quire/repository/register"
)

// A folder that was away has at least the leaves that it got before. One that has fewer was rolled back: nothing is
// appended there before an audit reports it.

// sharedFile is the file in the repository that names the leaves in each folder. It is written after the folders are
// synced, under the lock of the register.
const sharedFile = "register.shared"

// notedLeaves returns the number of leaves of each copy in a file of the repository. A missing or damaged file has
// none: the next sharing writes it again.
func (s *Store) notedLeaves(file string) map[string]int64 {
	sizes := map[string]int64{}
	text, err := readSmall(filepath.Join(s.root, file), 1<<20)
	if err == nil && json.Unmarshal(text, &sizes) != nil {
		return map[string]int64{}
	}
	return sizes
}

func (s *Store) noteLeaves(file string, sizes map[string]int64) error {
	text, _ := json.Marshal(sizes) // has no value that JSON lacks
	return s.disk.replaceFile(filepath.Join(s.root, file), text, workingFile)
}

// shareRegister appends to the register of each copy the leaves that it lacks. It returns the errors of
// copies by name. The caller holds the lock of the register.
func (s *Store) shareRegister(ctx context.Context, w *register.Writer) map[string]error {
	s.ledger.unshared = 0
	failed, had := map[string]error{}, s.notedLeaves(sharedFile)
	now := maps.Clone(had)
	for _, c := range s.present() {
		release, err := s.hold([]*copyFolder{c})
		if err == nil {
			err = c.catchUp(ctx, w, had[c.name])
			release()
		}
		if err != nil {
			failed[c.name] = err
			continue
		}
		now[c.name] = w.Head().Size
	}
	if !maps.Equal(had, now) {
		_ = s.noteLeaves(sharedFile, now) // smaller numbers are true, too, and the next sharing writes them
	}
	return failed
}

// catchUp appends the leaves that the register of the copy lacks, unless it has fewer than it had.
func (c *copyFolder) catchUp(ctx context.Context, w *register.Writer, had int64) error {
	if f := c.rolledBack(had); f != nil {
		return &register.FindingError{Finding: *f}
	}
	_, err := w.CatchUp(ctx, c.register())
	return err
}

// rolledBack compares the register of a folder with the number of leaves that it had. nil: it has these.
func (c *copyFolder) rolledBack(had int64) *register.Finding {
	if had == 0 {
		return nil
	}
	text, err := readSmall(filepath.Join(c.register(), registerHead), maxHead)
	f := &register.Finding{Code: register.RegisterMissing, Folder: c.register(), Index: -1, File: registerHead,
		Expected: fmt.Sprint(had, " leaves"),
		Detail:   "the register of the copy was removed; an audit without --dry-run writes it again"}
	if errors.Is(err, fs.ErrNotExist) {
		return f
	}
	head, parseErr := register.ParseCheckpoint(text)
	if err != nil || parseErr != nil || head.Size >= had {
		return nil // damage is another finding
	}
	f.Code, f.Found = register.RegisterBehind, fmt.Sprint(head.Size, " leaves")
	f.Detail = "the register of the copy was rolled back; an audit without --dry-run brings the leaves again"
	return f
}

// checkFolderRegisters reports the registers in folders that have fewer leaves than they had, before leaves are
// brought there. They get them then.
func (a *audit) checkFolderRegisters(ctx context.Context) error {
	s, writes := a.store, !a.options.DryRun
	had := s.notedLeaves(sharedFile)
	var again []string
	for _, c := range a.there {
		if c.isFar() {
			continue
		}
		f := c.rolledBack(had[c.name])
		if f == nil || f.Code == register.RegisterMissing && !writes {
			continue // the comparison reports the second
		}
		a.addCopyRegister(*f, c, writes)
		again = append(again, c.name)
	}
	if len(again) == 0 || !writes {
		return ctx.Err()
	}
	return s.withRegister(ctx, func(*register.Writer) error { return s.forgetShared(again) })
}

// forgetShared lets the next sharing bring leaves to folders that have fewer than they had. The caller holds the lock
// of the register.
func (s *Store) forgetShared(names []string) error {
	sizes := s.notedLeaves(sharedFile)
	for _, name := range names {
		delete(sizes, name)
	}
	return s.noteLeaves(sharedFile, sizes)
}
