package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	remote "quire/repository/place"
)

// Each far copy has the records of runs below audits/, each written once: compaction changes only those in folders,
// and the leaf of a run proves both forms. A record comes back from a far copy if no folder has it.

// shareFarRuns brings the records of runs to the far copies that lack them.
func (s *Store) shareFarRuns(ctx context.Context) error {
	var errs []error
	for _, c := range s.farPresent() {
		if err := s.pushRuns(ctx, c); err != nil {
			errs = append(errs, fmt.Errorf("copy %s: the records of runs: %w", c.name, err))
		}
	}
	return errors.Join(errs...)
}

func (s *Store) pushRuns(ctx context.Context, c *copyFolder) error {
	have, err := c.farRuns(ctx)
	if err != nil {
		return err
	}
	var runs *enteredRuns
	for _, name := range s.allRuns() {
		if have[name] > 0 {
			continue
		}
		if runs == nil {
			if runs, err = s.enteredRuns(ctx); err != nil {
				return err
			}
		}
		from := s.goodRun(name, runs)
		if from == "" {
			continue // audits report it
		}
		if err := c.pushRun(ctx, name, from); err != nil {
			return err
		}
	}
	return nil
}

// pushRun writes the record of a run into a far copy, and reads it back.
func (c *copyFolder) pushRun(ctx context.Context, name, from string) error {
	content, f, err := sumOf(ctx, from)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // opened for reading only
	if err := c.far.Write(ctx, auditsFolder+"/"+name, f, content); err != nil {
		return err
	}
	got, _, err := remote.ReadBack(ctx, c.far, auditsFolder+"/"+name, func(int64) {})
	if err == nil && got != content.SHA512 {
		err = fmt.Errorf("%s: %w", name, errOther)
	}
	return err
}

// farRuns lists the records of runs in a far copy, with their sizes in bytes.
func (c *copyFolder) farRuns(ctx context.Context) (map[string]int64, error) {
	have := map[string]int64{}
	for e, err := range c.far.List(ctx, auditsFolder+"/") {
		if err != nil {
			return nil, err
		}
		name := strings.TrimPrefix(e.Name, auditsFolder+"/")
		if _, ok := runOf(name); ok && !strings.ContainsAny(name, `/\`) {
			have[name] = e.Size
		}
	}
	return have, nil
}

// fetchRun writes the record of a run in a far copy to a new file.
func (s *Store) fetchRun(ctx context.Context, c *copyFolder, name, to string, size int64) error {
	r, err := c.far.Open(ctx, auditsFolder+"/"+name, 0)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // opened for reading only
	if err := s.disk.mkdirAll(filepath.Dir(to)); err != nil {
		return err
	}
	f, err := s.disk.create(to, workingFile)
	if err != nil {
		return err
	}
	if err := copyExactly(f, r, size); err != nil {
		f.abandon()
		return errors.Join(err, os.Remove(to))
	}
	return f.finish()
}

// fetchRuns brings the records of runs that no folder has from far copies into the first folder, if the register
// confirms them.
func (s *Store) fetchRuns(ctx context.Context, far []*copyFolder) error {
	present := s.present()
	if len(present) == 0 {
		return nil
	}
	confirm := confirmer{store: s}
	for _, c := range far {
		have, err := c.farRuns(ctx)
		if err != nil {
			s.addRecovery(Recovery{Outcome: Pending, Detail: fmt.Sprintf("copy %s: the records of runs: %v", c.name,
				err)})
			continue
		}
		there := map[string]bool{}
		for _, name := range s.allRuns() {
			there[name] = true
		}
		for _, name := range sortedKeys(have) {
			if there[name] {
				continue
			}
			if err := s.bringRun(ctx, c, name, present[0], have[name], &confirm); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// bringRun brings one record into a folder.
func (s *Store) bringRun(ctx context.Context, c *copyFolder, name string, into *copyFolder, size int64,
	confirm *confirmer) error {
	temp := filepath.Join(s.root, fetchedFolder, name)
	if err := s.disk.removeAll(temp); err != nil {
		return err
	}
	if err := s.fetchRun(ctx, c, name, temp, size); err != nil {
		return ctx.Err() // another far copy may have it
	}
	ok, err := confirm.run(ctx, temp)
	if err == nil && ok {
		err = s.copyRun(into, name, temp)
	}
	return errors.Join(err, s.disk.removeAll(filepath.Join(s.root, fetchedFolder)))
}

// runFromFar fetches a record that no folder has into the repository, from a far copy whose record the register
// confirms. It returns its path; "" if there is none.
func (s *Store) runFromFar(ctx context.Context, run string, entered *enteredRuns) string {
	for _, c := range s.farPresent() {
		have, err := c.farRuns(ctx)
		if err != nil {
			continue
		}
		for _, name := range sortedKeys(have) {
			if of, _ := runOf(name); of != run {
				continue
			}
			temp := filepath.Join(s.root, fetchedFolder, name)
			if s.disk.removeAll(temp) == nil && s.fetchRun(ctx, c, name, temp, have[name]) == nil &&
				entered.fault(temp, true) == "" {
				return temp
			}
		}
	}
	return ""
}
