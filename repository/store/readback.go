package store

import (
	"bytes"
	"context"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
)

// Reading back proves that the disks have what was meant. All copies of a file are read side by
// side, past the page cache, and compared byte by byte; the first one's bytes are digested. So each
// copy is proven at the cost of one digest.

// readBack reads the same file in every copy and matches it with a SHA-512. The error names the
// copy that is wrong.
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
	return fmt.Errorf("what was written did not come back: %s does not have SHA-512 %s; the disk or the memory is "+
		"failing", suspect, want)
}
