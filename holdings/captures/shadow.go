package captures

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Shadow makes a temporary folder for a dry run. If dir has an index, the folder contains a copy of
// it as [DirName]. The files of the copy are links, so new entries are written only to the
// temporary folder. The caller removes the folder.
func Shadow(dir string) (temp string, err error) {
	if temp, err = os.MkdirTemp("", "quire-captures-*"); err != nil {
		return "", err
	}
	if dir, err = filepath.Abs(dir); err == nil {
		err = shadow(dir, filepath.Join(temp, DirName))
	}
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(temp))
	}
	return temp, nil
}

// shadow links the files of a folder. The manifest is copied: the index may go on meanwhile.
func shadow(dir, to string) error {
	if err := os.MkdirAll(to, 0o750); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		from, name := filepath.Join(dir, e.Name()), filepath.Join(to, e.Name())
		switch {
		case e.IsDir():
			err = shadow(from, name)
		case e.Name() == manifestName:
			var text []byte
			if text, err = os.ReadFile(from); err == nil {
				err = os.WriteFile(name, text, 0o640)
			}
		case e.Name() != lockName:
			err = os.Symlink(from, name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
