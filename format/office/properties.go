package office

import (
	"fmt"
	"strings"
	"time"

	"golang.org/x/text/encoding/htmlindex"

	"quire/format/compound"
)

// Types of values, and numbers of properties ([MS-OLEPS] 2.15, 2.18; [MS-OSHARED] 2.3.3.2).
const (
	typeNarrow = 0x1e
	typeWide   = 0x1f
	typeTime   = 0x40

	propertyPage     = 1
	propertyTitle    = 2
	propertySubject  = 3
	propertyAuthor   = 4
	propertyKeywords = 5
	propertyComments = 6
	propertyCreated  = 12
	propertySaved    = 13
)

// properties reads the document's metadata.
func (r *reader) properties(f *compound.File) {
	b, err := f.Stream("\x05SummaryInformation", 1<<20)
	if err != nil || len(b) < 48 {
		return // many documents have none
	}
	at := int(u32(b, 44))
	if at > len(b) {
		r.facts.warn("its metadata cannot be read")
		return
	}
	b = b[at:]
	const most = 1000
	count := int(min(u32(b, 4), most))
	page := 1252
	for i := range count {
		if u32(b, 8+8*i) == propertyPage {
			page = u16(b, int(u32(b, 12+8*i))+4)
		}
	}
	to := map[uint32]*string{
		propertyTitle: &r.facts.Title, propertySubject: &r.facts.Subject, propertyAuthor: &r.facts.Author,
		propertyKeywords: &r.facts.Keywords,
		propertyComments: &r.facts.Description, propertyCreated: &r.facts.Created, propertySaved: &r.facts.Modified,
	}
	for i := range count {
		if into := to[u32(b, 8+8*i)]; into != nil {
			*into = property(b, int(u32(b, 12+8*i)), page)
		}
	}
}

// property returns a value as text.
func property(b []byte, at, page int) string {
	size := int(min(u32(b, at+4), maxValue))
	begin := min(at+8, len(b))
	s := ""
	switch kind := u32(b, at); {
	case kind == typeTime:
		return fileTime(uint64(u32(b, at+4)) | uint64(u32(b, at+8))<<32)
	case kind == typeWide:
		s = wide(b[begin:min(begin+2*size, len(b))])
	case kind == typeNarrow && page == 1200:
		s = wide(b[begin:min(begin+size, len(b))])
	case kind == typeNarrow:
		s = inPage(b[begin:min(begin+size, len(b))], page)
	}
	s, _, _ = strings.Cut(s, "\x00")
	return strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
}

// inPage decodes text in a Windows code page; an unknown one is read as Western European.
func inPage(b []byte, page int) string {
	names := map[int]string{932: "shift_jis", 936: "gbk", 949: "euc-kr", 950: "big5", 874: "windows-874",
		10000: "macintosh", 20866: "koi8-r", 65001: "utf-8"}
	for p := 1250; p <= 1258; p++ {
		names[p] = fmt.Sprint("windows-", p)
	}
	e, err := htmlindex.Get(names[page])
	if err != nil {
		return western(b)
	}
	s, err := e.NewDecoder().Bytes(b)
	if err != nil {
		return western(b)
	}
	return string(s)
}

// fileTime converts a Windows time, in units of 100 ns since 1601, to the form of current
// documents; "" for zero.
func fileTime(n uint64) string {
	const second, from1601To1970 = 10_000_000, 11_644_473_600
	if n == 0 || n/second < from1601To1970 {
		return ""
	}
	return time.Unix(int64(n/second-from1601To1970), 0).UTC().Format(time.RFC3339) //nolint:gosec // less than 2^41
}
