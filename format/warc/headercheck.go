package warc

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// once are the fields of the standard that a record has at most once: all but WARC-Concurrent-To
// (clause 4).
var once = []string{FieldType, FieldRecordID, FieldDate, FieldContentLength, FieldContentType, FieldBlockDigest,
	FieldPayloadDigest, FieldIPAddress, FieldRefersTo, FieldRefersToTargetURI, FieldRefersToDate, FieldTargetURI,
	FieldTruncated, FieldWarcinfoID, FieldFilename, FieldProfile, FieldIdentifiedPayloadType, FieldSegmentNumber,
	FieldSegmentOriginID, FieldSegmentTotalLength}

// formatHeader makes a header. It refuses one that a reader could not read back, and one that states
// two values of a field.
func formatHeader(fields []NameValue, size int64) ([]byte, error) {
	length := fmt.Sprintf("%s: %d\r\n\r\n", FieldContentLength, size)
	b := []byte("WARC/1.1\r\n")
	for i, f := range fields {
		switch {
		case !isToken([]byte(f.Name)) || strings.ContainsAny(f.Value, "\r\n") ||
			strings.EqualFold(f.Name, FieldContentLength):
			return nil, fmt.Errorf("%.80q: %.80q cannot be a named field", f.Name, f.Value)
		case slices.ContainsFunc(fields[:i], f.contradicts):
			return nil, fmt.Errorf("%s occurs twice; only %s may be repeated", f.Name, FieldConcurrentTo)
		}
		b = append(append(append(append(b, f.Name...), ": "...), f.Value...), "\r\n"...)
		if len(b)+len(length) > MaxHeader {
			return nil, fmt.Errorf("%.80s makes the header larger than %d bytes, which readers skip", f.Name, MaxHeader)
		}
	}
	return append(b, length...), nil
}

// contradicts reports whether other is the same field, and one that may not be repeated.
func (f NameValue) contradicts(other NameValue) bool {
	return strings.EqualFold(f.Name, other.Name) &&
		slices.ContainsFunc(once, func(name string) bool { return strings.EqualFold(name, f.Name) })
}

// checkValues refuses values that break the standard, in the fields of a record of ours.
func checkValues(fields []NameValue) error {
	for _, f := range fields {
		if why := flawOf(f); why != "" {
			return fmt.Errorf("%.80s: %.80q %s", f.Name, f.Value, why)
		}
	}
	return nil
}

// flawOf returns what is wrong with the value of a field, or "".
func flawOf(f NameValue) string {
	switch {
	case strings.ContainsFunc(f.Value, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }):
		return "has a control character"
	case !utf8.ValidString(f.Value):
		return "is not UTF-8"
	case trim(f.Value) != f.Value:
		return "begins or ends with a blank, which readers remove"
	}
	switch f.Name {
	case FieldRecordID:
		if !isID(f.Value) {
			return "is not a URI in angle brackets"
		}
	case FieldDate:
		if _, err := ParseDate(f.Value); err != nil {
			return "is not a date of the years 0 to 9999"
		}
	case FieldTargetURI:
		if strings.ContainsAny(f.Value, " <>") {
			return "has a space or an angle bracket; percent-encode it"
		}
	}
	return ""
}

// isID reports whether s is a URI in angle brackets (clause 5.2).
func isID(s string) bool {
	uri := bare(s)
	scheme, rest, found := strings.Cut(uri, ":")
	return uri != s && found && rest != "" && isToken([]byte(scheme)) && !strings.ContainsAny(uri, " \t<>") &&
		bytes.IndexByte([]byte("+-.0123456789"), scheme[0]) < 0
}
