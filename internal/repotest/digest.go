package repotest

import (
	"crypto/sha1" //nolint:gosec // what WARC files state
	"encoding/base32"
)

// Digest is the SHA-1 of a payload, as WARC files state it.
func Digest(body string) string {
	sum := sha1.Sum([]byte(body)) //nolint:gosec // as above
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}
