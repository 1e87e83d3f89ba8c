package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"quire/repository/catalogue"
	"quire/repository/register"
)

// Each far copy has the files of the register below register/, as the folders have. The checkpoint is written last.
// pushedFile remembers how many leaves each far copy has: a command that appends nothing asks no service, and a far
// copy that has fewer was rolled back.

// pushedFile is the file in the repository that names the leaves in each far copy.
const pushedFile = "register.pushed"

// maxTileFile is the maximum size of a file of a register, in bytes: a bundle of the longest leaves.
const maxTileFile = 256 * (2 + 1<<16)

// pushed returns the number of leaves that were brought to each far copy.
func (s *Store) pushed() map[string]int64 { return s.notedLeaves(pushedFile) }

// shareFarRegister brings the leaves that far copies lack. It returns the errors of copies by name. A copy that fails
// gets the leaves later. If another process is at it, nothing is done.
func (s *Store) shareFarRegister(ctx context.Context) map[string]error {
	failed := map[string]error{}
	if len(s.folders()) == len(s.copies) {
		return failed
	}
	l, err := tryLock(s.lockPath("register-far"), exclusive, "the register in far copies", "push")
	if err != nil {
		return failed
	}
	defer l.release()
	head, err := s.Register()
	if err != nil {
		return failed // the next opening for writing reports it
	}
	sizes := s.pushed()
	for _, c := range s.copies {
		if !c.isFar() || sizes[c.name] == head.Size || c.check(s.id) != nil {
			continue
		}
		size, err := s.pushRegister(ctx, c, sizes[c.name])
		if err != nil {
			failed[c.name] = fmt.Errorf("the register in copy %s: %w", c.name, err)
			continue
		}
		sizes[c.name] = size
		if err := s.noteLeaves(pushedFile, sizes); err != nil {
			failed[c.name] = err
		}
	}
	return failed
}

// pushTries is the number of attempts of a push. A writer removes a partial tile once its full tile exists.
const pushTries = 3

// pushRegister brings the leaves that a far copy lacks, and returns their number there. A register that disagrees, or
// that has fewer leaves than it had, is never written to.
func (s *Store) pushRegister(ctx context.Context, c *copyFolder, had int64) (size int64, err error) {
	for range pushTries {
		if size, err = s.tryPushRegister(ctx, c, had); !errors.Is(err, fs.ErrNotExist) || ctx.Err() != nil {
			break
		}
	}
	return size, err
}

func (s *Store) tryPushRegister(ctx context.Context, c *copyFolder, had int64) (int64, error) {
	r, err := register.OpenReader(s.registerPath())
	if err != nil {
		return 0, err
	}
	var from int64
	text, err := c.farRegisterFile(ctx, registerHead)
	if err == nil {
		there, finding, err := r.CheckHead(c.path, text)
		if err != nil {
			return 0, err
		}
		if finding != nil {
			return 0, &register.FindingError{Finding: *finding}
		}
		from = there.Size
	} else if !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	if from < had {
		return 0, fmt.Errorf("it has %d leaves, and had %d: it was rolled back; quire audit reports it, and brings "+
			"them again", from, had)
	}
	if from == r.Head.Size {
		return from, nil
	}
	full := map[string]string{} // level → its first full tile, of which the copy may have partial ones
	for name := range register.TileFiles(from, r.Head.Size) {
		if err := s.pushTile(ctx, c, name); err != nil {
			return 0, err
		}
		level := strings.Split(name, "/")[1]
		if full[level] == "" && !isPartial(name) {
			full[level] = name
		}
	}
	keys, err := readSmall(filepath.Join(s.registerPath(), registerKeysFile), maxTileFile)
	if err == nil {
		err = c.far.Replace(ctx, registerFolder+"/"+registerKeysFile, keys)
	}
	if err == nil {
		err = c.far.Replace(ctx, registerFolder+"/"+registerHead, r.Head.Text)
	}
	if err != nil {
		return 0, err
	}
	for _, name := range full {
		_ = c.far.Erase(ctx, registerFolder+"/"+name+".p/", nil) // a leftover does no harm
	}
	return r.Head.Size, nil
}

// isPartial reports whether a tile file may be followed by a longer one.
func isPartial(name string) bool { return strings.HasSuffix(path.Dir(name), ".p") }

// pushTile writes one file of the main register into a far copy. A full tile is written once.
func (s *Store) pushTile(ctx context.Context, c *copyFolder, name string) error {
	text, err := readSmall(filepath.Join(s.registerPath(), filepath.FromSlash(name)), maxTileFile)
	if err != nil {
		return err
	}
	if isPartial(name) {
		return c.far.Replace(ctx, registerFolder+"/"+name, text)
	}
	return c.writeFar(ctx, registerFolder+"/"+name, text)
}

// farRegisterFile reads a file of the register in a far copy.
func (c *copyFolder) farRegisterFile(ctx context.Context, name string) ([]byte, error) {
	return readFarFile(ctx, c.far, registerFolder+"/"+name, maxTileFile)
}

// checkFarRegister compares the register in a far copy with the main one, before leaves are brought there. One that was
// removed or rolled back gets them then. With a repair, one with another history goes to the quarantine of the copy.
func (a *audit) checkFarRegister(ctx context.Context, c *copyFolder, r *register.Reader) error {
	f, mend, err := c.judgeRegister(ctx, r, a.store.pushed()[c.name])
	if err != nil || f == nil {
		return err
	}
	writes := !a.options.DryRun
	if mend == mendByRepair {
		f.Detail += "; quire audit --repair moves it to " + quarantineFolder + ", and writes it again"
		writes = writes && a.options.Repair
	}
	writes = writes && mend != mendByNothing
	a.addCopyRegister(*f, c, writes)
	if writes && mend == mendByRepair {
		a.note(c.setFarRegisterAside(ctx))
	}
	if writes {
		a.note(a.store.forgetPushed(c))
	}
	return nil
}

// checkFarRegisters compares the registers in far copies with the main one.
func (a *audit) checkFarRegisters(ctx context.Context) error {
	r, err := register.OpenReader(a.store.registerPath())
	if err != nil { // the verification reports it
		return ctx.Err()
	}
	for _, c := range a.there {
		if !c.isFar() {
			continue
		}
		if err := a.checkFarRegister(ctx, c, r); err != nil {
			return err
		}
	}
	return nil
}

// farMend is the way in which the register of a far copy is mended.
type farMend int

const (
	mendByNothing farMend = iota
	mendByPush            // the next push
	mendByRepair
)

// judgeRegister compares the register in a far copy with the main one. had is the number of leaves that were brought
// there. nil: no fault.
func (c *copyFolder) judgeRegister(ctx context.Context, r *register.Reader, had int64) (*register.Finding, farMend,
	error) {
	text, failed := c.farRegisterFile(ctx, registerHead)
	f := &register.Finding{Code: register.RegisterMissing, Index: -1, File: registerHead,
		Expected: fmt.Sprint(had, " leaves")}
	switch {
	case ctx.Err() != nil:
		return nil, mendByNothing, ctx.Err()
	case errors.Is(failed, fs.ErrNotExist) && had == 0:
		return nil, mendByNothing, nil // the copy is new, or of an earlier version of Quire
	case errors.Is(failed, fs.ErrNotExist):
		f.Detail = "the register of the copy was removed; an audit without --dry-run writes it again"
		return f, mendByPush, nil
	case failed != nil:
		f.Code, f.Expected, f.Detail = register.RegisterDamaged, "", "cannot be read: "+failed.Error()
		return f, mendByNothing, nil //nolint:nilerr // the finding says it
	}
	there, finding, err := r.CheckHead(c.path, text)
	switch {
	case err != nil:
		return nil, mendByNothing, err
	case finding != nil && finding.Code == register.RegisterBehind: // the main one
		return finding, mendByNothing, nil
	case finding != nil:
		return finding, mendByRepair, nil
	case there.Size >= had:
		return nil, mendByNothing, nil
	}
	f.Code, f.Found = register.RegisterBehind, fmt.Sprint(there.Size, " leaves")
	f.Detail = "the register of the copy was rolled back; an audit without --dry-run brings the leaves again"
	return f, mendByPush, nil
}

// addCopyRegister adds a finding about the register of a copy.
func (a *audit) addCopyRegister(f register.Finding, c *copyFolder, mended bool) {
	a.addObject(Finding{Code: Code(f.Code), Copy: c.name, File: registerFolder + "/" + f.File, Expected: f.Expected,
		Found: f.Found, Detail: f.Detail}, mended)
}

// forgetPushed lets the next push ask a far copy how many leaves it has.
func (s *Store) forgetPushed(c *copyFolder) error {
	sizes := s.pushed()
	delete(sizes, c.name)
	return s.noteLeaves(pushedFile, sizes)
}

// setFarRegisterAside moves the register of a far copy to its quarantine.
func (c *copyFolder) setFarRegisterAside(ctx context.Context) error {
	tx := newToken()
	var names []string
	for e, err := range c.far.List(ctx, registerFolder+"/") {
		if err != nil {
			return err
		}
		names = append(names, e.Name)
	}
	for _, name := range names {
		if err := c.far.Rename(ctx, name, quarantineFolder+"/"+tx+"/"+name); err != nil {
			return fmt.Errorf("copy %s: %w", c.name, err)
		}
	}
	return nil
}

// readFarRegister compares each file of the register in a far copy with the main one, after leaves were brought there.
// A repair replaces those that differ.
func (a *audit) readFarRegister(ctx context.Context, c *copyFolder) error {
	if a.choice.Kind != catalogue.Full {
		return nil
	}
	r, err := register.OpenReader(a.store.registerPath())
	if err != nil { // the verification reported it
		return ctx.Err()
	}
	text, err := c.farRegisterFile(ctx, registerHead)
	if err != nil { // it was reported, or does not answer
		return ctx.Err()
	}
	there, finding, err := r.CheckHead(c.path, text)
	if err != nil || finding != nil || there.Size != r.Head.Size {
		return err // it was reported, or gets the leaves later
	}
	names := []string{registerKeysFile}
	for name := range register.TileFiles(0, r.Head.Size) {
		names = append(names, name)
	}
	repair := a.options.Repair && !a.options.DryRun
	for _, name := range names {
		want, err := readSmall(filepath.Join(a.store.registerPath(), filepath.FromSlash(name)), maxTileFile)
		if err != nil {
			return ctx.Err() // of the main register, which was verified, or another process appends
		}
		got, err := c.farRegisterFile(ctx, name)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil && bytes.Equal(got, want):
			continue
		case err == nil:
			err = errOther
		}
		a.addCopyRegister(register.Finding{Code: register.RegisterDamaged, File: name, Detail: fmt.Sprintf(
			"%v; quire audit --repair writes it again", err)}, c, repair)
		if repair {
			a.note(c.far.Replace(ctx, registerFolder+"/"+name, want))
		}
	}
	return nil
}

// fetchRegister writes the register of a far copy into a folder, for comparison. A file that is missing ends it: a
// checkpoint may name any number of leaves.
func (s *Store) fetchRegister(ctx context.Context, c *copyFolder, to string) error {
	text, err := c.farRegisterFile(ctx, registerHead)
	if err != nil {
		return err
	}
	head, err := register.ParseCheckpoint(text)
	if err != nil {
		return err
	}
	for name := range register.TileFiles(0, head.Size) {
		if err := s.fetchTile(ctx, c, name, to); err != nil {
			return err
		}
	}
	if err := s.fetchTile(ctx, c, registerKeysFile, to); err != nil {
		return err
	}
	return s.disk.writeFile(filepath.Join(to, registerHead), text, workingFile)
}

func (s *Store) fetchTile(ctx context.Context, c *copyFolder, name, to string) error {
	text, err := c.farRegisterFile(ctx, name)
	if err != nil {
		return err
	}
	target := filepath.Join(to, filepath.FromSlash(name))
	if err := s.disk.mkdirAll(filepath.Dir(target)); err != nil {
		return err
	}
	return s.disk.writeFile(target, text, workingFile)
}

// fetchedFolder is where a rebuild keeps the registers of far copies while it compares them.
const fetchedFolder = "register.fetched"

// farRegisters fetches the registers of the far copies into folders with the names of these copies.
func (s *Store) farRegisters(ctx context.Context) ([]string, error) {
	all := filepath.Join(s.root, fetchedFolder)
	if err := s.disk.removeAll(all); err != nil { // of a killed rebuild
		return nil, err
	}
	var fetched []string
	for _, c := range s.farPresent() {
		to := filepath.Join(all, c.name)
		err := s.disk.mkdirAll(to)
		if err == nil {
			err = s.fetchRegister(ctx, c, to)
		}
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err == nil:
			fetched = append(fetched, to)
		case !errors.Is(err, fs.ErrNotExist):
			s.addRecovery(Recovery{Outcome: Pending, Detail: fmt.Sprintf("the register in copy %s cannot be used: %v",
				c.name, err)})
		}
	}
	return fetched, nil
}
