package statement

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"quire/internal/disk"
)

// KeyName is the name of the key file, in the folder of derived access data. Its reader can make
// statements in the name of the archive, so only its owner may read it.
const KeyName = "statement.key"

// maxKeyFile is the maximum size of a key file in bytes.
const maxKeyFile = 64 << 10

// Key signs statements.
type Key struct{ private ed25519.PrivateKey }

// Public is a public key.
type Public [ed25519.PublicKeySize]byte

// OpenKey reads the key in a folder, or makes one. The file has the form of PKCS #8 in PEM, which
// other programs read.
func OpenKey(dir string) (*Key, error) {
	file := filepath.Join(dir, KeyName)
	k, err := readKey(file)
	if !errors.Is(err, fs.ErrNotExist) {
		return k, err
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, err
	}
	if err := makeKey(file); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return readKey(file) // of another process, if that was faster
}

// makeKey writes a first key. It replaces no existing file: a key that was replaced would have signed
// statements that no longer verify.
func makeKey(file string) error {
	key, err := newKey()
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp(filepath.Dir(file), ".statement-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }() // the second name of the file, if the link was made
	whole := filepath.Join(temp, KeyName)
	if err := key.write(whole); err != nil {
		return err
	}
	if err := os.Link(whole, file); err != nil {
		return err
	}
	return disk.SyncFolder(filepath.Dir(file))
}

func newKey() (*Key, error) {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	return &Key{private}, err
}

// write writes the key as a file that only its owner may read.
func (k *Key) write(file string) error {
	der, err := x509.MarshalPKCS8PrivateKey(k.private)
	if err != nil {
		return err
	}
	return disk.WriteSecret(file, func(w io.Writer) error {
		return pem.Encode(w, &pem.Block{Type: "PRIVATE KEY", Bytes: der})
	})
}

func readKey(file string) (*Key, error) {
	der, err := readPEM(file, "PRIVATE KEY")
	if err != nil {
		return nil, err
	}
	key, err := x509.ParsePKCS8PrivateKey(der)
	private, ok := key.(ed25519.PrivateKey)
	if err != nil || !ok {
		return nil, fmt.Errorf("%s holds no Ed25519 key: restore it from a backup, or move it away and Quire makes "+
			"a new one", file)
	}
	return &Key{private}, nil
}

func readPEM(file, kind string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, maxKeyFile))
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil || block.Type != kind {
		return nil, fmt.Errorf("%s holds no %s in PEM", file, kind)
	}
	return block.Bytes, nil
}

// Public returns the public key.
func (k *Key) Public() Public { return Public(k.private.Public().(ed25519.PublicKey)) }

// PEM returns the public key as a SubjectPublicKeyInfo in PEM (RFC 8410).
func (p Public) PEM() []byte {
	der, err := x509.MarshalPKIXPublicKey(ed25519.PublicKey(p[:]))
	if err != nil {
		return nil // a key of 32 bytes always has a form
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
}

// Path is the address of the public keys on the host of the archive's own pages.
const Path = "/.well-known/quire-statement-key.pem"
