package store

import (
	"path/filepath"
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
