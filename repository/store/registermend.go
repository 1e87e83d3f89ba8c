package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"quire/repository/register"
)

// mendedBy adds to each finding of a register the one command that mends it. c is nil for the main register, which
// is taken from the copies. The register of a copy is set aside, and written again from the main one.
func (a *audit) mendedBy(ctx context.Context, list []register.Finding, c *copyFolder) []register.Finding {
	list = slices.Clone(list)
	other := ""
	if c != nil && len(list) > 0 {
		other = a.store.trustworthy(ctx, c)
	}
	for i := range list {
		f := &list[i]
		switch {
		case c == nil && damaging(f.Code):
			f.Detail += "; take it from the copies again: quire init rebuild " + a.store.root
		case c == nil || f.Code == register.RegisterBehind || f.Code == register.RegisterKeyAlone:
		case f.Code == register.RegisterMissing:
			f.Detail += "; the next audit without --dry-run writes it again"
		default:
			f.Detail += "; write it again from the main register: quire init rebuild " + a.store.root
			if other != "" {
				f.Detail += " --trust " + other
			}
		}
	}
	return list
}

// damaging reports whether a finding is about damage of a register, as a rebuild mends it.
func damaging(code register.Code) bool {
	return code == register.RegisterDamaged || code == register.RegisterSignature
}

// trustworthy returns another present copy, whose register agrees with the main one; "" if there is none.
func (s *Store) trustworthy(ctx context.Context, not *copyFolder) string {
	for _, c := range s.present() {
		if c == not || !exists(c.register()) {
			continue
		}
		if wrong, err := s.contradicts(ctx, c); err == nil && !wrong {
			return c.name
		}
	}
	return ""
}

// setRegistersAside moves registers that contradict the main one to the quarantine of their copies.
func (s *Store) setRegistersAside(ctx context.Context) error {
	for _, c := range s.present() {
		if !exists(c.register()) {
			continue
		}
		if wrong, err := s.contradicts(ctx, c); err != nil {
			return err
		} else if !wrong {
			continue
		}
		aside := filepath.Join(c.quarantine(newToken()), registerFolder)
		if err := errors.Join(s.forgetShared([]string{c.name}), s.setAside(c.register(), aside)); err != nil {
			return err
		}
		s.addRecovery(Recovery{Outcome: Mended, Detail: fmt.Sprintf("the register of copy %s is in %s now, and is "+
			"written again", c.name, aside)})
	}
	return nil
}

// contradicts reports whether the register of a copy is damaged, or has another history than the main one. It
// reads each leaf.
func (s *Store) contradicts(ctx context.Context, c *copyFolder) (bool, error) {
	wrong := func(f register.Finding) bool {
		return f.Folder == c.register() && f.Code != register.RegisterBehind && f.Code != register.KeyUnlinked &&
			f.Code != register.RegisterKeyAlone
	}
	keys := s.trustedKeys()
	if slices.ContainsFunc(register.Compare([]string{s.registerPath(), c.register()}, keys).Findings, wrong) {
		return true, nil
	}
	report, err := register.Verify(ctx, c.register(), register.VerifyOptions{Keys: keys})
	return slices.ContainsFunc(report.Findings, func(f register.Finding) bool {
		return f.Code == register.RegisterDamaged
	}), err
}
