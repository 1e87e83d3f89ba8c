package playlist

import (
	"bytes"
	"strings"
)

// Form is the form of a playlist.
type Form uint8

// The forms. The zero value is None.
const (
	None Form = iota
	HLS
	DASH
)

// MaxBytes is the longest playlist in which variants are looked for, in bytes. Lists of variants are
// short. Longer playlists list the pieces of one variant.
const MaxBytes = 1 << 20

// maxAsked limits the URLs that are looked for in the archive. Variants beyond it are offered.
const maxAsked = 64

var forms = map[string]Form{
	"application/vnd.apple.mpegurl": HLS, "application/x-mpegurl": HLS, "audio/mpegurl": HLS, "audio/x-mpegurl": HLS,
	"application/dash+xml": DASH, "video/vnd.mpeg.dash.mpd": DASH,
}

// May reports whether a body of this Content-Type may be a playlist.
func May(contentType string) bool { return Of(contentType, []byte(begins)) != None }

// begins is the beginning of an HLS playlist (RFC 8216, 4.3.1.1).
const begins = "#EXTM3U"

// Of returns the form of a body by its Content-Type. Of an HLS playlist, the first bytes must be those
// of one, too: .m3u files of other programs have these types, and servers declare text/plain.
func Of(contentType string, first []byte) Form {
	mime, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	mime = strings.TrimSpace(mime)
	form := forms[mime]
	extended := bytes.HasPrefix(bytes.TrimPrefix(first, []byte("\xef\xbb\xbf")), []byte(begins))
	plain := mime == "" || mime == "text/plain" || mime == "application/octet-stream" || mime == "binary/octet-stream"
	switch {
	case extended && (form == HLS || plain):
		return HLS
	case form == DASH:
		return DASH
	}
	return None
}

// Offer removes the variants from a playlist that an archive does not have, and returns their number.
// at is the URL of the playlist. If it has none of them, all stay: then the cause is another one.
func Offer(form Form, body []byte, at string, has func(url string) bool) (out []byte, removed int) {
	a := &archive{has: has, known: map[string]bool{}}
	switch form {
	case HLS:
		return a.hls(body, at)
	case DASH:
		return a.dash(body, at)
	case None:
	}
	return body, 0
}

// archive answers each URL once, and not without limit.
type archive struct {
	has   func(url string) bool
	known map[string]bool
}

func (a *archive) holds(url string) bool {
	if known, ok := a.known[url]; ok {
		return known
	}
	if len(a.known) == maxAsked {
		return true
	}
	a.known[url] = a.has(url)
	return a.known[url]
}

// span is a part of a playlist that names one variant.
type span struct {
	from, to int
	group    string // variants of which one must stay
	gone     bool
}

// without returns a body without the spans that are gone, except those of a group without any other.
func without(body []byte, spans []span) (out []byte, removed int) {
	stays := map[string]bool{}
	for _, s := range spans {
		stays[s.group] = stays[s.group] || !s.gone
	}
	from := 0
	for _, s := range spans {
		if s.gone && stays[s.group] {
			out = append(out, body[from:s.from]...)
			from = s.to
			removed++
		}
	}
	return append(out, body[from:]...), removed
}
