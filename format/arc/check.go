package arc

import (
	"fmt"
	"strconv"

	"quire/format/fault"
)

// check reports the rules for URL-record lines that the header breaks. The record begins at offset
// at in the file, and at inflated in the inflated stream.
func (p *parsed) check(tell func(fault.Code, string), at, inflated int64) {
	if detail := urlFault(p.URL); detail != "" {
		tell(URL, detail)
	}
	if !p.ip || p.IP == "-" {
		tell(IP, quote(p.IP)+" is no IP address")
	}
	if t, _ := p.Time(); t.IsZero() {
		tell(Date, quote(p.Date)+" is not a time")
	} else if len(p.Date) != 14 {
		tell(DateForm, fmt.Sprintf("%s has %d digits, not 14", p.Date, len(p.Date)))
	}
	if p.ContentType == "" || p.ContentType == "-" || !printable(p.ContentType) {
		tell(ContentType, quote(p.ContentType))
	} else if isFiledesc(p.URL) && p.ContentType != "text/plain" {
		tell(ContentType, quote(p.ContentType)+"; a version block is text/plain")
	}
	if p.BlockLength < 0 {
		tell(Length, "Archive-length "+quote(p.octets)+" is not a number of octets")
	}
	if p.V2 {
		p.checkV2(tell, at, inflated)
	}
}

func (p *parsed) checkV2(tell func(fault.Code, string), at, inflated int64) {
	if len(p.ResultCode) != 3 || p.ResultCode < "100" {
		tell(ResultCode, quote(p.ResultCode)+" is not three digits from 100 on")
	}
	said, err := strconv.ParseInt(p.FileOffset, 10, 64)
	if !isFiledesc(p.URL) && (err != nil || said != at && said != inflated) {
		tell(Offset, fmt.Sprintf("Offset is %s, but the record begins at %d", quote(p.FileOffset), at))
	}
}

func urlFault(url string) string {
	if !hasScheme(url) {
		return quote(url) + " has no scheme"
	}
	for i := 0; i < len(url); i++ {
		if c := url[i]; c <= ' ' || c >= 0x7F {
			return fmt.Sprintf("%s has byte 0x%02X", quote(url), c)
		}
	}
	return ""
}

// printable reports whether s is ASCII without spaces and control characters.
func printable(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] <= ' ' || s[i] >= 0x7F {
			return false
		}
	}
	return true
}

// quote quotes at most 80 bytes of s, so that hostile input stays out of reports.
func quote(s string) string {
	const most = 80
	if len(s) > most {
		return fmt.Sprintf("%q… (%d bytes)", s[:most], len(s))
	}
	return strconv.Quote(s)
}
