package cdx

import (
	"strconv"
	"strings"
	"time"
)

// Entry is one capture in an index. Texts are as found, byte for byte. Values that the index lacks
// or gives as a dash are empty.
//
// Length is in bytes; its meaning depends on the writer of the index. It is the record as stored
// (S), or the document as the ARC record line counts it (n). NetarchiveSuite writes the first for
// WARC files and the second for ARC files, in the same column. Offset is in the file as stored (V).
// If the index has only the other offset (v), Offset is in the inflated file.
type Entry struct {
	Line int64 // in the index, from 1
	At   int64 // offset of the line in the index, in bytes

	Key       string // sort key: the URL in a canonical form
	URL       string
	Time      time.Time // of the capture, UTC; zero if unreadable
	Timestamp string    // the same, as found: mostly 14 digits
	MIME      string
	Status    int    // of the response; 0 if missing
	Digest    string // as found: with a label or without, Base32 or hex
	Redirect  string
	Length    int64 // -1 if missing
	Offset    int64 // -1 if missing
	File      string
	IP        string
	RecordID  string // WARC-Record-ID, with its angle brackets (wget)
	Extra     []Extra
}

// Extra is a column or a member without a field in Entry.
type Extra struct {
	Name  string // letter of the column; name of the member
	Value string // as found; a JSON value in CDXJ
	JSON  bool
}

// The letters of the legend that have a field in Entry.
const (
	letterKey        = 'N' // "massaged url"
	letterOldKey     = 'A' // "canonized url"
	letterURL        = 'a'
	letterTime       = 'b'
	letterMIME       = 'm'
	letterStatus     = 's'
	letterDigest     = 'k' // "new style checksum"
	letterOldDigest  = 'c' // "old style checksum"
	letterRedirect   = 'r'
	letterLength     = 'S' // "compressed record size"
	letterDocument   = 'n' // "arc document length"
	letterOffset     = 'V' // "compressed arc file offset"
	letterInflated   = 'v' // "uncompressed arc file offset"
	letterFile       = 'g'
	letterIP         = 'e'
	letterRecord     = 'u' // "uniq" in the legend; wget writes the record's id
	dash             = "-"
	longestTimestamp = 18
)

// timestampLayout is read as far as the digits go.
const timestampLayout = "20060102150405"

// parseTime parses a timestamp of 4 to 18 digits: a year, then as many pairs as there are. The
// digits after the seconds are a fraction.
func parseTime(s string) (time.Time, bool) {
	half := len(s) < len(timestampLayout) && len(s)%2 != 0
	if len(s) < 4 || len(s) > longestTimestamp || half || strings.Trim(s, "0123456789") != "" {
		return time.Time{}, false
	}
	layout := timestampLayout[:min(len(s), len(timestampLayout))]
	if len(s) > len(timestampLayout) {
		s = s[:14] + "." + s[14:]
	}
	t, err := time.Parse(layout, s)
	return t, err == nil
}

// columnValue returns the value of a column, "" for a dash.
func columnValue(s string) string {
	if s == dash {
		return ""
	}
	return s
}

// number parses an offset or a length; a dash is -1.
func number(s string) (n int64, ok bool) {
	if columnValue(s) == "" {
		return -1, true
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return -1, false
	}
	return n, true
}

// status parses the status of a response; a dash is 0.
func status(s string) (code int, ok bool) {
	if columnValue(s) == "" {
		return 0, true
	}
	code, err := strconv.Atoi(s)
	if err != nil || code < 0 {
		return 0, false
	}
	return code, true
}
