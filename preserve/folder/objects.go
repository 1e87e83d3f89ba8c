package folder

import (
	"strings"

	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/model"
)

// stated is what a premis:object states of a file, in little room.
type stated struct {
	size   xmlstream.Int
	digest key  // of the SHA-512 in lower-case hexadecimal
	fixed  bool // there is a SHA-512
	many   bool // an amdSec with several objects, which says nothing of one file
}

// objects keeps what the premis:objects of files state until the file elements come: METS has them later in the document.
type objects struct {
	stated   map[key]stated // ID of the techMD, or of its amdSec → what it states
	compared int64          // files that were held against an object
}

// add keeps an object by its own ID and that of the amdSec it stands in: ADMID may name either.
func (o *objects) add(s mets.Section, object *premis.Object) {
	if object.Category != premis.File || len(object.Characteristics) == 0 {
		return
	}
	c := &object.Characteristics[0]
	says := stated{size: c.Size}
	for _, f := range c.Fixity {
		if f.Algorithm.Text == string(model.SHA512) {
			says.digest, says.fixed = keyOf(strings.ToLower(f.Digest)), true
		}
	}
	o.stated[keyOf(s.ID)] = says
	if s.AmdSec != "" {
		_, says.many = o.stated[keyOf(s.AmdSec)]
		o.stated[keyOf(s.AmdSec)] = says
	}
}

// compare holds a file element against the objects it names (clause 4: CHECKSUM and SIZE of a container equal those of its
// premis:object).
func (o *objects) compare(f *mets.File, path string, container bool, found *findings) {
	met := false
	for _, id := range f.AdmID {
		says, ok := o.stated[keyOf(id)]
		if !ok || says.many {
			continue
		}
		met = true
		if says.size != f.Size {
			found.add(breaks(CodeObjectSize, path, "the premis:object in %s states %s bytes; its file element %s", clip(id),
				orNo(says.size.String()), orNo(f.Size.String())))
		}
		if !says.fixed || says.digest != keyOf(strings.ToLower(f.Checksum)) {
			found.add(breaks(CodeObjectDigest, path, "the premis:object in %s does not state the SHA-512 of its file element", clip(id)))
		}
	}
	switch {
	case met:
		o.compared++
	case container:
		found.add(breaks(CodeObjectMissing, path, "is a container, but no ADMID of file %s names the premis:object of a file", clip(f.ID)))
	}
}

func orNo(s string) string {
	if s == "" {
		return "no"
	}
	return s
}
