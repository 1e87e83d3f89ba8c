package tools

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// The size of a block of a Store, and how many blocks are in memory, 16 MiB. The others are in a
// temporary file.
const (
	blockSize = 16 << 10
	inMemory  = 1024
)

// Store keeps the bytes of waiting bytestreams in blocks, which are used again. So its size is that
// of the bytestreams that wait at the same time. It is safe for use by several goroutines.
type Store struct {
	dir string // of the temporary file; "" is the system's folder
	max int    // blocks

	mu     sync.Mutex
	free   []int
	memory [][]byte
	blocks int // in use or free
	file   *os.File
}

// NewStore returns a Store of at most that many bytes. The caller closes it.
func NewStore(dir string, bytes int64) *Store { return &Store{dir: dir, max: int(bytes / blockSize)} }

// Close removes the temporary file.
func (s *Store) Close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if gone := os.Remove(s.file.Name()); gone != nil && !errors.Is(gone, os.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// errFull means that the Store has as many bytes as it may have.
var errFull = errors.New("too many bytes wait for their tools")

// block returns the number of an unused block.
func (s *Store) block() (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.free); n > 0 {
		b := s.free[n-1]
		s.free = s.free[:n-1]
		return b, nil
	}
	switch {
	case s.blocks >= s.max:
		return 0, errFull
	case s.blocks < inMemory:
		s.memory = append(s.memory, make([]byte, blockSize))
	case s.file == nil:
		f, err := os.CreateTemp(s.dir, ".quire-bytestreams-*")
		if err != nil {
			return 0, fmt.Errorf("making a temporary file: %w", err)
		}
		// If the system allows an open file without a name, a kill leaves no file; otherwise Close
		// removes it.
		_ = os.Remove(f.Name())
		s.file = f
	}
	s.blocks++
	return s.blocks - 1, nil
}

// held returns a block in memory, or nil and the block's place in the file.
func (s *Store) held(b int) ([]byte, *os.File, int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b < inMemory {
		return s.memory[b], nil, 0
	}
	return nil, s.file, int64(b-inMemory) * blockSize
}

func (s *Store) put(b, at int, p []byte) error {
	memory, file, offset := s.held(b)
	if file == nil {
		copy(memory[at:], p)
		return nil
	}
	_, err := file.WriteAt(p, offset+int64(at))
	return err
}

func (s *Store) get(b, at int, p []byte) (int, error) {
	memory, file, offset := s.held(b)
	if file == nil {
		return copy(p, memory[at:]), nil
	}
	return file.ReadAt(p, offset+int64(at))
}

func (s *Store) release(blocks []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, blocks...)
}

// Bytestream is a bytestream in a Store.
type Bytestream struct {
	store  *Store
	blocks []int
	size   int64
	most   int64  // bytes that any tool reads
	why    string // reason why it is not kept; then it has no bytes
}

// Write adds bytes. It fails only if the machine does.
func (b *Bytestream) Write(p []byte) (int, error) {
	b.size += int64(len(p))
	if b.why != "" {
		return len(p), nil
	}
	if b.size > b.most {
		b.drop(fmt.Sprintf("it has more than %d bytes", b.most))
		return len(p), nil
	}
	at := int((b.size - int64(len(p))) % blockSize)
	for rest := p; len(rest) > 0; at = 0 {
		if at == 0 {
			next, err := b.store.block()
			if errors.Is(err, errFull) {
				b.drop(err.Error())
				return len(p), nil
			} else if err != nil {
				return 0, err
			}
			b.blocks = append(b.blocks, next)
		}
		n := min(len(rest), blockSize-at)
		if err := b.store.put(b.blocks[len(b.blocks)-1], at, rest[:n]); err != nil {
			return 0, err
		}
		rest = rest[n:]
	}
	return len(p), nil
}

// End marks the end of the content: see inspect.Served.
func (b *Bytestream) End(whole bool) error {
	if !whole {
		b.drop("its framing or coding cannot be removed to the end")
	}
	return nil
}

// drop gives up the bytes. The first reason counts.
func (b *Bytestream) drop(why string) {
	if b.why == "" {
		b.why = why
	}
	b.store.release(b.blocks)
	b.blocks = nil
}

// Reader reads the bytes, from the beginning.
func (b *Bytestream) Reader() io.Reader { return &reader{of: b} }

type reader struct {
	of *Bytestream
	at int64
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	rest := r.of.size - r.at
	if rest <= 0 {
		return 0, io.EOF
	}
	at := int(r.at % blockSize)
	n := int(min(int64(len(p)), rest, int64(blockSize-at)))
	n, err := r.of.store.get(r.of.blocks[r.at/blockSize], at, p[:n])
	r.at += int64(n)
	return n, err
}
