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

// keyBytes is how long a key is that is made here.
const keyBytes = 32

// Key gives the key that signs resumption tokens, which is kept in a file that only its owner may
// read; so tokens stay good when the program is started anew. The first call makes it.
func Key(file string) ([]byte, error) {
	key, err := os.ReadFile(file)
	switch {
	case err == nil && len(key) == keyBytes:
		return key, nil
	case err == nil:
		return nil,
			fmt.Errorf("the key of tokens, %s, has %d bytes and not %d: remove it, then a new one is made, and lists "+
				"under way begin anew", file, len(key), keyBytes)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("the key of tokens: %w", err)
	}
	key = make([]byte, keyBytes)
	_, _ = rand.Read(key) // never fails (crypto/rand)
	err = disk.WriteSecret(file, func(out io.Writer) error {
		_, err := out.Write(key)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the key of tokens: %w", err)
	}
	return key, nil
}
