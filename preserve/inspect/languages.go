package inspect

import (
	"bytes"
	"strings"

	"golang.org/x/text/language"

	"quire/format/charset"
	"quire/format/http1"
	"quire/model"
	"quire/preserve/prose"
)

// languages counts captures of pages and plain texts by their language. The first source that knows it decides:
//
//  1. the words of the text (prose.LanguageOf)
//  2. the html element
//  3. the header Content-Language, if it names one language
//
// The words come first because templates declare one language for pages in many. An answer that is no success, a
// revisit and a segment are not counted. A nil languages counts nothing.
type languages struct {
	counts tally
	on     bool // for the current record
	plain  bool // it is no page
	typ    string
	window []byte
}

const (
	languageWindow = 32 << 10 // bytes of a text that are read
	noLanguage     = "und"    // ISO 639-2: undetermined
)

func newLanguages(wanted bool, room *int) *languages {
	if !wanted {
		return nil
	}
	return &languages{counts: newTally(room), window: make([]byte, 0, languageWindow)}
}

func (l *languages) begin() {
	if l != nil {
		l.on, l.window = false, l.window[:0]
	}
}

// head receives the head before the first byte of the body. It receives nil if there is no head.
func (l *languages) head(e *entry, h *http1.Head) {
	if l == nil || !e.isCapture() || e.bodyAsSent() {
		return
	}
	success := h == nil || h.StatusCode >= 200 && h.StatusCode < 300 && h.StatusCode != partialContent
	l.typ = e.servedType()
	media := bareMIME(l.typ)
	l.plain = media == "text/plain"
	l.on = success && (l.plain || media == "text/html" || media == "application/xhtml+xml")
}

// wanted reports whether the content of the current record is needed.
func (l *languages) wanted() bool { return l != nil && l.on }

// served receives content without its codings.
func (l *languages) served(p []byte) {
	if l.wanted() {
		l.window = append(l.window, p[:min(len(p), languageWindow-len(l.window))]...)
	}
}

// end counts the text. Content without a byte, or with bytes that no text has, is none.
func (l *languages) end(e *entry) {
	if !l.wanted() || len(l.window) == 0 || !l.isText() {
		return
	}
	var found prose.Languages
	if l.plain {
		found = prose.LanguagesOfPlain(l.window, l.typ)
	} else {
		found = prose.LanguagesOfHTML(l.window, l.typ)
	}
	name := found.Detected
	if name == "" {
		name = languageCode(found.Declared)
	}
	if name == "" && e.http != nil {
		name = languageCode(e.http.Get("Content-Language"))
	}
	if name == "" {
		name = noLanguage
	}
	l.counts.add(name, e.payload)
}

// isText reports whether the window may be text: only texts in UTF-16 have NULs.
func (l *languages) isText() bool {
	if bytes.IndexByte(l.window, 0) < 0 {
		return true
	}
	return strings.HasPrefix(charset.Mark(l.window), "utf-16") ||
		strings.HasPrefix(charset.Resolve(charset.OfContentType(l.typ)), "utf-16")
}

// languageCode returns the registered language of a tag, if possible in two letters, or "". Only registered
// languages are counted: what servers declare has any form.
func languageCode(tag string) string {
	if len(tag) > maxName {
		return ""
	}
	first, _, _ := strings.Cut(strings.ReplaceAll(strings.TrimSpace(tag), "_", "-"), "-")
	base, err := language.ParseBase(first)
	if err != nil || base.String() == noLanguage {
		return ""
	}
	return base.String()
}

// fill writes the counts into c.
func (l *languages) fill(c *model.Container) {
	if l != nil {
		c.Languages, c.LanguagesCounted = l.counts.list(), true
	}
}
