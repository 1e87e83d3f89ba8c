// Package schemas has the XML schemas of Quire's own namespaces in a CRATE, for servers to serve at
// the URLs in the documents, and the names by which they can be found without these servers.
package schemas

import (
	"crypto/sha1" // #nosec G505 -- SWHIDs are made of SHA-1
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"slices"
)

// Files holds crate.xsd and http_header.xsd.
//
//go:embed crate.xsd http_header.xsd
var Files embed.FS

// Schema is one of the schemas, with names that are made of its bytes alone. The holder of a file
// can compute them, and so prove that it is the schema that a document names.
type Schema struct {
	File      string // its name in Files
	Namespace string
	SWHID     string // Software Hash Identifier (ISO/IEC 18670:2025) of the content: "swh:1:cnt:…"
	SHA256    string // hexadecimal, lower case
	Text      []byte // must not be changed
}

// All lists the schemas: crate.xsd, then http_header.xsd.
var All = []Schema{schema("crate.xsd", "urn:x-quire:crate:1"), schema("http_header.xsd", "urn:x-quire:http-header:1")}

// Named returns the schema with a SWHID.
func Named(swhid string) (Schema, bool) {
	i := slices.IndexFunc(All, func(s Schema) bool { return s.SWHID == swhid })
	if i < 0 {
		return Schema{}, false
	}
	return All[i], true
}

func schema(file, namespace string) Schema {
	text, err := Files.ReadFile(file)
	if err != nil {
		panic(err) // the file is embedded
	}
	sum1 := sha1.Sum(append(fmt.Appendf(nil, "blob %d\x00", len(text)), text...)) // #nosec G401 -- see above
	sum256 := sha256.Sum256(text)
	return Schema{File: file, Namespace: namespace, SWHID: "swh:1:cnt:" + hex.EncodeToString(sum1[:]),
		SHA256: hex.EncodeToString(sum256[:]), Text: text}
}
