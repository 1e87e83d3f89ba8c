package playlist

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"quire/format/weburl"
)

// hls removes variants from a master playlist: EXT-X-STREAM-INF with the line of its URI,
// EXT-X-I-FRAME-STREAM-INF and EXT-X-MEDIA (RFC 8216, 4.3.4). A rendition stays if its group would
// lose its last one, because variants name the group.
func (a *archive) hls(body []byte, at string) ([]byte, int) {
	if !bytes.Contains(body, []byte("#EXT-X-STREAM-INF:")) {
		return body, 0
	}
	base, err := weburl.Parse(at, nil, nil)
	if err != nil {
		return body, 0
	}
	gone := func(uri string) bool {
		u, err := weburl.Parse(uri, base, nil)
		return err == nil && !a.holds(u.Resource())
	}
	var spans []span
	begin, from := -1, 0 // of a variant whose URI comes below
	for line := range bytes.Lines(body) {
		to := from + len(line)
		text := strings.TrimRight(string(line), "\r\n")
		name, attributes, _ := strings.Cut(text, ":")
		switch {
		case name == "#EXT-X-STREAM-INF":
			begin = from
		case name == "#EXT-X-I-FRAME-STREAM-INF" || name == "#EXT-X-MEDIA":
			group := name + attribute(attributes, "TYPE") + " " + attribute(attributes, "GROUP-ID")
			uri := attribute(attributes, "URI")
			spans = append(spans, span{from, to, group, uri != "" && gone(uri)})
		case begin >= 0 && text != "" && text[0] != '#':
			spans = append(spans, span{begin, to, "", gone(text)})
			begin = -1
		}
		from = to
	}
	return without(body, spans)
}

// attribute returns the value of an attribute (RFC 8216, 4.2), without quotes; "" if it is missing.
func attribute(list, name string) string {
	from, to := place(list, name)
	return list[from:to]
}

// place returns the place of an attribute's value in a list, without quotes.
func place(list, name string) (from, to int) {
	for at := 0; at < len(list); {
		equals := strings.IndexByte(list[at:], '=')
		if equals < 0 {
			break
		}
		is := strings.TrimSpace(list[at : at+equals])
		from = at + equals + 1
		if from < len(list) && list[from] == '"' {
			from++
			if to = strings.IndexByte(list[from:], '"'); to < 0 {
				break
			}
			to += from
			at = to + 1
		} else {
			if to = strings.IndexByte(list[from:], ','); to < 0 {
				to = len(list) - from
			}
			to += from
			at = to
		}
		if is == name {
			return from, to
		}
		for at < len(list) && (list[at] == ',' || list[at] == ' ') {
			at++
		}
	}
	return 0, 0
}

// maxLine is the longest line of a playlist that is read, in bytes.
const maxLine = 64 << 10

// Link copies an HLS playlist, and replaces each URL by that of the function. Relative URLs that lead
// down from the playlist stay as captured: address is called only for those that begin with a
// scheme or a slash. at is the URL of the playlist.
func Link(w io.Writer, r io.Reader, at string, address func(absolute string) string) error {
	in, out := bufio.NewReaderSize(r, maxLine), bufio.NewWriter(w)
	base, err := weburl.Parse(at, nil, nil)
	whole := err == nil // at the beginning of a line
	for {
		line, err := in.ReadSlice('\n')
		text := string(line)
		if whole && !errors.Is(err, bufio.ErrBufferFull) {
			text = linked(text, base, address)
		}
		whole = base != nil && !errors.Is(err, bufio.ErrBufferFull)
		if _, err := out.WriteString(text); err != nil {
			return err
		}
		switch {
		case errors.Is(err, io.EOF):
			return out.Flush()
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return errors.Join(err, out.Flush())
		}
	}
}

// linked replaces the URL of a line: the line itself, or the attribute URI of a tag.
func linked(line string, base *weburl.URL, address func(string) string) string {
	text := strings.TrimRight(line, "\r\n")
	from, to := 0, len(text)
	if strings.HasPrefix(text, "#") {
		_, list, ok := strings.Cut(text, ":")
		if !strings.HasPrefix(text, "#EXT") || !ok {
			return line
		}
		from, to = place(list, "URI")
		from, to = from+len(text)-len(list), to+len(text)-len(list)
	}
	uri := text[from:to]
	if u, err := weburl.Parse(uri, base, nil); err == nil && (u.Scheme == "http" || u.Scheme == "https") &&
		(strings.HasPrefix(uri, "/") || strings.Contains(uri, "://")) {
		return line[:from] + address(u.Resource()) + line[to:]
	}
	return line
}
