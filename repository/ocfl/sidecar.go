package ocfl

import (
	"bytes"
	"errors"
	"fmt"
)

// maxSidecarSize is larger than any digest with the name, and small enough to read from any
// storage.
const maxSidecarSize = 4096

// Sidecar returns the name and the content of the file that holds an inventory's digest (clause
// 3.6). An example of a name is "inventory.json.sha512". The digest is computed over the bytes of
// the inventory, and written in hexadecimal.
func Sidecar(algorithm, digest string) (name string, content []byte) {
	return SidecarName(algorithm), []byte(digest + "  " + InventoryFile + "\n")
}

// SidecarName returns the name of the sidecar for a digest algorithm.
func SidecarName(algorithm string) string { return InventoryFile + "." + algorithm }

// ErrSidecar reports that a sidecar is not "DIGEST inventory.json" (E061).
var ErrSidecar = errors.New("a sidecar contains: digest in hexadecimal, spaces, inventory.json, end of line")

// ParseSidecar returns the digest that a sidecar states, in its original case.
func ParseSidecar(b []byte) (digest string, err error) {
	if len(b) > maxSidecarSize {
		return "", fmt.Errorf("%w; this one has %d bytes", ErrSidecar, len(b))
	}
	line, _ := bytes.CutSuffix(b, []byte("\n"))
	line, _ = bytes.CutSuffix(line, []byte("\r"))
	cut := bytes.IndexAny(line, " \t")
	if cut < 0 {
		return "", fmt.Errorf("%w; this one contains %q", ErrSidecar, b)
	}
	digest = string(line[:cut])
	if name := bytes.TrimLeft(line[cut:], " \t"); string(name) != InventoryFile || !isHex(digest) {
		return "", fmt.Errorf("%w; this one contains %q", ErrSidecar, b)
	}
	return digest, nil
}

// isHex reports whether s is a whole number of bytes in hexadecimal, in either case (RFC 4648
// clause 8).
func isHex(s string) bool {
	if s == "" || len(s)%2 != 0 {
		return false
	}
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
			return false
		}
	}
	return true
}
