package describe

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"quire/format/weburl"
	"quire/metadata/oclc"
)

// rows makes descriptions of the rows of a sheet, and checks them.
type rows struct {
	Sheet
	o       SheetOptions
	names   []string
	columns []Column
	seen    map[string]int // what a row is about, and its id: the row
}

func newRows(o SheetOptions) *rows {
	if o.Separator == "" && o.Mapping != nil {
		o.Separator = o.Mapping.Separator
	}
	o.Separator = cmp.Or(o.Separator, Separator)
	return &rows{o: o, seen: map[string]int{}}
}

func (r *rows) problem(row int, column, format string, args ...any) {
	if r.Total++; len(r.Problems) < MaxProblems {
		r.Problems = append(r.Problems, Problem{row, column, fmt.Sprintf(format, args...)})
	}
}

// add takes a row that is not empty; the first is the header.
func (r *rows) add(n int, cells []string) error {
	if r.columns == nil {
		r.header(n, cells)
		return nil
	}
	d := Description{Level: Site, Row: n}
	for i, cell := range cells {
		if strings.TrimSpace(cell) == "" {
			continue
		}
		if i >= len(r.columns) || r.names[i] == "" {
			if cell == uncomputed {
				r.problem(n, letters(i), notComputed)
				continue
			}
			r.problem(n, letters(i), "there is a value under no name of a column: %.60q", cell)
			continue
		}
		r.cell(&d, r.names[i], r.columns[i], cell)
	}
	if len(d.Record) > 0 || d.ID != "" {
		r.finish(d)
	}
	return nil
}

func (r *rows) header(n int, cells []string) {
	said := map[Column]string{}
	r.columns = make([]Column, len(cells))
	r.names = make([]string, len(cells))
	for i, name := range cells {
		r.names[i] = strings.TrimSpace(name)
		switch r.names[i] {
		case "":
			continue // a problem when there is a value under it
		case uncomputed:
			r.problem(n, letters(i), notComputed)
			r.names[i], r.columns[i] = letters(i), Column{Element: columnIgnore}
			continue
		}
		c, ok := r.o.Mapping.column(name)
		if !ok {
			r.problem(n, r.names[i],
				"the column is not known: give it the name of an element, or say in the mapping what it is")
			c = Column{Element: columnIgnore}
		}
		if other, twice := said[c]; twice && (c.Element == columnID || c.Element == columnLevel) {
			r.problem(n, r.names[i], "the column %s says so already", other)
		}
		said[c], r.columns[i] = r.names[i], c
	}
}

// cell takes the values of a cell.
func (r *rows) cell(d *Description, name string, c Column, cell string) {
	if c.Element == columnIgnore {
		return
	}
	if cell == uncomputed {
		r.problem(d.Row, name, notComputed)
		return
	}
	if why := unfit(cell); why != "" {
		r.problem(d.Row, name, "%s: %.60q", why, cell)
		return
	}
	switch c.Element {
	case columnID:
		d.ID = strings.TrimSpace(cell)
		if !isID(d.ID) {
			r.problem(d.Row, name,
				"%.60q cannot be an id: want up to 100 letters, digits, hyphens, underscores and points, and a "+
					"letter or digit first", d.ID)
		}
		return
	case columnLevel:
		d.Level = Level(strings.ToLower(strings.TrimSpace(cell)))
		if d.Level != Collection && d.Level != Site && d.Level != Page {
			r.problem(d.Row, name, "%.60q is no level: want collection, site or page", d.Level)
		}
		return
	}
	for value := range strings.SplitSeq(cell, r.o.Separator) {
		value = strings.TrimSpace(value)
		if value == "" {
			continue
		}
		s := oclc.Statement{Element: oclc.Element(c.Element), Value: value, Lang: c.Lang, Kind: c.Kind}
		switch {
		case s.Element == oclc.Language && !KnownLanguage(value):
			r.problem(d.Row, name, "%.60q is no code of a language: want one such as fr, fre or zh-Hant", value)
		case s.Element == oclc.URL && !isAddress(value):
			r.problem(d.Row, name, "%.200q is no URL: want one such as http://example.org/", value)
		}
		d.Record = append(d.Record, s)
	}
}

// unfit says why a cell cannot be taken.
func unfit(cell string) string {
	if !utf8.ValidString(cell) {
		return "the value is not in UTF-8; save the sheet so"
	}
	for _, c := range cell {
		if unicode.IsControl(c) && c != '\n' && c != '\r' && c != '\t' {
			return "there is a control character in the value"
		}
	}
	switch strings.TrimSpace(cell) {
	case "#REF!", "#N/A", "#VALUE!", "#NAME?", "#DIV/0!", "#NULL!", "#NUM!", "Err:502", "Err:508", "Err:509", "Err:522":
		return "the spreadsheet shows an error here"
	}
	return ""
}

// isAddress says whether a value can be the address of a website.
func isAddress(s string) bool {
	u, err := url.Parse(s)
	if err != nil || u.Hostname() == "" || strings.ContainsAny(s, " \t\r\n") {
		return false
	}
	switch u.Scheme {
	case "http", "https", "ftp", "gopher":
		return true
	}
	return false
}

func isID(s string) bool {
	for i, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') &&
			(i == 0 || c != '-' && c != '_' && c != '.') {
			return false
		}
	}
	return s != "" && len(s) <= 100
}

// finish gives the row its id, and looks whether another row is about the same.
func (r *rows) finish(d Description) {
	about := ""
	if urls := d.Record.Values(oclc.URL); len(urls) > 0 {
		about = urls[0]
	} else if d.Level != Collection {
		r.problem(d.Row, "", "the row has no URL")
	}
	if about != "" {
		key := string(d.Level) + " " + asAsked(about)
		if first, twice := r.seen[key]; twice {
			r.problem(d.Row, "", "the row describes the same as row %d: %s %.200s", first, d.Level, about)
			return
		}
		r.seen[key] = d.Row
	}
	if d.ID == "" {
		d.ID = madeID(d, about)
	}
	key := strings.ToLower(d.ID) // a file system may not tell capitals
	if first, twice := r.seen[key]; twice {
		r.problem(d.Row, "", "the row has the id of row %d: %s", first, d.ID)
		return
	}
	r.seen[key] = d.Row
	r.Rows = append(r.Rows, d)
}

// asAsked writes a URL as browsers ask for it: people write one in several ways.
func asAsked(u string) string {
	if n, ok := weburl.Normal(u); ok {
		return n
	}
	return u
}

// madeID makes an id of what a row is about, so that it stays when rows are moved.
func madeID(d Description, about string) string {
	host := ""
	if u, err := url.Parse(about); err == nil {
		host = strings.ToLower(u.Hostname())
	}
	if about == "" {
		for _, t := range d.Record.Values(oclc.Title) {
			about += t + "\n"
		}
	}
	sum := sha256.Sum256([]byte(string(d.Level) + " " + about))
	id := fmt.Sprintf("%s-%x", d.Level, sum[:4])
	if isID(host) && len(host) < 60 {
		id = fmt.Sprintf("%s-%x", host, sum[:4])
	}
	return id
}

// letters is the name that a spreadsheet gives a column.
func letters(i int) string {
	s := ""
	for i++; i > 0; i = (i - 1) / 26 {
		s = string(rune('A'+(i-1)%26)) + s
	}
	return s
}
