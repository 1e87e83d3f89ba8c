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

// rows makes descriptions from the rows of a sheet, and checks them.
type rows struct {
	Sheet
	o       SheetOptions
	names   []string
	columns []Column
	seen    map[string]int // subject and id of a row: the row
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

// add adds a row that is not empty; the first is the header.
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
			r.problem(n, letters(i), "the column of this value has no name: %.60q", cell)
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
			continue // a problem if it has a value
		case uncomputed:
			r.problem(n, letters(i), notComputed)
			r.names[i], r.columns[i] = letters(i), Column{Element: columnIgnore}
			continue
		}
		c, ok := r.o.Mapping.column(name)
		if !ok {
			r.problem(n, r.names[i],
				"the column is unknown: rename it to an element, or add it to the mapping")
			c = Column{Element: columnIgnore}
		}
		if other, twice := said[c]; twice && (c.Element == columnID || c.Element == columnLevel) {
			r.problem(n, r.names[i], "the column %s already has this meaning", other)
		}
		said[c], r.columns[i] = r.names[i], c
	}
}

// cell adds the values of a cell.
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

// unfit returns why a cell cannot be read.
func unfit(cell string) string {
	if !utf8.ValidString(cell) {
		return "the value is not in UTF-8; save the sheet in UTF-8"
	}
	for _, c := range cell {
		if unicode.IsControl(c) && c != '\n' && c != '\r' && c != '\t' {
			return "the value contains a control character"
		}
	}
	switch strings.TrimSpace(cell) {
	case "#REF!", "#N/A", "#VALUE!", "#NAME?", "#DIV/0!", "#NULL!", "#NUM!", "Err:502", "Err:508", "Err:509", "Err:522":
		return "the spreadsheet shows an error here"
	}
	return ""
}

// isAddress reports whether a value can be the address of a website.
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

// finish sets the id of the row, and checks whether another row has the same subject.
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
	key := strings.ToLower(d.ID) // a file system may ignore case
	if first, twice := r.seen[key]; twice {
		r.problem(d.Row, "", "the row has the id of row %d: %s", first, d.ID)
		return
	}
	r.seen[key] = d.Row
	r.Rows = append(r.Rows, d)
}

// asAsked writes a URL as browsers request it: people write the same URL in several ways.
func asAsked(u string) string {
	if n, ok := weburl.Normal(u); ok {
		return n
	}
	return u
}

// madeID derives an id from the subject of a row, so the id stays when rows are moved.
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

// letters returns the letters that a spreadsheet uses for a column.
func letters(i int) string {
	s := ""
	for i++; i > 0; i = (i - 1) / 26 {
		s = string(rune('A'+(i-1)%26)) + s
	}
	return s
}
