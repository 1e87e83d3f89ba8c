package server

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
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
	if s.statements, err = statement.OpenKeys(s.o.Dir); err != nil {
		return err
	}
	if lost {
		s.o.Problem(fmt.Errorf("%s had no %s, so a new key for signed statements was made. If statements were signed "+
			"before, restore the earlier file from a backup and restart", s.o.Dir, statement.KeyName))
	}
	return nil
}

// publishKeys sends the public keys of statements with their times.
func (s *Server) publishKeys(w http.ResponseWriter) {
	all, err := s.statements.Published()
	if err != nil {
		s.o.Problem(err)
		http.Error(w, "the public keys cannot be read", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/x-pem-file")
	_, _ = w.Write(all.PEM()) // the client may have gone
}
