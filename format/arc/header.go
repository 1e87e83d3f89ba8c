package arc

import (
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// MaxLine is the length of the longest URL-record line that the reader accepts, in bytes.
const MaxLine = 64 << 10

// Header is a URL-record line: the fields before a record's block. All text is as found.
type Header struct {
	URL         string // may hold spaces and bytes that are not UTF-8
	IP          string
	Date        string // Archive-date: 14 digits, if correct
	ContentType string // "" or "no-type" if unknown to the crawler
	BlockLength int64  // Archive-length: octets of the block; -1 if not a number or negative

	// The fields of version 2; empty in version 1.
	ResultCode string
	Checksum   string
	Location   string
	FileOffset string // "Offset" in the standard: the record's offset, by the writer
	Filename   string

	V2 bool // the line has the fields of version 2
}

// Time returns the Archive-date in UTC and its precision: time.Hour for 10 digits, time.Minute for
// 12, time.Second for 14, time.Millisecond for 17 and so on. It returns the zero time if the date
// cannot be read.
func (h *Header) Time() (t time.Time, precision time.Duration) { return parseDate(h.Date) }

// ParseLine parses a URL-record line without its line end, as the Reader does. ok is false if the
// line is not a URL-record line.
func ParseLine(line string) (h Header, ok bool) {
	p, ok := parseHeader(line)
	return p.Header, ok
}

// parsed is a Header with the evidence that it is one.
type parsed struct {
	Header
	scheme bool   // the URL begins with a scheme
	ip     bool   // IP is an address
	date   bool   // Date is 10 to 18 digits
	length bool   // the length is a number, possibly negative
	octets string // the length as found
}

// sure reports whether the line is a URL-record line even where none is expected.
func (p *parsed) sure() bool { return p.scheme && p.ip && p.date && p.length }

// likely reports whether the line is a URL-record line where one is expected.
func (p *parsed) likely() bool {
	if p.length {
		return p.ip && p.date || p.scheme && (p.ip || p.date) || isFiledesc(p.URL)
	}
	return p.scheme && p.ip && p.date
}

// parseHeader parses a line without its line end. One space separates the fields, but crawlers also
// wrote spaces into URLs and content types. So parseHeader reads the line from both ends: IP
// address and date, side by side, are the anchor on the left; the length is the anchor on the
// right.
func parseHeader(line string) (p parsed, ok bool) {
	line = strings.TrimRight(line, " \r")
	words := strings.Split(line, " ")
	n := len(words)
	if n < 4 || words[0] == "" {
		return p, false
	}
	at := dateWord(words)
	if at < 2 || at > n-2 {
		return p, false
	}
	p.URL = strings.Join(words[:at-1], " ")
	p.IP, p.Date = words[at-1], words[at]
	p.scheme, p.ip, p.date = hasScheme(p.URL), isIP(p.IP), isDate(p.Date)
	p.setLength(words[n-1])
	p.setRest(words[at+1 : n-1])
	return p, p.likely()
}

// dateWord returns the index of the date in words, or of the word in its place: the word after the
// IP address, preferably a date.
func dateWord(words []string) int {
	addressed := -1
	for i := 2; i < len(words)-1; i++ {
		if !isIP(words[i-1]) {
			continue
		}
		if isDate(words[i]) {
			return i
		}
		if addressed < 0 && words[i-1] != "-" {
			addressed = i
		}
	}
	if addressed >= 0 {
		return addressed
	}
	for i := 2; i < len(words)-1; i++ {
		if isDate(words[i]) {
			return i
		}
	}
	if len(words) == 10 || len(words) == 5 {
		return 2 // the position in the standard
	}
	return len(words) - 3
}

func (p *parsed) setLength(word string) {
	p.octets = word
	n, err := strconv.ParseInt(word, 10, 64)
	p.length = err == nil && word[0] != '+'
	p.BlockLength = n
	if !p.length || n < 0 {
		p.BlockLength = -1
	}
}

// setRest sets the fields between date and length: a content type, and the five fields of version 2
// if the words look like them.
func (p *parsed) setRest(words []string) {
	n := len(words)
	if n >= 6 && isResult(words[n-5]) && isNumber(words[n-2]) {
		p.V2 = true
		p.ResultCode, p.Checksum, p.Location = words[n-5], words[n-4], words[n-3]
		p.FileOffset, p.Filename = words[n-2], words[n-1]
		words = words[:n-5]
	}
	p.ContentType = strings.Join(words, " ")
}

// line returns the header as a URL-record line, without its line end.
func (h *Header) line() string {
	fields := []string{h.URL, h.IP, h.Date, h.ContentType}
	if h.V2 {
		fields = append(fields, h.ResultCode, h.Checksum, h.Location, h.FileOffset, h.Filename)
	}
	return strings.Join(append(fields, strconv.FormatInt(h.BlockLength, 10)), " ")
}

// isFiledesc reports whether the URL is the URL of a version block.
func isFiledesc(url string) bool {
	return len(url) >= 11 && strings.EqualFold(url[:11], "filedesc://")
}

// maxScheme bounds the length of a URL's scheme, so that the search for it is cheap.
const maxScheme = 32

// hasScheme reports whether s begins with a scheme and a colon (RFC 3986, 3.1).
func hasScheme[T string | []byte](s T) bool {
	for i := 0; i < len(s) && i <= maxScheme; i++ {
		c := s[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		switch {
		case c == ':':
			return i > 0
		case letter, i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		default:
			return false
		}
	}
	return false
}

// isIP reports whether s is an IP address, or the "-" that some writers used for an unknown one.
func isIP(s string) bool {
	if s == "-" {
		return true
	}
	if len(s) < 2 || len(s) > 45 || !strings.ContainsAny(s[:1], "0123456789abcdefABCDEF:") {
		return false // avoids the cost of making an error
	}
	_, err := netip.ParseAddr(s)
	return err == nil
}

func isDate(s string) bool { return len(s) >= 10 && len(s) <= 18 && allDigits(s) }

// isResult reports whether s is three digits, "-", or the -1 of HTTrack.
func isResult(s string) bool { return s == "-" || s == "-1" || len(s) == 3 && allDigits(s) }

func isNumber(s string) bool { return s == "-" || allDigits(s) }

func allDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// parseDate parses 10 to 18 digits as YYYYMMDDhh[mm[ss[fraction]]].
func parseDate(s string) (time.Time, time.Duration) {
	if !isDate(s) {
		return time.Time{}, 0
	}
	switch {
	case len(s) < 12:
		return dateOr(s[:10], "2006010215", time.Hour)
	case len(s) < 14:
		return dateOr(s[:12], "200601021504", time.Minute)
	}
	t, precision := dateOr(s[:14], "20060102150405", time.Second)
	if t.IsZero() {
		return t, 0
	}
	for _, c := range s[14:] {
		precision /= 10
		t = t.Add(time.Duration(c-'0') * precision)
	}
	return t, precision
}

func dateOr(s, layout string, precision time.Duration) (time.Time, time.Duration) {
	t, err := time.Parse(layout, s)
	if err != nil {
		return time.Time{}, 0
	}
	return t, precision
}
