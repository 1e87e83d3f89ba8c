package dedup

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"quire/format/warc"
)

// Quire's own fields in a revisit record that replaced a record. They hold data that the standard
// has no field for, and data for restoring the record byte for byte;
// docs/explanation/decisions/0010 describes this. Fields after FieldHeader were added; those before
// it are the record's own.
const (
	// SHA-256 of the original header; the first of the added fields
	FieldHeader = "Dedup-Header"
	// SHA-256 of the body as sent: the whole block after the HTTP head
	FieldBody      = "Dedup-Body"
	FieldEvidence  = "Dedup-Evidence"          // Evidence
	FieldContainer = "Dedup-Container"         // container of the original
	FieldPackage   = "Dedup-Package"           // identifier of the package that holds it; none outside packages
	FieldPath      = "Dedup-Path"              // path of the container in that package
	fieldWas       = "Dedup-Was-"              // prefix for the name of a field that stores a former value
	fieldVersion   = fieldWas + "WARC-Version" // the version line
)

// maxHeader is the largest header, in bytes, of a record that is replaced. Usual headers have a
// kilobyte.
const maxHeader = 16 << 10

// errOdd reports that a header could not be restored byte for byte.
var errOdd = errors.New("the header could not be restored byte for byte")

// edit is a change of a header value.
type edit struct {
	name       string
	start, end int // of the value in the raw header
	value      string
}

// revisitHeader returns the header of the revisit record that replaces a record. The block keeps
// only head. It returns errOdd if the original header could not be restored.
func revisitHeader(h *warc.Header, head []byte, s *recordFacts, o *Original) ([]byte, error) {
	raw := h.Raw()
	if !plainHeader(h) || len(raw) > maxHeader || strings.ContainsAny(o.URI+o.ID+o.Date+o.Container+o.shelf, "\r\n") {
		return nil, errOdd
	}
	edits, err := editsOf(h, head)
	if err != nil {
		return nil, err
	}
	was := []warc.NameValue{{Name: fieldVersion, Value: string(raw[:bytes.IndexByte(raw, '\r')])}}
	b := []byte("WARC/1.1")
	at := bytes.IndexByte(raw, '\r')
	for _, e := range edits {
		b = append(append(b, raw[at:e.start]...), e.value...)
		at = e.end
		was = append(was, warc.NameValue{Name: fieldWas + e.name, Value: string(raw[e.start:e.end])})
	}
	b = append(b, raw[at:len(raw)-len("\r\n")]...)
	for _, f := range append(added(h, head, s, o), was...) {
		b = append(append(append(append(b, f.Name...), ": "...), f.Value...), "\r\n"...)
	}
	b = append(b, "\r\n"...)
	if back, err := formerHeader(b); err != nil || !bytes.Equal(back, raw) {
		return nil, errOdd
	}
	return b, nil
}

// plainHeader reports whether a header follows the standard, and has none of the fields to be
// added.
func plainHeader(h *warc.Header) bool {
	raw := h.Raw()
	if !bytes.HasSuffix(raw, []byte("\r\n\r\n")) ||
		bytes.Count(raw, []byte("\n")) != bytes.Count(raw, []byte("\r\n")) ||
		bytes.Count(raw, []byte("\r")) != bytes.Count(raw, []byte("\n")) {
		return false
	}
	for _, f := range h.Fields() {
		name := strings.ToLower(string(f.Name))
		if strings.HasPrefix(name, "dedup-") || strings.HasPrefix(name, "warc-refers-to") {
			return false
		}
		switch name {
		case "warc-profile", "warc-truncated":
			return false
		}
	}
	for name, most := range map[string][2]int{
		warc.FieldType: {1, 1}, warc.FieldContentLength: {1, 1}, warc.FieldTargetURI: {1, 1}, warc.FieldDate: {1, 1},
		warc.FieldRecordID: {1, 1}, warc.FieldBlockDigest: {0, 1}, warc.FieldPayloadDigest: {0, 1},
	} {
		if n := h.Count(name); n < most[0] || n > most[1] {
			return false
		}
	}
	return true
}

// editsOf lists the changes to the fields of the record, in their order.
func editsOf(h *warc.Header, head []byte) ([]edit, error) {
	var edits []edit
	raw := h.Raw()
	for _, f := range h.Fields() {
		value := string(f.Value)
		next := value
		var name string
		switch strings.ToLower(string(f.Name)) {
		case "warc-type":
			name, next = warc.FieldType, warc.TypeRevisit
		case "content-length":
			name, next = warc.FieldContentLength, strconv.Itoa(len(head))
		case "warc-block-digest":
			name, next = warc.FieldBlockDigest, digestLike(value, head)
		case "warc-target-uri": // version 1.0 of the grammar requires angle brackets, version 1.1 does not
			name = warc.FieldTargetURI
			if strings.HasPrefix(value, "<") && strings.HasSuffix(value, ">") {
				next = value[1 : len(value)-1]
			}
		}
		if name == "" || next == value {
			continue
		}
		start := cap(raw) - cap(f.Value) // a value is a slice of raw
		if next == "" || start < 0 || start+len(value) > len(raw) || string(raw[start:start+len(value)]) != value ||
			strings.Contains(value, "\n") {
			return nil, errOdd
		}
		edits = append(edits, edit{name, start, start + len(value), next})
	}
	return edits, nil
}

// digestLike returns the digest of a block, by the algorithm of a stated digest.
func digestLike(stated string, block []byte) string {
	algorithm := "sha1"
	if d, err := warc.ParseDigest(stated); err == nil {
		algorithm = d.Algorithm
	}
	return digestOf(algorithm, block)
}

func digestOf(algorithm string, b []byte) string {
	hash := warc.NewHash(algorithm)
	hash.Write(b) // a hash never fails
	return warc.FormatDigest(algorithm, hash.Sum(nil))
}

// added returns the fields that are added after the record's own fields.
func added(h *warc.Header, head []byte, s *recordFacts, o *Original) []warc.NameValue {
	sum := sha256.Sum256(h.Raw())
	fields := []warc.NameValue{
		{Name: FieldHeader, Value: "sha256:" + hex.EncodeToString(sum[:])},
		{Name: warc.FieldProfile, Value: warc.ProfileIdenticalPayload11},
		{Name: warc.FieldRefersToTargetURI, Value: o.URI},
		{Name: warc.FieldRefersToDate, Value: o.Date},
	}
	add := func(name, value string) { fields = append(fields, warc.NameValue{Name: name, Value: value}) }
	if o.ID != "" {
		add(warc.FieldRefersTo, o.ID)
	}
	if len(head) > 0 { // 6.7.2: a block with a response but no payload is truncated
		add(warc.FieldTruncated, "length")
	}
	if !h.Has(warc.FieldPayloadDigest) { // the profile requires it
		add(warc.FieldPayloadDigest, warc.FormatDigest("sha1", s.Payload.SHA1[:]))
	}
	if !h.Has(warc.FieldBlockDigest) {
		add(warc.FieldBlockDigest, digestOf("sha1", head))
	}
	add(FieldBody, warc.FormatDigest("sha256", s.Payload.Body[:]))
	add(FieldEvidence, string(o.Evidence))
	if o.Container != "" {
		add(FieldContainer, o.Container)
	}
	if id, path, ok := strings.Cut(o.shelf, between); ok {
		add(FieldPackage, id)
		add(FieldPath, path)
	}
	return fields
}

// formerHeader restores the original header from the header of the revisit record. The error states
// why this is impossible.
func formerHeader(raw []byte) ([]byte, error) {
	own, ours, found := bytes.Cut(raw, []byte("\r\n"+FieldHeader+": "))
	if !found || !bytes.HasSuffix(ours, []byte("\r\n\r\n")) {
		return nil, fmt.Errorf("it has no field %s", FieldHeader)
	}
	own = append(own[:len(own):len(own)], "\r\n"...)
	want, rest, _ := bytes.Cut(ours, []byte("\r\n"))
	for len(rest) > len("\r\n") {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\r\n"))
		name, value, _ := bytes.Cut(line, []byte(": "))
		var err error
		switch field, is := bytes.CutPrefix(name, []byte(fieldWas)); {
		case string(name) == fieldVersion:
			own = append(append([]byte{}, value...), own[bytes.IndexByte(own, '\r'):]...)
		case is:
			own, err = setValue(own, field, value)
		}
		if err != nil {
			return nil, err
		}
	}
	own = append(own, "\r\n"...)
	if sum := sha256.Sum256(own); string(want) != "sha256:"+hex.EncodeToString(sum[:]) {
		return nil, fmt.Errorf("the header restored from its fields is not the original: %s is %.80s", FieldHeader,
			want)
	}
	return own, nil
}

// setValue replaces the value of a field.
func setValue(header, name, value []byte) ([]byte, error) {
	at := bytes.IndexByte(header, '\n') + 1
	for at < len(header) {
		end := at + max(bytes.Index(header[at:], []byte("\r\n")), 0)
		line := header[at:end]
		if len(line) > len(name) && line[len(name)] == ':' && bytes.EqualFold(line[:len(name)], name) {
			from := at + len(name) + 1
			for from < end && (header[from] == ' ' || header[from] == '\t') {
				from++
			}
			to := end
			for to > from && (header[to-1] == ' ' || header[to-1] == '\t') {
				to--
			}
			return append(append(append([]byte{}, header[:from]...), value...), header[to:]...), nil
		}
		at = end + len("\r\n")
	}
	return nil, fmt.Errorf("it has no field %.80s", name)
}
