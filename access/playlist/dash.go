package playlist

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"quire/format/weburl"
)

// maxDepth limits the elements within each other in a manifest. Manifests have some ten.
const maxDepth = 64

// level is an element of a manifest that is being read, and the properties that elements within inherit.
type level struct {
	name   string
	base   *weburl.URL
	based  bool   // it had a BaseURL; the first counts
	first  string // URL of the first piece, perhaps with identifiers
	number string // of the first piece
	time   string
	id     string // of a Representation
	rate   string
	from   int // of the element
	set    int // number of its AdaptationSet
}

// dash removes the representations whose first piece the archive does not have (ISO/IEC 23009-1,
// 5.3.9). One of each AdaptationSet stays: the others cannot replace it.
func (a *archive) dash(body []byte, at string) ([]byte, int) {
	base, err := weburl.Parse(at, nil, nil)
	if err != nil {
		return body, 0
	}
	d := xml.NewDecoder(bytes.NewReader(body))
	d.CharsetReader = func(string, io.Reader) (io.Reader, error) { return nil, errors.New("not in UTF-8") }
	levels := []level{{base: base}}
	var spans []span
	sets := 0
	for {
		from := int(d.InputOffset())
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return body, 0
		}
		up := &levels[len(levels)-1]
		switch t := token.(type) {
		case xml.StartElement:
			if len(levels) == maxDepth {
				return body, 0
			}
			if t.Name.Local == "AdaptationSet" {
				sets++
			}
			levels = append(levels, up.begin(t, from, sets))
		case xml.CharData:
			if up.name == "BaseURL" && len(levels) > 1 {
				levels[len(levels)-2].rebase(strings.TrimSpace(string(t)))
			}
		case xml.EndElement:
			done := *up
			levels = levels[:len(levels)-1]
			if len(levels) == 0 {
				return body, 0
			}
			up = &levels[len(levels)-1]
			up.take(&done)
			if done.name == "Representation" {
				url := done.piece()
				spans = append(spans, span{done.from, int(d.InputOffset()), fmt.Sprint(done.set),
					url != "" && !a.holds(url)})
			}
		}
	}
	return without(body, spans)
}

// begin returns the level of an element within.
func (l *level) begin(t xml.StartElement, from, set int) level {
	in := level{name: t.Name.Local, base: l.base, first: l.first, number: l.number, time: l.time, id: l.id,
		rate: l.rate, from: from, set: set}
	get := func(name string) string {
		for _, a := range t.Attr {
			if a.Name.Local == name {
				return a.Value
			}
		}
		return ""
	}
	switch in.name {
	case "Representation":
		in.id, in.rate = get("id"), get("bandwidth")
	case "SegmentTemplate":
		if number := get("startNumber"); number != "" {
			in.number = number
		}
		if in.first = get("initialization"); in.first == "" {
			in.first = get("media")
		}
		if in.first == "" {
			in.first = l.first // a template of a level above
		}
	case "Initialization":
		in.first = get("sourceURL")
	case "SegmentURL":
		in.first = get("media")
	case "SegmentTimeline":
		in.time = ""
	case "S":
		if in.time = get("t"); in.time == "" {
			in.time = "0"
		}
	}
	return in
}

// rebase applies the first BaseURL of an element; others are alternatives (5.6.4).
func (l *level) rebase(text string) {
	if u, err := weburl.Parse(text, l.base, nil); err == nil && !l.based && text != "" {
		l.base, l.based = u, true
	}
}

// take adopts the first piece that an element within names.
func (l *level) take(in *level) {
	switch in.name {
	case "SegmentTemplate":
		l.first, l.number, l.time = in.first, in.number, in.time
	case "SegmentTimeline":
		l.time = in.time
	case "S":
		if l.time == "" {
			l.time = in.time
		}
	case "SegmentList", "SegmentBase", "Initialization", "SegmentURL":
		if in.first != "" && (l.first == "" || in.name == "SegmentList" || in.name == "SegmentBase") {
			l.first = in.first
		}
	}
}

// identifiers of a template: $RepresentationID$, $Number%05d$ (5.3.9.4.4).
var identifiers = regexp.MustCompile(`\$(RepresentationID|Number|Bandwidth|Time|)(?:%0(\d)d)?\$`)

// piece returns the URL of the first piece of a representation; "" if it is unknown.
func (l *level) piece() string {
	ref := identifiers.ReplaceAllStringFunc(l.first, func(s string) string {
		m := identifiers.FindStringSubmatch(s)
		value := ""
		switch m[1] {
		case "":
			return "$"
		case "RepresentationID":
			return l.id
		case "Number":
			if value = l.number; value == "" {
				value = "1"
			}
		case "Bandwidth":
			value = l.rate
		case "Time":
			if value = l.time; value == "" {
				value = "0"
			}
		}
		if width, err := strconv.Atoi(m[2]); err == nil && width > len(value) {
			value = strings.Repeat("0", width-len(value)) + value
		}
		return value
	})
	if ref == "" && !l.based {
		return ""
	}
	u, err := weburl.Parse(ref, l.base, nil)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.Resource()
}
