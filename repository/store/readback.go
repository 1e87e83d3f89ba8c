package store

import (
	"bytes"
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// Reading back proves that the disks have what was meant. All copies of a file are read side by side, past the page cache,
// and compared byte by byte; the first one's bytes are digested. So each copy is proven at the cost of one digest.

// readBack reads the same file in every copy and matches it with a SHA-512. The error names the copy that is wrong.
func readBack(ctx context.Context, paths []string, want string) error {
	readers := make([]*blockReader, 0, len(paths))
	defer func() {
		for _, r := range readers {
			r.close()
		}
	}()
	for _, path := range paths {
		r, err := openBlocks(path)
		if err != nil {
			return fmt.Errorf("reading back: %w", err)
		}
		readers = append(readers, r)
	}
	h := sha512.New()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		first, err := readers[0].next()
		if err != nil {
			return fmt.Errorf("reading back: %w", err)
		}
		for i, r := range readers[1:] {
			other, err := r.next()
			if err != nil {
				return fmt.Errorf("reading back: %w", err)
			}
			if !bytes.Equal(first, other) {
				return mismatch(paths, paths[i+1], want)
			}
		}
		if len(first) == 0 {
			break
		}
		_, _ = h.Write(first) // a hash never fails
	}
	if hex.EncodeToString(h.Sum(nil)) != want {
		return mismatch(paths, paths[0], want)
	}
	return nil
}

// mismatch says which file is wrong, by digesting each; two that differ cannot both match.
func mismatch(paths []string, suspect, want string) error {
	for _, path := range paths {
		if sum, err := sumFile(path); err != nil || sum != want {
			suspect = path
			break
		}
	}
	return fmt.Errorf("what was written did not come back: %s does not have SHA-512 %s; the disk or the memory is failing", suspect, want)
}

// sumFile digests a file, past the page cache.
func sumFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // only read
	forgetCache(f)
	h := sha512.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// blockReader reads a file ahead, one block while the other is being looked at.
type blockReader struct {
	f    *os.File
	full chan filled
	free chan []byte
	stop chan struct{}
	wait sync.WaitGroup
	held []byte
}

// filled is a block that was read; no data and no error is the end of the file.
type filled struct {
	data []byte
	err  error
}

func openBlocks(path string) (*blockReader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	forgetCache(f)
	r := &blockReader{f: f, full: make(chan filled, 3), free: make(chan []byte, 2), stop: make(chan struct{})}
	size := int64(blockSize)
	if info, err := f.Stat(); err == nil && info.Size() < size {
		size = info.Size() + 1 // small files need no large blocks
	}
	r.free <- make([]byte, size)
	r.free <- make([]byte, size)
	r.wait.Go(r.run)
	return r, nil
}

func (r *blockReader) run() {
	for {
		var b []byte
		select {
		case b = <-r.free:
		case <-r.stop:
			return
		}
		n, err := io.ReadFull(r.f, b)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = nil
		}
		r.full <- filled{data: b[:n], err: err} // never blocks: two blocks and the end have three places
		if n < len(b) || err != nil {
			r.full <- filled{err: err}
			return
		}
	}
}

// next gives the next block, valid until the following call; an empty one is the end.
func (r *blockReader) next() ([]byte, error) {
	if r.held != nil {
		r.free <- r.held[:cap(r.held)]
		r.held = nil
	}
	b := <-r.full
	if b.err != nil {
		return nil, b.err
	}
	if len(b.data) > 0 {
		r.held = b.data
	}
	return b.data, nil
}

func (r *blockReader) close() {
	close(r.stop)
	r.wait.Wait()
	_ = r.f.Close() // only read
}
