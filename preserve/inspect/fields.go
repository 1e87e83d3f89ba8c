package inspect

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"quire/format/fault"
	"quire/format/warc"
)

// fieldSet is a set of fields, as bits in the order of fieldRules.
type fieldSet uint32

// typeSet is a set of record types, as bits in the order of warc.Types.
type typeSet uint16

const (
	onWarcinfo typeSet = 1 << iota
	onResponse
	onResource
	onRequest
	onMetadata
	onRevisit
	onConversion
	onContinuation
	onNone typeSet = 0
	onAll          = onContinuation<<1 - 1
)

// fieldRule defines the types that must have a field, and those that must not have it: the table of
// ISO 28500:2017, clauses 5 and 6.
type fieldRule struct {
	name            string
	must, forbidden typeSet
	repeats         bool // only WARC-Concurrent-To
	bracketed       bool // the id of a record
}

// The date is checked where it is read, and Content-Length by the reader. Payload digests on
// records without payload have a separate code, and so have segment numbers.
var fieldRules = [...]fieldRule{
	{name: warc.FieldType, must: onAll},
	{name: warc.FieldRecordID, must: onAll, bracketed: true},
	{name: warc.FieldDate, must: onAll},
	{name: warc.FieldContentLength},
	{name: warc.FieldContentType},
	{name: warc.FieldConcurrentTo, forbidden: onWarcinfo | onConversion | onContinuation, repeats: true,
		bracketed: true},
	{name: warc.FieldBlockDigest},
	{name: warc.FieldPayloadDigest},
	{name: warc.FieldIPAddress, forbidden: onWarcinfo | onConversion | onContinuation},
	{name: warc.FieldRefersTo, forbidden: onAll &^ (onMetadata | onRevisit | onConversion), bracketed: true},
	{name: warc.FieldRefersToTargetURI, forbidden: onAll &^ onRevisit},
	{name: warc.FieldRefersToDate, forbidden: onAll &^ onRevisit},
	{name: warc.FieldTargetURI, must: onAll &^ (onWarcinfo | onMetadata), forbidden: onWarcinfo},
	{name: warc.FieldTruncated},
	{name: warc.FieldWarcinfoID, forbidden: onWarcinfo, bracketed: true},
	{name: warc.FieldFilename, forbidden: onAll &^ onWarcinfo},
	{name: warc.FieldProfile, must: onRevisit, forbidden: onAll &^ onRevisit},
	{name: warc.FieldIdentifiedPayloadType},
	{name: warc.FieldSegmentNumber, must: onContinuation},
	{name: warc.FieldSegmentOriginID, must: onContinuation, forbidden: onAll &^ onContinuation, bracketed: true},
	{name: warc.FieldSegmentTotalLength, forbidden: onAll &^ onContinuation},
}

// typeOf returns the record's type as a set; onNone for a type that the standard does not define.
func typeOf(kind string) typeSet {
	if i := slices.Index(warc.Types, kind); i >= 0 {
		return 1 << i
	}
	return onNone
}

// header holds the field values of one record, by their index in fieldRules. The values belong to
// the reader.
type header struct {
	values [len(fieldRules)][]byte
	seen   fieldSet
}

// ruleOf returns the rule of a field by its name, ignoring case; -1 for a field that the standard
// does not define.
func ruleOf(name []byte) int {
	for i := range fieldRules {
		if want := fieldRules[i].name; len(name) == len(want) && strings.EqualFold(string(name), want) {
			return i
		}
	}
	return -1
}

// read reads the fields of a record. It reports repeated fields and empty fields.
func (h *header) read(e *entry, o *structureObserver) {
	h.clear()
	for _, f := range e.warc.Fields() {
		i := ruleOf(f.Name)
		if code, at := checkText(f.Value); code != "" && !isDigest(i) {
			o.fault(e, code, "byte %d of %.40s: %q", at, f.Name, f.Value[max(0, at-20):min(len(f.Value), at+10)])
		}
		if i < 0 {
			continue
		}
		rule := &fieldRules[i]
		if h.seen&(1<<i) != 0 && !rule.repeats && rule.name != warc.FieldContentLength {
			code, what := FaultFieldRepeated, "twice, with the same value"
			if !bytes.Equal(f.Value, h.values[i]) {
				code, what = FaultFieldConflict, "twice, with different values; the first is used"
			}
			o.fault(e, code, "%s occurs in the header %s", rule.name, what)
			continue
		}
		if len(f.Value) == 0 && rule.must == onNone && rule.name != warc.FieldContentLength {
			o.fault(e, FaultFieldEmpty, "%s has no value", rule.name)
		}
		if rule.bracketed && len(f.Value) > 0 && !isBracketedURI(f.Value) {
			code := FaultReferenceForm
			if rule.name == warc.FieldRecordID {
				code = FaultRecordID
			}
			o.fault(e, code, "%s is %.100q, not an absolute URI in angle brackets", rule.name, f.Value)
		}
		h.values[i] = f.Value
		h.seen |= 1 << i
	}
}

func (h *header) clear() {
	h.seen = 0
	clear(h.values[:])
}

// isDigest reports whether the field contains a digest. Without --warc-digests wget writes random
// memory there; a separate check reports invalid digests.
func isDigest(rule int) bool {
	return rule >= 0 && (fieldRules[rule].name == warc.FieldBlockDigest ||
		fieldRules[rule].name == warc.FieldPayloadDigest)
}

// checkPresence reports missing required fields, and fields that the type must not have.
func (h *header) checkPresence(e *entry, kind typeSet, o *structureObserver) {
	for i := range fieldRules {
		rule := &fieldRules[i]
		switch {
		case len(h.values[i]) > 0:
			if rule.forbidden&kind != 0 {
				o.fault(e, FaultFieldForbidden, "a %s record with %s", e.typeName(), rule.name)
			}
		case rule.must&kind != 0, rule.must == onAll:
			o.fault(e, FaultFieldMissing, "a %s record without %s", e.typeName(), rule.name)
		}
	}
}

// isBracketedURI reports whether b is "<", an absolute URI, ">".
func isBracketedURI(b []byte) bool {
	return len(b) > 2 && b[0] == '<' && b[len(b)-1] == '>' && isAbsolute(b[1:len(b)-1])
}

// isAbsolute reports whether b begins with a scheme and has none of the characters that end a URI
// in a text (RFC 3986, 3.1 and appendix C). It does not require more: files of the last twenty
// years contain letters of all alphabets, and | or { unencoded.
func isAbsolute(b []byte) bool {
	colon := bytes.IndexByte(b, ':')
	if colon < 1 || colon == len(b)-1 {
		return false
	}
	for i, c := range b[:colon] {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || (c < '0' || c > '9') && c != '+' && c != '-' && c != '.') {
			return false
		}
	}
	for _, c := range b[colon:] {
		if c <= ' ' || c == '<' || c == '>' || c == 0x7f {
			return false
		}
	}
	return true
}

// checkText returns the position of the first byte that no value may have, and the code of the
// finding (clause 4: UTF-8 without control characters). It accepts line breaks and tabs, because
// they fold values. A CR that does not end a line is treated as a control character.
func checkText(raw []byte) (code fault.Code, at int) {
	high := false
	for i, c := range raw {
		switch {
		case c >= utf8.RuneSelf:
			high = true
		case c >= ' ' && c != 0x7f, c == '\n', c == '\t':
		case c == '\r' && i+1 < len(raw) && raw[i+1] == '\n':
		default:
			return FaultHeaderControl, i
		}
	}
	if high && !utf8.Valid(raw) {
		return FaultHeaderEncoding, invalidAt(raw)
	}
	return "", 0
}

// invalidAt returns the index of the first bytes that are not UTF-8.
func invalidAt(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(b)
}
