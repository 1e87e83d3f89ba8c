package store

import (
	"bytes"
	"context"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
)

// Reading back proves that the disks hold the intended bytes. It reads all copies of a file in
// parallel, past the page cache, and compares them byte by byte. Only the bytes of the first are
// hashed, so all copies are verified at the cost of one digest.

// readBack reads the same file in every copy and compares it with a SHA-512. The error names the
// damaged copy.
func readBack(ctx context.Context, paths []string, want string) error {
	if small, err := readBackSmall(paths, want); small || err != nil {
		return err
	}
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

// readBackSmall is readBack for a file that fits into one small buffer, without goroutines. small is false if it
// does not.
func readBackSmall(paths []string, want string) (small bool, err error) {
	buffer := smallBuffers.Get().(*[]byte)
	defer smallBuffers.Put(buffer)
	var first []byte
	for i, path := range paths {
		n, err := readSmallCold(path, *buffer)
		if err != nil {
			return false, fmt.Errorf("reading back: %w", err)
		}
		if n < 0 {
			return false, nil
		}
		if i > 0 && !bytes.Equal(first, (*buffer)[:n]) {
			return true, mismatch(paths, path, want)
		}
		if i == 0 && sumBytes((*buffer)[:n]) != want {
			return true, mismatch(paths, path, want)
		}
		if i == 0 && len(paths) > 1 {
			first = bytes.Clone((*buffer)[:n])
		}
	}
	return true, nil
}

// readSmallCold reads a whole file past the cache; n is -1 if it does not fit into the buffer.
func readSmallCold(path string, buffer []byte) (n int, err error) {
	f, err := openCold(path)
	if err != nil {
		return 0, err
	}
	defer f.close()
	if f.size >= int64(len(buffer)) {
		return -1, nil
	}
	if n, err = f.fill(buffer); err == nil && n == len(buffer) {
		n = -1 // it grew
	}
	return n, err
}

// mismatch finds the damaged file by the digest of each; of two different files, at most one can
// match.
func mismatch(paths []string, suspect, want string) error {
	for _, path := range paths {
		if sum, err := sumFile(path); err != nil || sum != want {
			suspect = path
			break
		}
	}
	return fmt.Errorf("the bytes written did not come back: %s does not have SHA-512 %s; the disk or the "+
		"memory is failing", suspect, want)
}
