package repotest

import (
	"crypto/sha1" //nolint:gosec // what WARC files state
	"encoding/base32"
)

// Digest returns the SHA-1 of a payload, in the form of WARC files.
func Digest(body string) string {
	sum := sha1.Sum([]byte(body)) //nolint:gosec // as above
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}
