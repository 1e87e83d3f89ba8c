package store

import (
	"context"
	"fmt"
	"time"

	"quire/repository/register"
)

// EnterTombstone enters the removal of a package in the register. record is a document on the removal, which
// the caller keeps with its salt; both may be shown later as proof. It must be called while a copy still has
// the salt of the package: the leaf names the package by it. A call with the same values enters nothing again.
func (s *Store) EnterTombstone(ctx context.Context, id string, at time.Time, record []byte,
	recordSalt register.Salt) error {
	if err := s.Writable(); err != nil {
		return err
	}
	card, err := s.card(ctx, id)
	if err != nil {
		return err
	}
	salt, ok, err := s.knownSalt(ctx, card.Object, card.Path)
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("no copy has the salt of %s, so the register cannot name it", id)
	}
	return s.tombstone(ctx, salt, card.Object, at, record, recordSalt)
}

// tombstone enters the removal of an object, by its salt.
func (s *Store) tombstone(ctx context.Context, salt register.Salt, object string, at time.Time, record []byte,
	recordSalt register.Salt) error {
	l := leavesOf(salt, object)
	l.add(register.Tombstone{Time: at.UTC().Truncate(time.Microsecond), Object: l.object,
		Record: recordSalt.Record(record)})
	if l.err != nil {
		return l.err
	}
	return s.enter(ctx, &noteLeaves{Leaves: l.list})
}
