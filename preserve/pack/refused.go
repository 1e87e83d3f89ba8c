package pack

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"quire/internal/archivefs"
	"quire/model"
	"quire/preserve/convert"
	"quire/source/detect"
)

// refused records the parts of the source that were not read and are in no harvest: archive entries
// with paths out of the archive, bombs, damage. A package that lacks a container must not seem
// complete.
func (b *builder) refused(s *detect.Source) {
	for _, f := range s.Findings {
		switch f.Code {
		case string(archivefs.FaultAlias), detect.CodeBeside: // nothing is missing
			continue
		case detect.CodeDownload: // it is packed, and in doubt
			b.left.add(fmt.Sprintf("%s of %q: %s", f.Code, filepath.Base(f.Path), f.Message))
			continue
		}
		if info, err := os.Stat(f.Path); f.Code == string(archivefs.FaultLink) && err == nil && info.IsDir() {
			continue // the walk through folders has reported their links
		}
		b.refuse(fmt.Sprintf("what %s tells of %q: %s", f.Code, filepath.Base(f.Path), f.Message))
		if f.Severity == model.Error {
			b.result.Outcome = model.Invalid
		}
	}
}

// refuse records one part that was not read.
func (b *builder) refuse(what string) {
	b.left.add(what)
	if len(b.result.Refused) < MaxChecked {
		b.result.Refused = append(b.result.Refused, what)
	}
}

// torn omits a file that its archive has damaged, and removes its beginning.
func (b *builder) torn(it item, why *convert.Torn) error {
	b.refuse(fmt.Sprintf("%s: %v", it.Name, why))
	b.result.Outcome = model.Invalid
	for _, dest := range []string{it.dest, originalOf(&it)} {
		if err := os.Remove(filepath.Join(b.temp, filepath.FromSlash(dest))); err != nil &&
			!errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
