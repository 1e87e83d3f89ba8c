package store

import (
	"context"
	"errors"

	"quire/repository/register"
)

// ErrNoRegister reports a repository that has no register yet. An earlier version of Quire made it, and
// opening it for writing begins one.
var ErrNoRegister = errors.New("the repository has no register yet; quire audit begins one")

// Sign signs a document with the key of the repository. register.CheckSignature verifies the result by the
// public key. purpose says what the signature is for: letters, digits, blanks or . _ -, at most 64.
func (s *Store) Sign(ctx context.Context, purpose string, document []byte) (signature []byte, err error) {
	if err := s.Writable(); err != nil {
		return nil, err
	}
	if !s.registered() {
		return nil, ErrNoRegister
	}
	err = s.withRegister(ctx, func(w *register.Writer) error {
		signature, err = w.Sign(purpose, document)
		return err
	})
	return signature, err
}

// SignStatement signs lines of text with the key of the repository. register.OpenStatement verifies the
// result, also without the repository.
func (s *Store) SignStatement(ctx context.Context, kind string, lines ...string) (signed []byte, err error) {
	if err := s.Writable(); err != nil {
		return nil, err
	}
	if !s.registered() {
		return nil, ErrNoRegister
	}
	err = s.withRegister(ctx, func(w *register.Writer) error {
		signed, err = w.SignStatement(kind, lines...)
		return err
	})
	return signed, err
}

// Keys returns the public keys of the repository, the newest last. They are in the form of note verifier
// keys, as register.CheckSignature takes them.
func (s *Store) Keys() ([]register.KeyAt, error) {
	if !s.registered() {
		return nil, ErrNoRegister
	}
	r, err := register.OpenReader(s.registerPath())
	if err != nil {
		return nil, err
	}
	return r.Keys()
}

// Register returns the newest checkpoint of the register: its size and root, signed.
func (s *Store) Register() (register.Checkpoint, error) {
	if !s.registered() {
		return register.Checkpoint{}, ErrNoRegister
	}
	r, err := register.OpenReader(s.registerPath())
	if err != nil {
		return register.Checkpoint{}, err
	}
	return r.Head, nil
}
