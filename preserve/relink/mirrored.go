package relink

import (
	"io"
	"strings"

	"quire/format/htmllink"
)

// maxHead is how far MirroredFrom reads: the comment stands before the head of a page.
const maxHead = 1 << 20

// MirroredFrom reads what HTTrack's comment says of a page: its URL, and when it was written, in the form of HTTP dates. The scheme is
// missing in versions before 2026; https and http cannot be told apart there. What comes first in the page counts; a page
// that was itself made from a mirror has another behind it.
func MirroredFrom(src io.Reader) (url, date string, ok bool) {
	s := htmllink.NewScanner(io.LimitReader(src, maxHead), htmllink.Options{})
	s.Comment = func(_, _ int64, text []byte) {
		if !ok {
			url, date, ok = footer(string(text))
		}
	}
	for !ok {
		if _, err := s.Next(); err != nil {
			break
		}
	}
	return url, date, ok
}

// footer reads the text of the comment: " Mirrored from URL by HTTrack Website Copier/VERSION [AUTHORS], DATE ".
func footer(text string) (url, date string, ok bool) {
	rest, ok := strings.CutPrefix(text, " Mirrored from ")
	if !ok {
		return "", "", false
	}
	i := strings.LastIndex(rest, " by HTTrack Website Copier/")
	if i <= 0 {
		return "", "", false
	}
	url, rest = rest[:i], rest[i:]
	_, date, ok = strings.Cut(rest, "], ")
	if !ok {
		return url, "", true
	}
	return url, strings.TrimSpace(date), true
}
