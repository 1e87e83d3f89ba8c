package ocfl

import (
	"fmt"
	"strings"
)

// LayoutName is the registered extension that maps an object to its place below the storage root.
const LayoutName = "0003-hash-and-id-n-tuple-storage-layout"

// RootDeclaration returns the file that declares a folder an OCFL 1.1 storage root (clause 4.1).
func RootDeclaration() (name string, content []byte) { return "0=ocfl_1.1", []byte("ocfl_1.1\n") }

// ObjectDeclaration returns the file that declares a folder an OCFL 1.1 object (clause 3.2).
func ObjectDeclaration() (name string, content []byte) {
	return "0=ocfl_object_1.1", []byte("ocfl_object_1.1\n")
}

// LayoutFiles returns the files that define how object identifiers become paths, keyed by path
// below the storage root. They are ocfl_layout.json (clause 4.1) and the parameters of the
// extension, which are its defaults, written out.
func LayoutFiles() map[string][]byte {
	return map[string][]byte{
		layoutFile: []byte(`{
  "extension": "` + LayoutName + `",
  "description": "The SHA-256 of the object identifier, cut in three folder names of three letters, then a ` +
			`folder named after the identifier"
}
`),
		ExtensionsDir + "/" + LayoutName + "/config.json": []byte(`{
  "extensionName": "` + LayoutName + `",
  "digestAlgorithm": "sha256",
  "tupleSize": 3,
  "numberOfTuples": 3
}
`),
	}
}

// ObjectPath returns the place of an object below the storage root: three folders from the SHA-256
// of the identifier, then a folder named after it. "object-01" is in "3c0/ff4/240/object-01". The
// identifier must not be empty.
func ObjectPath(id string) string {
	return (&layout{DigestAlgorithm: SHA256, TupleSize: 3, NumberOfTuples: 3}).path(id)
}

// maxEncapsulation is the length at which the extension cuts an encoded identifier, to fit a file
// system's folder name.
const maxEncapsulation = 100

// encapsulation returns the name of the object's own folder. It is the identifier with all
// characters except A-Z a-z 0-9 - _ percent-encoded in lower case. If that is too long, it is cut
// and ends with the digest.
func encapsulation(id, digest string) string {
	var b strings.Builder
	for _, c := range []byte(id) {
		if isSafe(c) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02x", c)
		}
	}
	if b.Len() > maxEncapsulation {
		return b.String()[:maxEncapsulation] + "-" + digest
	}
	return b.String()
}

func isSafe(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_'
}
