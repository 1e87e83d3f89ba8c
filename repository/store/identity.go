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

	"quire/repository/catalogue"
)

// uri matches object ids as OCFL 1.1 clause 3.5.1 recommends them (W005): a scheme, a colon, at
// least one character (RFC 3986 clause 3).
var uri = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:.`)

// plainPrefix turns a package id that is not a URI into one.
const plainPrefix = "urn:quire:"

// objectID returns the id of the OCFL object for a package id. The two are equal if the package id
// is a URI.
func objectID(packageID string) string {
	if uri.MatchString(packageID) && !strings.HasPrefix(packageID, plainPrefix) {
		if u, err := url.Parse(packageID); err == nil && u.Scheme != "" {
			return packageID
		}
	}
	return plainPrefix + url.PathEscape(packageID)
}

// packageID is the inverse of objectID.
func packageID(object string) string {
	if rest, ok := strings.CutPrefix(object, plainPrefix); ok {
		if id, err := url.PathUnescape(rest); err == nil {
			return id
		}
	}
	return object
}

// maxID is the maximum length of an id in bytes. It always fits into file names and XML attributes.
const maxID = 1024

// checkID refuses ids that cannot be typed or shown.
func checkID(id string) error {
	switch {
	case id == "":
		return errors.New("the package has no id (OBJID in its METS)")
	case len(id) > maxID:
		return fmt.Errorf("the package id has %d bytes; the limit is %d", len(id), maxID)
	case strings.HasPrefix(id, catalogue.DocumentPrefix):
		return fmt.Errorf("the package id %q begins with %s, which names documents of the repository", id,
			catalogue.DocumentPrefix)
	case !utf8.ValidString(id):
		return fmt.Errorf("the package id %q is not UTF-8", id)
	case strings.ContainsFunc(id, unicode.IsControl):
		return fmt.Errorf("the package id %q has control characters", id)
	}
	return nil
}

// objectKey returns the name of the lock and journal files of an object.
func objectKey(object string) string {
	sum := sha256.Sum256([]byte(object))
	return hex.EncodeToString(sum[:16])
}

// newToken returns a unique name: 128 random bits in hex.
func newToken() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the program instead
	return hex.EncodeToString(b[:])
}

// newUUID returns a random UUID (RFC 9562 clause 5.4).
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the program instead
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return runName(b)
}
