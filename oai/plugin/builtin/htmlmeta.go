package builtin

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"quire/oai/plugin"
	"quire/preserve/pages"
)

// maxPage is the number of bytes read from a page.
const maxPage = 32 << 20

func htmlKind() kind {
	return kind{
		revision: "quire-html 1",
		mime:     []string{"text/html", "application/xhtml+xml"},
		make: func(p *parameters) (*tool, error) {
			asText := p.oneOf("output", "json", "text") == "text"
			return &tool{say: func(in *input) (plugin.Output, error) { return sayPage(in, asText) }}, nil
		},
	}
}

// page is the output for a web page. It separates the declarations of the page itself from the
// declarations of the Open Graph protocol.
type page struct {
	*pages.Declared
	OpenGraph []property `json:"open_graph"`
	Links     links      `json:"links"`
	Read      int64      `json:"read,omitempty"` // bytes read, if not all
}

type property struct {
	Name    string `json:"name"`
	Content string `json:"content"`
}

// links counts links to pages.
type links struct {
	Hyperlinks int `json:"hyperlinks"`
	Frames     int `json:"frames"`
	Refreshes  int `json:"refreshes"`
}

func sayPage(in *input, asText bool) (plugin.Output, error) {
	if err := isPage(in); err != nil {
		return plugin.Output{}, err
	}
	p, err := readPage(in)
	switch {
	case err != nil:
		return plugin.Output{}, err
	case asText:
		return text(p.String()), nil
	}
	return jsonOutput(p)
}

// isPage returns an error if the bytes are not a web page. Bytes declared as a page need a tag;
// others need one of the usual starts of pages.
func isPage(in *input) error {
	const looked, begin = 64 << 10, 1 << 10
	head, err := in.head(looked)
	if err != nil {
		return err
	}
	declared := pages.IsHTML("", in.MIMEType) && hasTag(head)
	if declared || pages.Seems(head[:min(len(head), begin)]) {
		return nil
	}
	return notA("a web page", head)
}

// hasTag reports whether a text contains a possible tag.
func hasTag(head []byte) bool {
	wide := bytes.HasPrefix(head, []byte("\xfe\xff")) || bytes.HasPrefix(head, []byte("\xff\xfe"))
	if bytes.IndexByte(head, 0) >= 0 && !wide {
		return false
	}
	for rest := head; ; {
		i := bytes.IndexByte(rest, '<')
		if i < 0 {
			return false
		}
		rest = bytes.TrimLeft(rest[i+1:], "\x00")
		if len(rest) > 0 && (rest[0]|0x20 >= 'a' && rest[0]|0x20 <= 'z' || rest[0] == '!' || rest[0] == '/' ||
			rest[0] == '?') {
			return true
		}
	}
}

// readPage reads the declarations of a page.
func readPage(in *input) (*page, error) {
	p := &page{OpenGraph: []property{}}
	contentType := in.MIMEType
	if in.Charset != "" {
		contentType += "; charset=" + in.Charset
	}
	reading := pages.New(pages.Options{ContentType: contentType, Link: func(l pages.Link) error {
		switch l.Kind {
		case pages.Hyperlink:
			p.Links.Hyperlinks++
		case pages.Frame:
			p.Links.Frames++
		case pages.Refresh:
			p.Links.Refreshes++
		}
		return nil
	}})
	if _, err := io.Copy(reading, in.reader(maxPage)); err != nil {
		reading.Stop()
		return nil, err
	}
	d, err := reading.Close()
	if err != nil {
		return nil, err
	}
	p.Declared = d
	if in.Size > maxPage {
		p.Read = maxPage
	}
	for _, m := range d.Meta {
		if name := strings.ToLower(m.Name); m.Attribute == "property" && strings.HasPrefix(name, "og:") {
			p.OpenGraph = append(p.OpenGraph, property{name, m.Content.Text})
		}
	}
	return p, nil
}

// String returns a line for each declaration.
func (p *page) String() string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, strings.Join(strings.Fields(value), " "))
		}
	}
	if p.Title != nil {
		line("title", p.Title.Text)
	}
	for _, l := range p.Languages {
		line("language", l.Value.Text+" ("+l.Source+")")
	}
	if p.Charset.Name != "" {
		line("charset", p.Charset.Name+" ("+p.Charset.Source+")")
	}
	if p.Base != nil {
		line("base", p.Base.Text)
	}
	for _, m := range p.Meta {
		line(m.Attribute+" "+m.Name, m.Content.Text)
	}
	line("links", fmt.Sprintf("%d hyperlinks, %d frames, %d refreshes", p.Links.Hyperlinks, p.Links.Frames,
		p.Links.Refreshes))
	line("left out", p.LeftOut.String())
	if p.Read > 0 {
		line("read", fmt.Sprintf("the first %d bytes", p.Read))
	}
	return b.String()
}
