//go:build !linux

package sqlite

// WriterOf returns false: this system has no list of locks.
func WriterOf(string) (Writer, bool) { return Writer{}, false }
