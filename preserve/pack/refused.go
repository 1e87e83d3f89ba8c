package pack

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"quire/internal/archivefs"
	"quire/internal/portable"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/convert"
	"quire/source/detect"
)

// refused puts on record what of the source was not read, and so is in no harvest: the entries of
// an archive whose paths lead out of it, bombs, what is damaged. A package that silently lacks a
// container must not pass for whole.
func (b *builder) refused(s *detect.Source) {
	for _, f := range s.Findings {
		if info, err := os.Stat(f.Path); f.Code == string(archivefs.FaultLink) && err == nil && info.IsDir() {
			continue // the walk through folders has told of their links
		}
		b.refuse(fmt.Sprintf("what %s tells of %q: %s", f.Code, filepath.Base(f.Path), f.Message))
		if f.Severity == model.Error {
			b.result.Outcome = model.Invalid
		}
	}
}

// refuse names one thing that was not read.
func (b *builder) refuse(what string) {
	b.left.add(what)
	if len(b.result.Refused) < MaxChecked {
		b.result.Refused = append(b.result.Refused, what)
	}
}

// torn leaves out a file that the archive around it has damaged. What was begun of it goes.
func (b *builder) torn(it item, why *convert.Torn) error {
	b.refuse(fmt.Sprintf("%s: %v", it.Name, why))
	b.result.Outcome = model.Invalid
	for _, dest := range []string{it.dest, path.Join(aip.OriginalsDir, portable.Name(it.Name))} {
		if err := os.Remove(filepath.Join(b.temp, filepath.FromSlash(dest))); err != nil &&
			!errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
