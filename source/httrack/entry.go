package httrack

import (
	"bytes"
	"strconv"
	"strings"

	"quire/model"
)

// Entry is the cache entry of one URL.
type Entry struct {
	URL      string // raw, as in the cache; with an added scheme if the old cache has none
	Cache    string // path of the file in the Tree: hts-cache/new.zip
	Status   int    // of HTTP
	Message  string // of the server
	InCache  bool   // the body is here: the original entity, content coding removed
	Size     int64  // of the body as the server sent it, -1 if unknown
	Save     string // path of the written file; "" for none
	Location string // target of a redirect
	// Headers are the response data in the cache, in its order. HTTrack wrote them; they are not
	// the server's header.
	Headers []model.Field

	Assumed bool // the scheme is assumed: the cache has none
	Length  int64
	body    place
}

// place is the location of a body in the cache.
type place struct {
	at, stored, size int64
	deflated         bool
	crc              uint32
	summed           bool // crc is known
}

// parseEntry parses the text in the extra field of a local header. It is a status line that HTTrack
// composed, then lines of a name and a value. The zip format would require TLV there.
func parseEntry(e *Entry, extra []byte) (problem string) {
	e.Size = -1
	line, rest, _ := bytes.Cut(extra, []byte("\n"))
	if !bytes.HasPrefix(line, []byte("HTTP/")) {
		return "its extra field holds no headers"
	}
	for len(rest) > 0 {
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		name, value, ok := strings.Cut(strings.TrimRight(string(line), "\r"), ":")
		if !ok {
			continue
		}
		value = strings.TrimPrefix(value, " ")
		e.Headers = append(e.Headers, model.Field{Name: name, Value: value})
		e.take(name, value)
	}
	if e.Status == 0 {
		return "its headers have no status"
	}
	return ""
}

func (e *Entry) take(name, value string) {
	switch strings.ToLower(name) {
	case "x-in-cache":
		e.InCache = value == "1"
	case "x-statuscode":
		if n, err := strconv.Atoi(value); err == nil {
			e.Status = n
		}
	case "x-statusmessage":
		e.Message = value
	case "x-size":
		if n, err := strconv.ParseInt(value, 10, 64); err == nil && n >= 0 {
			e.Size = n
		}
	case "x-save":
		e.Save = value
	case "location":
		e.Location = value
	}
}

// Header returns the value of a header, or "".
func (e *Entry) Header(name string) string {
	for _, f := range e.Headers {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}
