package convert

import "quire/internal/archivefs"

// Torn is the error for a file damaged by its enclosing archive. It is reported, and the rest of
// the source is read.
type Torn struct{ err error }

// Error describes the damage.
func (t *Torn) Error() string { return "the archive damaged this file: " + t.err.Error() }

// Unwrap returns the error of the archive's reader.
func (t *Torn) Unwrap() error { return t.err }

// Open opens the file of a step. The error is a Torn if the archive is damaged there, otherwise an
// error of the machine.
func (s *Step) Open() (archivefs.Content, error) {
	c, err := s.Tree.Open(s.File.Path)
	if kind := s.Tree.Kind(); kind != archivefs.Folder && kind != archivefs.Virtual && archivefs.Damaged(err) {
		return nil, &Torn{err}
	}
	return c, err
}
