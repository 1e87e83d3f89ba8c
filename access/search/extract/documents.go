package extract

import (
	"errors"
	"fmt"
	"strings"

	"quire/format/office"
	"quire/format/pdf"
	"quire/format/rtf"
)

// pdf reads metadata and text of a PDF.
func (t *Text) pdf(c Content) error {
	facts, err := pdf.Read(c.In, c.Size)
	if err != nil {
		return err
	}
	t.Title, t.Description, t.Language = facts.Title, facts.Subject, facts.Language
	t.detail("author", facts.Author)
	t.detail("keywords", facts.Keywords)
	t.detail("created", facts.Created)
	if facts.Pages > 0 {
		t.detail("pages", fmt.Sprint(facts.Pages))
	}
	found, err := pdf.ReadText(c.In, c.Size, MaxBody)
	if err != nil {
		return err
	}
	t.Body, t.Cut = found.Text, found.Cut
	if len(found.Warnings) > 0 && found.Text == "" {
		t.Note = found.Warnings[0]
	}
	return nil
}

// office reads Office and ODF documents, and EPUB books.
func (t *Text) office(c Content) error {
	f, err := office.Read(c.In, c.Size, MaxBody)
	if errors.Is(err, office.ErrUnknown) {
		return nil // another kind of ZIP or compound file
	}
	if err != nil {
		return err
	}
	t.Type = f.Kind
	if f.Kind == "drawing" {
		t.Type = "document"
	}
	t.Title, t.Description, t.Language, t.Cut = f.Title, strings.TrimSpace(f.Subject+" "+f.Description), f.Language,
		f.Cut
	t.Body = strings.Join(f.Paragraphs, "\n")
	t.detail("author", f.Author)
	t.detail("keywords", f.Keywords)
	t.detail("created", f.Created)
	if len(f.Warnings) > 0 {
		t.Note = f.Warnings[0]
	}
	return nil
}

// maxRTF is the maximum number of bytes read from an RTF document. It is large because RTF stores
// pictures in hexadecimal.
const maxRTF = 64 << 20

func (t *Text) rtf(c Content) error {
	b, err := c.begin(maxRTF)
	if err != nil {
		return err
	}
	d := rtf.Read(b, MaxBody)
	t.Title, t.Description, t.Cut = d.Title, strings.TrimSpace(d.Subject+" "+d.Description), d.Cut || c.Size > maxRTF
	t.Body = strings.Join(d.Paragraphs, "\n")
	t.detail("author", d.Author)
	t.detail("keywords", d.Keywords)
	t.detail("created", d.Created)
	return nil
}
