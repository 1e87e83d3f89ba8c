package cdx

import (
	"strconv"
	"strings"
	"time"
)

// Entry is what an index says of one capture. Texts are as found, bytes and all; what an index does
// not say, or says with a dash, is empty.
//
// Length is in bytes, and what it counts depends on who wrote the index: the record as stored (S),
// or the document as the line of an ARC record counts it (n). NetarchiveSuite writes the first for
// WARC and the second for ARC files, in one and the same column. Offset is in the file as stored
// (V) or, where the index has only that, in the file when it is inflated (v).
type Entry struct {
	Line int64 // in the index, from 1
	At   int64 // offset of the line in the index, in bytes

	Key       string // what the index is sorted by: the URL in a canonical form
	URL       string
	Time      time.Time // of the capture, UTC; zero when there is none that could be read
	Timestamp string    // the same, as found: mostly 14 digits
	MIME      string
	Status    int    // of the answer; 0 when not told
	Digest    string // as found: with a label or without, Base32 or hex
	Redirect  string
	Length    int64 // -1 when not told
	Offset    int64 // -1 when not told
	File      string
	IP        string
	RecordID  string // WARC-Record-ID, with its angle brackets (wget)
	Extra     []Extra
}

// Extra is a column or a member that Entry has no place for.
type Extra struct {
	Name  string // letter of the column; name of the member
	Value string // as found; a JSON value when JSON says so
	JSON  bool
}

// The letters of the legend that Entry has a place for.
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

// parseTime reads a timestamp of 4 to 18 digits: a year, and as many pairs more as there are. What
// is behind the seconds is a fraction of one.
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

// known is what a column says, "" for the dash that stands for nothing.
func known(s string) string {
	if s == dash {
		return ""
	}
	return s
}

// number reads an offset or a length, -1 for a dash.
func number(s string) (n int64, ok bool) {
	if known(s) == "" {
		return -1, true
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return -1, false
	}
	return n, true
}

// status reads that of an answer, 0 for a dash.
func status(s string) (code int, ok bool) {
	if known(s) == "" {
		return 0, true
	}
	code, err := strconv.Atoi(s)
	if err != nil || code < 0 {
		return 0, false
	}
	return code, true
}
