package ocfl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// maxDepth is the nesting depth at which reading stops. No valid inventory is nested so deeply.
const maxDepth = 64

// document is an inventory file as read: the parsed parts and the errors found.
type document struct {
	file  string // its path below the object root
	inv   *Inventory
	spec  string          // "1.0" or "1.1", from its type; empty if missing or unknown
	has   map[string]bool // the keys present in the basic structure
	noted map[string]bool // versions with a message and a user (W007 reports the others)
	log   issues

	broken bool // not a JSON object; inv has the part read until then
}

// decodeInventory reads JSON token by token instead of into structs. encoding/json uses the last of
// two equal keys, matches keys in any case, and replaces broken UTF-8. For each of these reasons,
// two readers could see different inventories.
func decodeInventory(b []byte) *document { return decodeInventoryFile(b, "") }

func decodeInventoryFile(b []byte, file string) *document {
	doc := &document{file: file, inv: &Inventory{}, has: map[string]bool{}, noted: map[string]bool{}}
	d := &decoder{document: doc, json: json.NewDecoder(bytes.NewReader(b))}
	d.json.UseNumber()
	switch {
	case len(b) > MaxInventorySize:
		d.fail(fmt.Errorf("%d bytes; the limit is %d", len(b), MaxInventorySize))
	case len(b) == 0:
		d.fail(errors.New("the file is empty"))
	case !utf8.Valid(b):
		d.fail(errors.New("not UTF-8"))
	default:
		d.document.inv = d.inventory()
	}
	if d.err != nil {
		doc.broken = true
		doc.issue("E033", "", "not a JSON document: %v", d.err)
	}
	doc.spec = specOfType(doc.inv.Type)
	doc.checkKeys()
	return doc
}

// issue records a problem; where is the place inside the JSON, such as versions.v1.created.
func (doc *document) issue(code, where, format string, args ...any) {
	detail := fmt.Sprintf(format, args...)
	if where != "" {
		detail = where + ": " + detail
	}
	doc.log.add(Issue{Code: code, Path: doc.file, Detail: detail})
}

// checkKeys records missing keys of clauses 3.5.1 to 3.5.3. It does nothing after a syntax error,
// because missing keys then mean nothing.
func (doc *document) checkKeys() {
	if doc.broken {
		return
	}
	for _, key := range []string{"id", "type", "digestAlgorithm", "head"} {
		if !doc.has[key] {
			doc.issue("E036", "", "the key %q is missing", key)
		}
	}
	if !doc.has["manifest"] {
		doc.issue("E041", "", `the block "manifest" is missing`)
	}
	if !doc.has["versions"] {
		doc.issue("E043", "", `the block "versions" is missing`)
	}
}

// decoder walks the tokens. After a syntax error err is set and every method returns at once.
type decoder struct {
	*document
	json *json.Decoder
	err  error
}

func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err = err
	}
}

func (d *decoder) token() json.Token {
	if d.err != nil {
		return nil
	}
	t, err := d.json.Token()
	if errors.Is(err, io.EOF) {
		err = fmt.Errorf("unexpected end after %d bytes", d.json.InputOffset())
	}
	if err != nil {
		d.fail(err)
	}
	return t
}

// inventory reads the basic structure (clause 3.5.1).
func (d *decoder) inventory() *Inventory {
	inv := &Inventory{}
	if !d.object(d.token(), "E033", "", func(key string, value json.Token) { d.member(inv, key, value) }) {
		d.broken = true
		return inv
	}
	if _, err := d.json.Token(); d.err == nil && !errors.Is(err, io.EOF) {
		d.fail(fmt.Errorf("unexpected data after the end, at byte %d", d.json.InputOffset()))
	}
	return inv
}

func (d *decoder) member(inv *Inventory, key string, value json.Token) {
	d.has[key] = true
	switch key {
	case "id":
		inv.ID = d.text(value, "E037", key)
	case "type":
		inv.Type = d.text(value, "E038", key)
	case "digestAlgorithm":
		inv.DigestAlgorithm = d.text(value, "E025", key)
	case "head":
		inv.Head = d.text(value, "E040", key)
	case "contentDirectory":
		inv.ContentDirectory = d.text(value, "E108", key)
		if inv.ContentDirectory == "" && d.err == nil {
			d.issue("E108", key, "must not be empty")
		}
	case "manifest":
		inv.Manifest = d.block(value, blockCodes{object: "E106", duplicate: "E096", list: "E092", path: "E092"}, key)
	case "fixity":
		inv.Fixity = d.fixity(value)
	case "versions":
		inv.Versions = d.versions(value)
	default:
		d.issue("E102", "", "the key %q is not in the specification", key)
		d.skip(value)
	}
}

func (d *decoder) fixity(value json.Token) map[string]map[string][]string {
	all := map[string]map[string][]string{}
	codes := blockCodes{object: "E057", duplicate: "E097", list: "E057", path: "E057"}
	d.object(value, "E111", "fixity", func(algorithm string, value json.Token) {
		all[algorithm] = d.block(value, codes, "fixity."+algorithm)
	})
	return all
}

func (d *decoder) versions(value json.Token) map[string]*Version {
	all := map[string]*Version{}
	ok := d.object(value, "E045", "versions", func(name string, value json.Token) {
		all[name] = d.version(name, value)
	})
	if !ok {
		return nil
	}
	return all
}

// version reads one version block (clause 3.5.3.1).
func (d *decoder) version(name string, value json.Token) *Version {
	v, where, has := &Version{}, "versions."+name, map[string]bool{}
	ok := d.object(value, "E047", where, func(key string, value json.Token) {
		has[key] = true
		at := where + "." + key
		switch key {
		case "created":
			v.Created = d.timestamp(value, at)
		case "state":
			v.State = d.block(value, blockCodes{object: "E050", duplicate: "E050", list: "E050", path: "E051"}, at)
		case "message":
			v.Message = d.text(value, "E094", at)
		case "user":
			v.User = d.user(value, at)
		default:
			d.issue("E102", where, "the key %q is not in the specification", key)
			d.skip(value)
		}
	})
	for _, key := range []string{"created", "state"} {
		if ok && !has[key] && d.err == nil {
			d.issue("E048", where, "the key %q is missing", key)
		}
	}
	d.noted[name] = has["message"] && has["user"]
	return v
}

func (d *decoder) user(value json.Token, where string) *User {
	u := &User{}
	ok := d.object(value, "E054", where, func(key string, value json.Token) {
		switch key {
		case "name":
			u.Name = d.text(value, "E054", where+".name")
		case "address":
			u.Address = d.text(value, "E033", where+".address")
		default:
			d.issue("E102", where, "the key %q is not in the specification", key)
			d.skip(value)
		}
	})
	if ok && u.Name == "" && d.err == nil {
		d.issue("E054", where, "the user has no name")
	}
	return u
}
