package publish

import (
	"bytes"
	"encoding/json"
	"fmt"
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
	PDF  Form = "pdf"
)

// Write writes a report to a new file, signed unless sign is nil. It overwrites none.
func Write(path string, r *auditreport.Report, form Form, sign Signer) error {
	content, err := content(r, form, sign != nil)
	if err == nil {
		content, err = seal(content, r, form, sign)
	}
	if err != nil {
		return err
	}
	return disk.WriteNew(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// content returns the report with the mark for its signature. signed says that it will have one.
func content(r *auditreport.Report, form Form, signed bool) ([]byte, error) {
	var out bytes.Buffer
	switch form {
	case HTML:
		err := html(&out, documentOf(r, signed))
		return out.Bytes(), err
	case PDF:
		if err := pdf(&out, r, documentOf(r, signed)); err != nil {
			return nil, err
		}
		return marked(out.Bytes())
	}
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(struct {
		*auditreport.Report
		Signature string `json:"signature"`
	}{r, mark})
	return out.Bytes(), err
}

// marked adds the mark to a PDF as a comment before the keyword startxref (ISO 32000-1, 7.5.5). No byte
// offset changes.
func marked(file []byte) ([]byte, error) {
	at := bytes.LastIndex(file, []byte("startxref\n"))
	if at < 0 {
		return nil, fmt.Errorf("the PDF has no place for its signature")
	}
	out := append(make([]byte, 0, len(file)+len(mark)+2), file[:at]...)
	return append(append(out, "%"+mark+"\n"...), file[at:]...), nil
}

// Summary is the result of writing a report. Its JSON form is part of the contract of "quire report".
type Summary struct {
	File        string `json:"file"`
	Format      Form   `json:"format"`
	Repository  string `json:"repository"`
	Packages    int64  `json:"packages"`
	Audits      int64  `json:"audits"`
	Incidents   int64  `json:"incidents"`
	Open        int64  `json:"open_incidents"`
	Signed      bool   `json:"signed"`
	Fingerprint string `json:"fingerprint"` // of the key, SHA-256 in hex; "" if it is not signed
}

// Summarize returns the summary of a report in a file.
func Summarize(r *auditreport.Report, file string, form Form, signed bool) Summary {
	s := Summary{File: file, Format: form, Repository: r.Repository, Packages: r.Holdings.Packages,
		Audits: r.Audits.Number, Incidents: r.Incidents.Total, Open: r.Incidents.Open, Signed: signed}
	if signed && r.Register != nil {
		s.Fingerprint = r.Register.Fingerprint
	}
	return s
}
