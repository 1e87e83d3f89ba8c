package convert

import (
	"io"

	"quire/internal/jsonline"
	"quire/model"
)

// Account is a line of the conversion report: the result for one file of the source, or for one URL
// of a mirror.
type Account struct {
	File       string     `json:"file"`
	Harvest    string     `json:"harvest,omitempty"`
	Role       model.Role `json:"role"`
	Action     Action     `json:"action"`
	Bytes      int64      `json:"bytes"`
	Output     string     `json:"output,omitempty"` // the WARC with its content
	Grade      string     `json:"grade,omitempty"`  // of content of a mirror
	URL        string     `json:"url,omitempty"`
	Records    []string   `json:"records,omitempty"` // WARC-Record-IDs
	Restricted string     `json:"restricted,omitempty"`
	Why        string     `json:"why,omitempty"`
	Converted  *Converted `json:"converted,omitempty"`
	Damage     *Copied    `json:"damage,omitempty"` // of a copied WARC
}

// account writes the lines of the report. A nil account writes none.
type account struct{ to io.Writer }

func newAccount(w io.Writer) *account {
	if w == nil {
		return nil
	}
	return &account{w}
}

func (a *account) add(line any) error {
	if a == nil {
		return nil
	}
	return jsonline.Encode(a.to, line)
}
