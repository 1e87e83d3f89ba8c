package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"quire/internal/csvcell"
	"quire/internal/humanize"
	"quire/model"
)

// Form is the output form of a table.
type Form string

// The forms of a table.
const (
	AsText Form = "text"
	AsCSV  Form = "csv"  // RFC 4180, with a header line
	AsJSON Form = "json" // one object on one line
	AsHTML Form = "html" // a self-contained page
)

// Write writes the table. Text and HTML are for people, and show hidden characters. CSV and JSON
// hold names as found. In CSV, names that a spreadsheet could interpret as a formula get an
// apostrophe.
func (t *Table) Write(w io.Writer, form Form) error {
	var out bytes.Buffer
	var err error
	switch form {
	case AsText:
		t.text(&out)
	case AsCSV:
		err = t.csv(&out)
	case AsJSON:
		err = t.json(&out)
	case AsHTML:
		err = pages.ExecuteTemplate(&out, "stats", statsPage{t.title(), t.Scope.Notes(), t.chart(len(t.Rows))})
	default:
		err = fmt.Errorf("a table can be text, csv, json or html, not %q", string(form))
	}
	if err == nil {
		_, err = out.WriteTo(w)
	}
	if err != nil {
		return fmt.Errorf("writing the table by %s: %w", t.By, err)
	}
	return nil
}

// all returns the rows, and the sum of the others.
func (t *Table) all() []Row {
	if t.Other == nil {
		return t.Rows
	}
	return append(t.Rows[:len(t.Rows):len(t.Rows)], *t.Other)
}

func (t *Table) text(out *bytes.Buffer) {
	width := len("name")
	for _, r := range t.all() {
		width = max(width, len([]rune(humanize.Clip(textName(r), nameWidth))))
	}
	fmt.Fprintf(out, "%-*s  %15s  %12s  %10s\n", width, string(t.By), "count", "size", "containers")
	for _, r := range t.all() {
		fmt.Fprintf(out, "%-*s  %15s  %12s  %10s\n", width, humanize.Clip(textName(r), nameWidth),
			humanize.Grouped(r.Count), humanize.Size(r.Bytes), humanize.Grouped(r.Containers))
	}
	if len(t.Rows) == 0 {
		fmt.Fprintf(out, "%s\n", t.nothing())
	} else if t.IdentifiedBy != "" {
		fmt.Fprintf(out, "identified by %s\n", humanize.Visible(t.IdentifiedBy))
	}
}

func textName(r Row) string {
	name := named(r.FullName())
	if r.PUID != "" {
		name = r.PUID + " " + name
	}
	return humanize.Visible(name)
}

// FullName returns the name, of a format with its version.
func (r *Row) FullName() string {
	f := model.Format{Name: r.Name, Version: r.Version}
	return f.FullName()
}

// nothing explains why a table has no rows.
func (t *Table) nothing() string {
	switch {
	case t.By == ByFormat && t.IdentifiedBy == "":
		return "No payload format was identified; request identification when inspecting the containers."
	case t.By == ByLanguage && t.Scope != nil && t.Scope.Unlisted > 0 && t.Scope.Unlisted == t.Containers:
		return "No language is recorded."
	case t.By == ByLanguage:
		return "Nothing was counted: no record has a page or a plain text."
	case t.By == ByFormat, t.By == ByHost, t.By == ByMIME:
		return "Nothing was counted: no record has content of a website."
	}
	return "Nothing was counted."
}

func (t *Table) csv(out *bytes.Buffer) error {
	w := csv.NewWriter(out)
	w.UseCRLF = true // RFC 4180, 2.1
	_ = w.Write([]string{string(t.By), "puid", "count", "bytes", "containers", "version"})
	for _, r := range t.all() {
		_ = w.Write([]string{csvcell.Text(r.Name), csvcell.Text(r.PUID), strconv.FormatInt(r.Count, 10),
			strconv.FormatInt(r.Bytes, 10), strconv.FormatInt(r.Containers, 10), csvcell.Text(r.Version)})
	}
	w.Flush()
	return w.Error() // the writer keeps its first error
}

func (t *Table) json(out *bytes.Buffer) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return e.Encode(t)
}
