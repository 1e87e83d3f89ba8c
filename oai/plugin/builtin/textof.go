package builtin

import (
	"bytes"
	"fmt"
	"strings"

	"quire/oai/plugin"
	"quire/oai/plugin/builtin/phrases"
	"quire/oai/plugin/builtin/summary"
	"quire/preserve/pages"
	"quire/preserve/prose"
)

// maxProse is the number of bytes of a document that are read for its text.
const maxProse = 4 << 20

var proseMIME = []string{"text/html", "application/xhtml+xml", "text/plain"}

// textIn returns the text of a page or a plain text. Other types are read as plain text if they are
// declared as text.
func textIn(in *input) (*prose.Text, error) {
	b, err := in.head(maxProse)
	if err != nil {
		return nil, err
	}
	contentType := in.MIMEType
	if in.Charset != "" {
		contentType += "; charset=" + in.Charset
	}
	const begin = 1 << 10
	switch {
	case pages.IsHTML("", in.MIMEType) && hasTag(b), pages.Seems(b[:min(len(b), begin)]):
		return prose.FromHTML(b, contentType), nil
	case strings.HasPrefix(in.MIMEType, "text/") && isText(b):
		return prose.FromPlain(b, contentType), nil
	}
	return nil, notA("a web page or a plain text", b)
}

// isText reports whether bytes may be text. Text with single-byte characters has no NUL.
func isText(b []byte) bool {
	wide := bytes.HasPrefix(b, []byte("\xfe\xff")) || bytes.HasPrefix(b, []byte("\xff\xfe"))
	return len(b) > 0 && (wide || bytes.IndexByte(b, 0) < 0)
}

func phrasesKind() kind {
	return kind{
		revision: "quire-phrases 1", mime: proseMIME,
		make: func(p *parameters) (*tool, error) {
			o := phrases.Options{Most: p.number("phrases", 10, 1, 1000), Words: p.number("words", 4, 1, 10)}
			asText := p.oneOf("output", "json", "text") == "text"
			return &tool{say: func(in *input) (plugin.Output, error) { return sayPhrases(in, o, asText) }}, nil
		},
	}
}

// keyPhrases is the output for a text.
type keyPhrases struct {
	Language     string      `json:"language"`
	LanguageFrom string      `json:"language_from,omitempty"`
	Phrases      []keyPhrase `json:"phrases"`
	Read         string      `json:"read,omitempty"`
}

type keyPhrase struct {
	Phrase string  `json:"phrase"`
	Score  float64 `json:"score"`
	Count  int     `json:"count"`
}

func sayPhrases(in *input, o phrases.Options, asText bool) (plugin.Output, error) {
	t, err := textIn(in)
	if err != nil {
		return plugin.Output{}, err
	}
	if t.Spaceless() {
		return plugin.Output{},
			fmt.Errorf("the text has no spaces between words, so its phrases cannot be separated")
	}
	k := keyPhrases{Language: t.Language, LanguageFrom: t.LanguageFrom, Phrases: []keyPhrase{}, Read: partRead(in, t)}
	var lines strings.Builder
	for _, p := range phrases.Of(t, o) {
		k.Phrases = append(k.Phrases, keyPhrase{p.Text, p.Score, p.Count})
		fmt.Fprintf(&lines, "%s\t%v\t%d\n", p.Text, p.Score, p.Count)
	}
	if asText {
		return text(lines.String()), nil
	}
	return jsonOutput(k)
}

// partRead returns the size of the part read, or "" for the whole.
func partRead(in *input, t *prose.Text) string {
	switch {
	case in.Size > maxProse:
		return fmt.Sprintf("the first %d of %d bytes", maxProse, in.Size)
	case t.Cut:
		return fmt.Sprintf("the first %d bytes of its text", prose.MaxText)
	}
	return ""
}

func summaryKind() kind {
	return kind{
		revision: "quire-summary 1", mime: proseMIME,
		make: func(p *parameters) (*tool, error) {
			o := summary.Options{Sentences: p.number("sentences", 5, 1, 50),
				Bytes: p.number("bytes", 2000, 100, 100_000)}
			asText := p.oneOf("output", "text", "json") == "text"
			return &tool{say: func(in *input) (plugin.Output, error) { return saySummary(in, o, asText) }}, nil
		},
	}
}

// inShort is the output for a text.
type inShort struct {
	Title        string   `json:"title,omitempty"`
	Language     string   `json:"language"`
	LanguageFrom string   `json:"language_from,omitempty"`
	Sentences    []string `json:"sentences"`
	Read         string   `json:"read,omitempty"`
}

func saySummary(in *input, o summary.Options, asText bool) (plugin.Output, error) {
	t, err := textIn(in)
	if err != nil {
		return plugin.Output{}, err
	}
	s := inShort{Title: t.Title, Language: t.Language, LanguageFrom: t.LanguageFrom,
		Sentences: append([]string{}, summary.Of(t, o)...), Read: partRead(in, t)}
	if !asText {
		return jsonOutput(s)
	}
	lines := strings.Join(s.Sentences, "\n") + "\n"
	if s.Read != "" {
		lines += "[of " + s.Read + "]\n"
	}
	return text(lines), nil
}
