package convert

import (
	"encoding/json"
	"io"

	"quire/model"
)

// Account says what became of one file of the source, or of one URL of a mirror: a line of the
// report.
type Account struct {
	File       string     `json:"file"`
	Harvest    string     `json:"harvest,omitempty"`
	Role       model.Role `json:"role"`
	Action     Action     `json:"action"`
	Bytes      int64      `json:"bytes"`
	Output     string     `json:"output,omitempty"` // the WARC that holds it
	Grade      string     `json:"grade,omitempty"`  // of content of a mirror
	URL        string     `json:"url,omitempty"`
	Records    []string   `json:"records,omitempty"` // WARC-Record-IDs
	Restricted string     `json:"restricted,omitempty"`
	Why        string     `json:"why,omitempty"`
	Converted  *Converted `json:"converted,omitempty"`
}

// account writes lines as they come. A nil account writes none.
type account struct{ enc *json.Encoder }

func newAccount(w io.Writer) *account {
	if w == nil {
		return nil
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return &account{enc}
}

func (a *account) add(line any) error {
	if a == nil {
		return nil
	}
	return a.enc.Encode(line)
}
