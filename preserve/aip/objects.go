package aip

import (
	"encoding/binary"
	"strconv"
	"strings"

	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/model"
)

// statement holds the sizes and digests of a file's premis:object, for each composition level, in
// little memory.
type statement struct{ levels []level }

type level struct {
	size    int64 // -1 if not stated
	digests []stated
}

// stated is a digest: its algorithm, and the key of its lower-case hexadecimal.
type stated struct {
	algorithm string
	digest    key
}

// maxStated is how many levels of an object, and digests of a level, are kept.
const maxStated = 16

// appendState appends the statements of an object.
func appendState(b []byte, object *premis.Object) []byte {
	levels := object.Characteristics[:min(len(object.Characteristics), maxStated)]
	b = binary.AppendUvarint(b, uint64(len(levels)))
	for i := range levels {
		c := &levels[i]
		size, ok := c.Size.Get()
		if !ok {
			size = -1
		}
		fixity := c.Fixity[:min(len(c.Fixity), maxStated)]
		b = binary.AppendUvarint(binary.AppendVarint(b, size), uint64(len(fixity)))
		for _, f := range fixity {
			k := keyOf(strings.ToLower(f.Digest))
			b = append(appendText(b, clip(f.Algorithm.Text)), k[:]...)
		}
	}
	return b
}

func readStatement(i *items) (s statement) {
	for range min(i.uint(), maxStated) {
		l := level{size: i.int()}
		for range min(i.uint(), maxStated) {
			l.digests = append(l.digests, stated{i.text(), i.key()})
		}
		s.levels = append(s.levels, l)
	}
	return s
}

// states reports whether the level states this digest (same), and whether it states any digest of
// that algorithm (known).
func (l *level) states(algorithm string, digest key) (known, same bool) {
	for _, d := range l.digests {
		if d.algorithm == algorithm {
			known, same = true, same || d.digest == digest
		}
	}
	return known, same
}

// object notes the statements of a file's premis:object under its own ID and under the ID of its
// amdSec: ADMID may name either. An amdSec with several objects describes no single file; two
// objects are enough to know that.
func (d *description) object(s mets.Section, object *premis.Object) {
	if object.Category != premis.File || len(object.Characteristics) == 0 {
		return
	}
	d.content = appendState(d.content[:0], object)
	value := d.content
	d.refs.note(spaceID, s.ID, noteObject, value)
	if s.AmdSec == "" {
		return
	}
	if s.AmdSec != d.amdSec.id {
		d.amdSec.id, d.amdSec.objects = s.AmdSec, 0
	}
	if d.amdSec.objects++; d.amdSec.objects <= 2 {
		d.refs.note(spaceID, s.AmdSec, noteObject, value)
	}
}

// fileStates notes the statements of a file element under each ADMID that may name the object of
// the file. number counts the files of the package that must have an object, from 1. For other
// files it is 0.
func (r *references) fileStates(f *mets.File, e *element, path string, number uint64) {
	r.states(f, e, path, number, "", ofFile)
}

// partStates is fileStates for a part. object is the ID of the object that it must have; "" for
// none.
func (r *references) partStates(f *mets.File, e *element, path, object string) {
	r.states(f, e, path, 0, object, ofPart)
}

// The kinds of file elements in notes.
const (
	ofFile       = iota // a file of the package
	ofPart              // a part
	ofPartObject        // a part, which must have the object of this name
)

func (r *references) states(f *mets.File, e *element, path string, number uint64, object string, kind byte) {
	if len(f.AdmID) == 0 {
		return
	}
	k := keyOf(strings.ToLower(f.Checksum))
	b := binary.AppendUvarint(binary.AppendVarint(r.value[:0], e.size), number)
	at := len(b)
	b = append(b, kind)
	b = append(appendText(b, f.ChecksumType), k[:]...)
	b = appendText(appendText(b, clip(f.ID)), clip(path))
	r.value = b
	for _, id := range f.AdmID {
		if b[at] = kind; id == object {
			b[at] = ofPartObject
		}
		r.note(spaceID, id, noteFile, b)
	}
}

// compare compares a file element with the object of the current name (clause 4: CHECKSUM and SIZE
// equal those of its premis:object). The first level of the object describes a file of the package.
// A bytestream may be any level: as sent, or as served.
func (r *references) compare(n *name, i *items, found *findings, complete bool) {
	size, number, kind := i.int(), i.uint(), i.byte()
	algorithm, digest, id, path := i.text(), i.key(), i.text(), i.text()
	if n.objects != 1 || i.wrong {
		if kind == ofPartObject && n.objects == 0 && n.defined > 0 && complete { // else it is dangling
			found.add(breaks(CodeObjectMissing, path, "file %s is a bytestream, but %s has no premis:object of "+
				"category file", id, n.text()))
		}
		return
	}
	r.compared++
	if number > 0 {
		r.met[number] = struct{}{}
	}
	where := n.text()
	if kind != ofFile {
		found.add(n.object.comparePart(size, algorithm, digest, id, path, where))
		return
	}
	l := &n.object.levels[0]
	if l.size != size {
		found.add(breaks(CodeObjectSize, path, "the premis:object in %s states %s bytes, but its file "+
			"element %s", where,
			orNo(l.size), orNo(size)))
	}
	if _, same := l.states(string(model.SHA512), digest); !same {
		found.add(breaks(CodeObjectDigest, path,
			"the premis:object in %s does not state the SHA-512 of its file element", where))
	}
}

func (s *statement) comparePart(size int64, algorithm string, digest key, id, path, where string) *breach {
	sized, known := size < 0, false
	for i := range s.levels {
		l := &s.levels[i]
		if size >= 0 && l.size >= 0 && l.size != size {
			continue
		}
		sized = true
		has, same := l.states(algorithm, digest)
		if same {
			return nil
		}
		known = known || has
	}
	switch {
	case !sized:
		return breaks(CodeObjectSize, path,
			"the premis:object in %s states no size of %s bytes, as its file element %s does", where, orNo(size), id)
	case known:
		return breaks(CodeObjectDigest, path, "the premis:object in %s states a different %s than its "+
			"file element %s",
			where, algorithm, id)
	}
	return nil
}

func orNo(n int64) string {
	if n < 0 {
		return "no"
	}
	return strconv.FormatInt(n, 10)
}
