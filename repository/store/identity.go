package store

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// uri is what OCFL 1.1 clause 3.5.1 asks of an object id (W005): a scheme, a colon, something (RFC
// 3986 clause 3).
var uri = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:.`)

// plainPrefix makes a URI of a package id that is none.
const plainPrefix = "urn:quire:"

// objectID gives the id of the OCFL object for a package id: the same, where it is a URI.
func objectID(packageID string) string {
	if uri.MatchString(packageID) && !strings.HasPrefix(packageID, plainPrefix) {
		if u, err := url.Parse(packageID); err == nil && u.Scheme != "" {
			return packageID
		}
	}
	return plainPrefix + url.PathEscape(packageID)
}

// maxID bounds the length of an id in bytes; it has to fit into file names and XML attributes
// without thought.
const maxID = 1024

// checkID refuses ids that nobody could type or show.
func checkID(id string) error {
	switch {
	case id == "":
		return errors.New("the package has no id (OBJID in its METS)")
	case len(id) > maxID:
		return fmt.Errorf("the package id has %d bytes; at most %d are allowed", len(id), maxID)
	case !utf8.ValidString(id):
		return fmt.Errorf("the package id %q is not UTF-8", id)
	case strings.ContainsFunc(id, unicode.IsControl):
		return fmt.Errorf("the package id %q has control characters", id)
	}
	return nil
}

// objectKey names the lock and journal files of an object.
func objectKey(object string) string {
	sum := sha256.Sum256([]byte(object))
	return hex.EncodeToString(sum[:16])
}

// newToken makes a name that nobody has used: 128 random bits in hex.
func newToken() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the program instead
	return hex.EncodeToString(b[:])
}

// newUUID makes a random UUID (RFC 9562 clause 5.4).
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the program instead
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	h := hex.EncodeToString(b[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
