package pack

import (
	"fmt"
	"os"
	"path/filepath"

	"quire/model"
	"quire/source/detect"
	"quire/source/tree"
)

// refused puts on record what of the source was not read, and so is in no harvest: the entries of an archive whose paths lead
// out of it, bombs, what is damaged. A package that silently lacks a container must not pass for whole.
func (b *builder) refused(s *detect.Source) {
	for _, f := range s.Findings {
		if info, err := os.Stat(f.Path); f.Code == string(tree.FaultLink) && err == nil && info.IsDir() {
			continue // the walk through folders has told of their links
		}
		what := fmt.Sprintf("what %s tells of %q: %s", f.Code, filepath.Base(f.Path), f.Message)
		b.left.add(what)
		if len(b.result.Refused) < MaxChecked {
			b.result.Refused = append(b.result.Refused, what)
		}
		if f.Severity == model.Error {
			b.result.Outcome = model.Invalid
		}
	}
}
