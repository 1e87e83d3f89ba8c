package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"quire/repository/register"
)

// restoreRegister takes the main register from the copies if the repository lost it, and begins a new key if
// the key is lost. Each audit reports such a key from then on. Copies without a register belong to an earlier
// version of Quire: the register begins when the rebuilt repository is opened.
func (s *Store) restoreRegister(ctx context.Context) error {
	o := s.registerOptions()
	var there []string
	for _, path := range o.Copies {
		if exists(filepath.Join(path, registerHead)) {
			there = append(there, path)
		}
	}
	if !exists(filepath.Join(s.registerPath(), registerHead)) {
		far, err := s.farRegisters(ctx)
		if err != nil {
			return err
		}
		defer func() { _ = s.disk.removeAll(filepath.Join(s.root, fetchedFolder)) }() // the next rebuild removes it
		there, o.Copies = append(there, far...), append(o.Copies, far...)
	}
	if len(there) == 0 && !s.registered() {
		return nil
	}
	if !s.registered() {
		if err := s.takeRegister(ctx, there); err != nil {
			return err
		}
	}
	w, err := register.Open(ctx, o)
	if errors.Is(err, register.ErrNoKey) {
		w, err = register.Relink(ctx, o, time.Now().UTC())
		if err == nil {
			s.addRecovery(Recovery{Outcome: Begun, Detail: "the key of the register was lost, and a new one begins; " +
				"each audit reports this (" + string(register.KeyUnlinked) + ")"})
		}
	}
	if err != nil {
		return fmt.Errorf("the register of %s: %w", s.root, err)
	}
	s.ledger.writer = w
	return nil
}

// takeRegister takes the register from the copies. If they have different histories, only a person can choose.
func (s *Store) takeRegister(ctx context.Context, there []string) error {
	c := register.Compare(there, nil)
	if len(c.Choices) > 1 {
		var named []string
		for _, choice := range c.Choices {
			named = append(named, fmt.Sprintf("%d leaves in %s", choice.Size, strings.Join(s.placesOf(choice.Folders),
				" and ")))
		}
		return fmt.Errorf("the registers of the copies have different histories: %s; give only the folders of "+
			"copies that you trust with --copy", strings.Join(named, "; "))
	}
	if len(c.Choices) == 0 {
		return fmt.Errorf("the register of no copy can be used: %v", c.Findings)
	}
	from := c.Choices[0].Folders[0]
	if _, err := register.Restore(ctx, registerDisk{s.disk}, from, s.registerPath()); err != nil {
		return fmt.Errorf("taking the register from %s: %w", from, err)
	}
	s.addRecovery(Recovery{Outcome: Mended, Detail: "the register was taken from " + s.placesOf([]string{from})[0]})
	return nil
}

// placesOf returns folders of registers for a message: a fetched one by the place of its copy.
func (s *Store) placesOf(folders []string) []string {
	var places []string
	for _, folder := range folders {
		if filepath.Dir(folder) == filepath.Join(s.root, fetchedFolder) {
			if c := s.copyNamed(filepath.Base(folder)); c != nil {
				folder = c.path
			}
		}
		places = append(places, folder)
	}
	return places
}
