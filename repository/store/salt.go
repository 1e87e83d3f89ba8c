package store

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"quire/repository/ocfl"
	"quire/repository/register"
)

// saltFile is the file in the logs of an object that makes its digests in the register unguessable. It has
// 64 hex digits and a line feed. A purge deletes it with the object; nothing else holds it.
const saltFile = "salt"

// saltPath is the path of the salt below the folder of an object.
const saltPath = ocfl.LogsDir + "/" + saltFile

func saltText(salt register.Salt) []byte { return []byte(salt.String() + "\n") }

// saltIn reads the salt of an object in a copy.
func saltIn(c *copyFolder, path string) (register.Salt, bool) { return readSalt(c.object(path)) }

// readSalt reads the salt in the folder of an object.
func readSalt(object string) (register.Salt, bool) {
	text, err := readSmall(filepath.Join(object, ocfl.LogsDir, saltFile), 1<<10)
	if err != nil {
		return register.Salt{}, false
	}
	salt, err := register.ParseSalt(strings.TrimSuffix(string(text), "\n"))
	return salt, err == nil
}

// saltOf returns the salt of an object: the one that most of the present copies have.
func (s *Store) saltOf(path string) (salt register.Salt, ok bool) {
	votes := map[register.Salt]int{}
	for _, c := range s.present() {
		if there, found := saltIn(c, path); found {
			if votes[there]++; !ok || votes[there] > votes[salt] {
				salt, ok = there, true
			}
		}
	}
	return salt, ok
}

// saltFor returns the salt of an object, or a new one.
func (s *Store) saltFor(path string) register.Salt {
	if salt, ok := s.saltOf(path); ok {
		return salt
	}
	return register.NewSalt()
}

// saltsOf returns the different salts that the present copies have of an object.
func (s *Store) saltsOf(path string) (salts []register.Salt) {
	for _, c := range s.present() {
		if salt, ok := saltIn(c, path); ok && !slices.Contains(salts, salt) {
			salts = append(salts, salt)
		}
	}
	return salts
}

// knownSalt returns the salt by which a change enters its leaves. Where copies differ, it is the one by which
// the register has the object: a forged salt in most copies would begin a second history.
func (s *Store) knownSalt(ctx context.Context, object, path string) (salt register.Salt, ok bool, err error) {
	salts := s.saltsOf(path)
	switch {
	case len(salts) == 0:
		return salt, false, nil
	case len(salts) == 1:
		return salts[0], true, nil
	case s.registered():
		h, found, err := s.historyOf(ctx, object, path)
		if found || err != nil {
			return h.salt, found, err
		}
	}
	salt, ok = s.saltOf(path)
	return salt, ok, nil
}

// saltToEnter is knownSalt; for an object without a salt it returns a new one.
func (s *Store) saltToEnter(ctx context.Context, object, path string) (register.Salt, error) {
	salt, ok, err := s.knownSalt(ctx, object, path)
	if !ok {
		salt = register.NewSalt()
	}
	return salt, err
}

// putSalt writes the salt of an object into the present copies that have the object and no salt.
func (s *Store) putSalt(path string, salt register.Salt) error {
	for _, c := range s.present() {
		if !exists(c.object(path)) {
			continue
		}
		if _, there := saltIn(c, path); there {
			continue
		}
		if err := s.addEventFile(c, path, saltFile, saltText(salt)); err != nil {
			return err
		}
	}
	return nil
}
