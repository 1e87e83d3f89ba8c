package aip

import (
	"strings"
	"time"

	"quire/metadata/mods"
)

// TitleSource is the capture of the page from which the package's title was taken (its title
// element). Such a title is content, so it is shown only to readers who may see the page.
type TitleSource struct {
	URL      string
	Captured time.Time // zero if the record has no date
}

// titleNote is the type of the MODS note that names the page.
const titleNote = "source of title"

const titleCaptured = "title element of the page captured at "

// Note returns the MODS note for the website's description.
func (s TitleSource) Note() mods.Note {
	n := mods.Note{Type: titleNote, Href: s.URL, Text: "title element of the page"}
	if !s.Captured.IsZero() {
		n.Text = titleCaptured + s.Captured.UTC().Format(time.RFC3339)
	}
	return n
}

// TitleSourceOf returns the page that a description names as the source of its title, or nil.
func TitleSourceOf(c *mods.Content) *TitleSource {
	for _, n := range c.Notes {
		if n.Type != titleNote || n.Href == "" {
			continue
		}
		s := &TitleSource{URL: n.Href}
		if at, ok := strings.CutPrefix(n.Text, titleCaptured); ok {
			s.Captured, _ = time.Parse(time.RFC3339, at) // without a date, all captures of the page match
		}
		return s
	}
	return nil
}
