package builtin

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"quire/oai/plugin"
	"quire/preserve/identify"
)

func pronomKind() kind {
	return kind{mime: []string{"*/*"}, make: newPronom}
}

// newPronom returns the tool. Its version has the revision of the output's form, then the versions
// of siegfried and of the signatures.
func newPronom(p *parameters) (*tool, error) {
	signature, output := p.text("signature"), p.oneOf("output", "json", "text")
	id, err := identify.New(identify.Options{Signature: signature})
	if err != nil {
		return nil, err
	}
	f := &formats{id: id, software: id.Software().String(), text: output == "text"}
	return &tool{version: "quire-pronom 2; " + f.software, say: f.say}, nil
}

// formats identifies formats and caches the results.
type formats struct {
	id       *identify.Identifier
	software string
	text     bool
	buffers  sync.Pool
}

// identified is the output for a bytestream.
type identified struct {
	Software string   `json:"software"`
	Declared string   `json:"declared"` // media type
	Formats  []format `json:"formats"`  // several if they match equally well; none if PRONOM has no match
	Warning  string   `json:"warning,omitempty"`
}

// format is one matching format.
type format struct {
	PUID    string `json:"puid"`
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	MIME    string `json:"mime,omitempty"`
	Basis   string `json:"basis"`
	Warning string `json:"warning,omitempty"`
}

func (f *formats) say(in *input) (plugin.Output, error) {
	found, err := f.identify(in)
	if err != nil {
		return plugin.Output{}, err
	}
	if f.text {
		return text(found.String()), nil
	}
	return jsonOutput(found)
}

// identify passes the start and the end of the bytes and the declared type to siegfried. It does
// not pass the name: the one in a URL is often that of a program, and a known extension hides the
// result from the bytes.
func (f *formats) identify(in *input) (*identified, error) {
	buf, _ := f.buffers.Get().(*[]byte)
	if buf == nil {
		buf = new([]byte)
	}
	defer f.buffers.Put(buf)
	p, err := window(in, f.id.MaxBytes(), buf)
	if err != nil {
		return nil, err
	}
	said := &identified{Software: f.software, Declared: in.MIMEType, Formats: []format{}}
	for _, r := range f.id.IdentifyAll(p) {
		if !r.Known() {
			said.Warning = r.Warning
			continue
		}
		said.Formats = append(said.Formats,
			format{PUID: r.PUID, Name: r.Name, Version: r.Version, MIME: r.MIME, Basis: r.Basis, Warning: r.Warning})
		if !r.Agrees(in.MIMEType) && len(said.Formats) == 1 {
			said.Warning = fmt.Sprintf("it was declared as %s", in.MIMEType)
		}
	}
	return said, nil
}

// window reads the examined bytes: all, or the start and the end.
func window(in *input, most int, buf *[]byte) (identify.Payload, error) {
	const tail = 8 // the end's share of the limit is one in tail
	n := int(min(in.Size, int64(most)))
	if cap(*buf) < n {
		*buf = make([]byte, n)
	}
	b := (*buf)[:n]
	p := identify.Payload{MIME: in.MIMEType, Head: b, Size: in.Size}
	if in.Size > int64(n) {
		p.Head, p.Tail = b[:n-n/tail], b[n-n/tail:]
		if _, err := io.ReadFull(io.NewSectionReader(in, in.Size-int64(len(p.Tail)), int64(len(p.Tail))),
			p.Tail); err != nil {
			return p, err
		}
	}
	_, err := io.ReadFull(in.reader(int64(len(p.Head))), p.Head)
	return p, err
}

// String returns a line for each format, with fields separated by tabs: PUID, name, version, media
// types, basis, warning.
func (i *identified) String() string {
	var b strings.Builder
	for _, f := range i.Formats {
		b.WriteString(strings.Join([]string{f.PUID, f.Name, f.Version, f.MIME, f.Basis, f.Warning}, "\t") + "\n")
	}
	if len(i.Formats) == 0 {
		b.WriteString("UNKNOWN\t\t\t\t\t" + i.Warning + "\n")
	} else if i.Warning != "" {
		b.WriteString("warning\t\t\t\t\t" + i.Warning + "\n")
	}
	return b.String()
}
