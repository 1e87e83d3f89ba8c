package store

import (
	"errors"
	"path/filepath"

	"quire/repository/register"
)

// The files of the register in the repository.
const (
	statementFolder = "register"
	statementKey    = "register.key"
)

// RegisterHead returns the newest checkpoint of the register and its keys, without a verification of
// the register. The error is register.ErrNoRegister if the repository has none.
func (s *Store) RegisterHead() (register.Checkpoint, []register.KeyAt, error) {
	r, err := register.OpenReader(filepath.Join(s.root, statementFolder))
	if err != nil {
		return register.Checkpoint{}, nil, err
	}
	keys, err := r.Keys()
	if err == nil && len(keys) == 0 {
		err = errors.New("the register names no key")
	}
	return r.Head, keys, err
}

// SignStatement signs lines of text with the key of the register: see [register.SignStatement].
func (s *Store) SignStatement(kind string, lines ...string) ([]byte, error) {
	return register.SignStatement(filepath.Join(s.root, statementFolder), filepath.Join(s.root, statementKey), kind,
		lines...)
}
