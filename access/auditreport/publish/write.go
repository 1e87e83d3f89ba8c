package publish

import (
	"encoding/json"
	"io"

	"quire/access/auditreport"
	"quire/internal/disk"
)

// Form is the form of a report.
type Form string

// The forms.
const (
	JSON Form = "json"
	HTML Form = "html"
)

// Write writes a report to a new file. It overwrites none.
func Write(path string, r *auditreport.Report, form Form) error {
	return disk.WriteNew(path, func(w io.Writer) error {
		if form == HTML {
			return html(w, r)
		}
		return asJSON(w, r)
	})
}

func asJSON(w io.Writer, r *auditreport.Report) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// Summary is the result of writing a report. Its JSON form is part of the contract of "quire report".
type Summary struct {
	File       string `json:"file"`
	Format     Form   `json:"format"`
	Repository string `json:"repository"`
	Packages   int64  `json:"packages"`
	Audits     int64  `json:"audits"`
	Incidents  int64  `json:"incidents"`
	Open       int64  `json:"open_incidents"`
}

// Summarize returns the summary of a report in a file.
func Summarize(r *auditreport.Report, file string, form Form) Summary {
	return Summary{File: file, Format: form, Repository: r.Repository, Packages: r.Holdings.Packages,
		Audits: r.Audits.Number, Incidents: r.Incidents.Total, Open: r.Incidents.Open}
}
