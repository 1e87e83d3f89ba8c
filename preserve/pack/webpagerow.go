package pack

import (
	"encoding/binary"

	"quire/preserve/pages"
)

// append writes a row: numbers, then texts and lists with their lengths.
func (p *pageRow) append(to []byte) []byte {
	for _, n := range p.numbers() {
		to = binary.AppendVarint(to, *n)
	}
	d := &p.declared
	to = appendTexts(to, &d.Charset.Name, &d.Charset.Source, &d.Charset.Label)
	to = appendValues(to, d.Title)
	to = appendValues(to, d.Base)
	to = binary.AppendUvarint(to, uint64(len(d.Languages)))
	for i := range d.Languages {
		to = appendTexts(appendValues(to, &d.Languages[i].Value), &d.Languages[i].Source)
	}
	to = binary.AppendUvarint(to, uint64(len(d.Meta)))
	for i := range d.Meta {
		m := &d.Meta[i]
		to = appendTexts(appendValues(to, &m.Content), &m.Attribute, &m.Name, &m.Scheme, &m.Lang)
	}
	return to
}

func (p *pageRow) numbers() [13]*int64 {
	d := &p.declared
	return [...]*int64{
		&p.order, &p.links.From, &p.links.To, &p.loads.From, &p.loads.To, &p.inlines,
		&d.Links, &d.LeftOut.Titles, &d.LeftOut.Languages, &d.LeftOut.Meta,
		&d.LeftOut.Values,
		&d.LeftOut.Links, &d.LeftOut.Tags,
	}
}

func appendTexts(to []byte, texts ...*string) []byte {
	for _, text := range texts {
		to = append(binary.AppendUvarint(to, uint64(len(*text))), *text...)
	}
	return to
}

// appendValues writes a value, which may be nil.
func appendValues(to []byte, v *pages.Value) []byte {
	if v == nil {
		return append(to, 0)
	}
	return appendTexts(binary.AppendVarint(append(to, 1), v.Length), &v.Text)
}

// parse reads a row.
func (p *pageRow) parse(row string) error {
	r := rowReader{rest: row}
	for _, n := range p.numbers() {
		*n = r.number()
	}
	d := &p.declared
	r.texts(&d.Charset.Name, &d.Charset.Source, &d.Charset.Label)
	d.Title, d.Base = r.value(), r.value()
	d.Languages, d.Meta = d.Languages[:0], d.Meta[:0]
	for n := r.unsigned(); n > 0 && !r.short; n-- {
		l := pages.Language{}
		if v := r.value(); v != nil {
			l.Value = *v
		}
		r.texts(&l.Source)
		d.Languages = append(d.Languages, l)
	}
	for n := r.unsigned(); n > 0 && !r.short; n-- {
		m := pages.Meta{}
		if v := r.value(); v != nil {
			m.Content = *v
		}
		r.texts(&m.Attribute, &m.Name, &m.Scheme, &m.Lang)
		d.Meta = append(d.Meta, m)
	}
	if r.short || r.rest != "" {
		return errRow
	}
	return nil
}

func (r *rowReader) texts(texts ...*string) {
	for _, text := range texts {
		*text = r.text()
	}
}

func (r *rowReader) value() *pages.Value {
	if r.byte() == 0 {
		return nil
	}
	v := &pages.Value{Length: r.number()}
	v.Text = r.text()
	return v
}
