package catalogue

import "strings"

// DocumentPrefix begins the id of a document of the repository: its rules, withdrawals, policies and
// agreements. The rest is the name.
const DocumentPrefix = "urn:quire:document:"

// maxDocumentName is the maximum length of the name of a document in bytes.
const maxDocumentName = 64

// IsDocument reports whether the object is a document of the repository, and no package. The OCFL id
// of a package cannot have this form.
func (p *Package) IsDocument() bool {
	_, ok := DocumentName(p.Object)
	return ok
}

// DocumentName returns the name of the document with an OCFL id; ok is false for the id of a package.
// Names have lower-case letters, digits and hyphens.
func DocumentName(object string) (name string, ok bool) {
	name, ok = strings.CutPrefix(object, DocumentPrefix)
	ok = ok && name != "" && len(name) <= maxDocumentName &&
		strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
	return name, ok
}
