package archivefs

import (
	"errors"
	"fmt"
	"io"
)

// Streamed returns a Content of size bytes that must be inflated. Reading forward keeps nothing. A
// seek, or a read at an offset, inflates everything, into memory or into a file without a name.
func Streamed(size int64, open func() (io.ReadCloser, error)) Content {
	return &stream{size: size, open: open}
}

type stream struct {
	size  int64
	open  func() (io.ReadCloser, error)
	r     io.ReadCloser // while read forward only
	at    int64
	whole Content
}

// Read implements io.Reader.
func (s *stream) Read(p []byte) (int, error) {
	if s.whole != nil {
		return s.whole.Read(p)
	}
	if s.at >= s.size {
		return 0, io.EOF
	}
	if s.r == nil {
		r, err := s.open()
		if err != nil {
			return 0, err
		}
		s.r = r
	}
	n, err := s.r.Read(p[:min(int64(len(p)), s.size-s.at)])
	if s.at += int64(n); errors.Is(err, io.EOF) && s.at < s.size {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// Seek implements io.Seeker. Asking for the current position or the size costs nothing.
func (s *stream) Seek(offset int64, whence int) (int64, error) {
	if s.whole == nil && (whence == io.SeekCurrent && offset == 0 || whence == io.SeekStart && offset == s.at) {
		return s.at, nil
	}
	if err := s.inflate(); err != nil {
		return 0, err
	}
	return s.whole.Seek(offset, whence)
}

// ReadAt implements io.ReaderAt.
func (s *stream) ReadAt(p []byte, offset int64) (int, error) {
	if err := s.inflate(); err != nil {
		return 0, err
	}
	return s.whole.ReadAt(p, offset)
}

// inflate inflates everything.
func (s *stream) inflate() (err error) {
	if s.whole != nil {
		return nil
	}
	if err := s.stop(); err != nil {
		return err
	}
	r, err := s.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	whole, err := inflated(io.LimitReader(r, s.size), s.size)
	if err != nil {
		return fmt.Errorf("inflating %d bytes: %w", s.size, err)
	}
	if _, err := whole.Seek(s.at, io.SeekStart); err != nil {
		return errors.Join(err, whole.Close())
	}
	s.whole = whole
	return nil
}

func (s *stream) stop() error {
	if s.r == nil {
		return nil
	}
	err := s.r.Close()
	s.r = nil
	return err
}

// Close implements io.Closer.
func (s *stream) Close() error {
	if s.whole != nil {
		return s.whole.Close()
	}
	return s.stop()
}
