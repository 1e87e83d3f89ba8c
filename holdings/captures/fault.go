package captures

import (
	"errors"
	"fmt"
	"slices"

	"quire/internal/filemap"
)

// guarded runs a function that reads mapped files. It turns the memory fault of a failing disk or a
// truncated file into an error, like an error of ReadAt.
func guarded(maps func(address uintptr) bool, read func() error) error {
	err := filemap.Guard(maps, read)
	if errors.Is(err, filemap.ErrFault) {
		return fmt.Errorf("%w: %w", errFault, err)
	}
	return err
}

// errFault reports that a mapped file could not be read.
var errFault = errors.New("the capture index cannot be read from disk, or has become shorter. Check the " +
	"system log for disk errors, then run quire index --rebuild")

// maps reports whether an address is in the mapped file.
func (s *segment) maps(address uintptr) bool { return filemap.Contains(s.text, address) }

func (s *snapshot) maps(address uintptr) bool {
	return slices.ContainsFunc(s.segments, func(f *files) bool {
		return slices.ContainsFunc(f.segments(), func(s *segment) bool { return s.maps(address) })
	})
}

func (r *resolver) maps(address uintptr) bool {
	in := func(s *segment) bool { return s.maps(address) }
	return slices.ContainsFunc(r.captures, in) || slices.ContainsFunc(r.payloads, in)
}
