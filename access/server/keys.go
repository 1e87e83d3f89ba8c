package server

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"quire/access/replay"
	"quire/access/statement"
)

// keys opens the keys of the server, and makes those that are not there. It reports a new key of statements if
// a server ran here before: its statements do not verify with the new key.
func (s *Server) keys() (err error) {
	missing := func(name string) bool {
		_, err := os.Lstat(filepath.Join(s.o.Dir, name))
		return errors.Is(err, fs.ErrNotExist)
	}
	lost := missing(statement.KeyName) && !missing(replay.KeyName)
	if s.key, err = replay.OpenKey(s.o.Dir); err != nil {
		return err
	}
	if s.statements, err = statement.OpenKey(s.o.Dir); err != nil {
		return err
	}
	if lost {
		s.o.Problem(fmt.Errorf("%s had no %s, so a new key for signed statements was made. If statements were signed "+
			"before, restore the earlier file from a backup and restart", s.o.Dir, statement.KeyName))
	}
	return nil
}
