package convert

import "quire/internal/archivefs"

// Torn is the error of a file that the archive it lies in has damaged. It is told of, and the rest
// is read.
type Torn struct{ err error }

// Error says what is damaged.
func (t *Torn) Error() string { return "the archive has damaged it: " + t.err.Error() }

// Unwrap gives what the archive's reader said.
func (t *Torn) Unwrap() error { return t.err }

// Open opens the file of a step. The error is a Torn where the archive is damaged there, else one
// of the machine.
func (s *Step) Open() (archivefs.Content, error) {
	c, err := s.Tree.Open(s.File.Path)
	if kind := s.Tree.Kind(); kind != archivefs.Folder && kind != archivefs.Virtual && archivefs.Damaged(err) {
		return nil, &Torn{err}
	}
	return c, err
}
