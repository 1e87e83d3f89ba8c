package aip

import (
	"encoding/binary"
	"errors"
	"strings"

	"quire/internal/extsort"
	"quire/metadata/premis"
)

// entities checks the identifiers of PREMIS in the whole package, over mets.xml and the documents of
// clause 2.18: each link leads to an entity, and no two entities have one identifier (clause 4.6).
// Identifiers are sorted on disk. Memory grows only with the number of documents.
type entities struct {
	sorter    *extsort.Sorter
	documents []string            // by number
	numbers   map[string]uint32   // of documents
	recent    map[string]struct{} // recent links: thousands of objects name the same few events
	defined   int64
	failed    error // from the disk

	key, text, value []byte // reused

	// elsewhere is why entities may exist that were not read; "" if there is no reason.
	elsewhere string
}

// The four spaces of identifiers.
const (
	spaceObject = 'o'
	spaceEvent  = 'e'
	spaceAgent  = 'a'
	spaceRights = 'r'
)

var entityNames = map[byte]string{
	spaceObject: "object", spaceEvent: "event", spaceAgent: "agent", spaceRights: "rights statement",
}

// The kinds of notes about an identifier, in the order in which they are checked.
const (
	entityDefined  = '1' + iota // an entity has it; its value begins with whether it names objects
	entityOfObject              // an object names it
	entityNamed                 // another entity names it
)

func newEntities() *entities {
	return &entities{sorter: extsort.New(extsort.Options{Memory: sortMemory}), numbers: map[string]uint32{},
		recent: map[string]struct{}{}}
}

// number returns the number of a document.
func (e *entities) number(document string) uint32 {
	n, known := e.numbers[document]
	if !known {
		n = uint32(len(e.documents))
		e.numbers[document] = n
		e.documents = append(e.documents, document)
	}
	return n
}

// entityKey returns the key of an identifier, and of a kind of note about it in a document.
func (e *entities) entityKey(space byte, id premis.Identifier, kind byte, document string) []byte {
	e.text = append(append(append(e.text[:0], id.Type...), 0), id.Value...)
	k := keyOfBytes(e.text)
	e.key = append(append(append(e.key[:0], space), k[:]...), kind)
	return binary.BigEndian.AppendUint32(e.key, e.number(document))
}

// define records an entity. content is its statement. objects reports whether it names objects.
func (e *entities) define(document string, space byte, id premis.Identifier, content []byte, objects bool) {
	if e.failed != nil || id.Value == "" {
		return
	}
	e.defined++
	k := keyOfBytes(content)
	e.value = append(append(e.value[:0], flags(objects, false)), k[:]...)
	e.value = appendText(e.value, clip(id.Value))
	e.failed = e.sorter.Add(e.entityKey(space, id, entityDefined, document), e.value)
}

// name records that an entity in a section names another one.
func (e *entities) name(document, section string, space byte, id premis.Identifier, kind byte) {
	if e.failed != nil || id.Value == "" {
		return
	}
	key := e.entityKey(space, id, kind, document)
	if _, known := e.recent[string(key)]; known {
		return
	}
	if len(e.recent) == maxRecent {
		clear(e.recent)
	}
	e.recent[string(key)] = struct{}{}
	e.value = appendText(appendText(e.value[:0], clip(id.Value)), clip(section))
	e.failed = e.sorter.Add(key, e.value)
}

// names records links to other entities.
func (e *entities) names(document, section string, space byte, links []premis.Link, kind byte) {
	for i := range links {
		e.name(document, section, space, links[i].Identifier, kind)
	}
}

// incomplete records why not all entities are known.
func (e *entities) incomplete(why string) {
	if e.elsewhere == "" {
		e.elsewhere = why
	}
}

func (e *entities) close() error { return errors.Join(e.failed, e.sorter.Close()) }

// entity is one identifier, while its notes are read.
type entity struct {
	key      string
	value    string
	defined  bool
	document uint32 // of its first definition, and its content
	content  key
	last     uint32 // document of its last definition
	alone    bool   // an event without objects
	dangled  bool
}

// judge checks all identifiers. id is that of the package. complete is false if not all documents
// were read to their end: then missing entities are not reported.
func (e *entities) judge(found *findings, id string, complete bool) error {
	if e.failed != nil {
		return e.failed
	}
	var at entity
	end := func() {
		if at.defined && at.alone {
			found.add(breaks(CodeEventObject, e.documents[at.document],
				"the event %s names no object, and no object names it", at.value))
		}
	}
	const suffix = 1 + 4 // kind and document
	err := e.sorter.Each(func(k, value []byte) error {
		name, kind := k[:len(k)-suffix], k[len(k)-suffix]
		document := binary.BigEndian.Uint32(k[len(k)-4:])
		if string(name) != at.key {
			end()
			at = entity{key: string(name)}
		}
		i := &items{rest: value}
		if kind == entityDefined {
			found.add(e.judgeDefined(&at, i, document))
		} else {
			at.alone = at.alone && kind != entityOfObject
			if complete && e.elsewhere == "" {
				found.add(e.judgeNamed(&at, i, id, document))
			}
		}
		return i.err()
	})
	if err == nil {
		end()
	}
	return err
}

// judgeDefined checks that an identifier is given once in a document, and that several documents
// state the same (clause 2.18.3).
func (e *entities) judgeDefined(at *entity, i *items, document uint32) *breach {
	objects := string(i.bytes(1)) == "\x01"
	content, value := i.key(), i.text()
	if !at.defined {
		at.defined, at.value, at.document, at.content = true, value, document, content
		at.last, at.alone = document, at.key[0] == spaceEvent && !objects
		return nil
	}
	twice, where := at.last == document, e.documents[document]
	at.last, at.alone = document, at.alone && !objects
	kind := entityNames[at.key[0]]
	switch {
	case twice:
		return breaks(CodePremisTwice, where, "two entities have the %s identifier %s", kind, value)
	case content != at.content:
		return breaks(CodePremisTwice, where, "states other things of the %s %s than %s", kind, value,
			e.documents[at.document])
	}
	return nil
}

// judgeNamed checks that a link leads to an entity. It reports one finding for each identifier.
func (e *entities) judgeNamed(at *entity, i *items, id string, document uint32) *breach {
	value, section := i.text(), i.text()
	if at.defined || at.dangled {
		return nil
	}
	at.dangled = true
	where, kind := e.documents[document], entityNames[at.key[0]]
	if id != "" && strings.HasPrefix(value, id+"#") {
		return breaks(CodePremisDangling, where, "the section %s names the %s %s, which the package does not have",
			section, kind, value)
	}
	return breaks(CodePremisOutside, where,
		"the section %s names the %s %s; it is not in the package, and was not looked for elsewhere", section,
		kind, value)
}
