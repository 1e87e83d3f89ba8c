package provider

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"quire/internal/disk"
)

// keyBytes is the length of a new key.
const keyBytes = 32

// Key returns the key for signing resumption tokens. It is in a file readable only by its owner, so
// that tokens stay valid after a restart. The first call creates it.
func Key(file string) ([]byte, error) {
	key, err := os.ReadFile(file)
	switch {
	case err == nil && len(key) == keyBytes:
		return key, nil
	case err == nil:
		return nil,
			fmt.Errorf("the token key %s has %d bytes instead of %d: remove it to get a new one; current "+
				"harvests then start again", file, len(key), keyBytes)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("the token key: %w", err)
	}
	key = make([]byte, keyBytes)
	_, _ = rand.Read(key) // never fails (crypto/rand)
	err = disk.WriteSecret(file, func(out io.Writer) error {
		_, err := out.Write(key)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the token key: %w", err)
	}
	return key, nil
}
