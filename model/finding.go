package model

import "fmt"

// Severity says how bad a finding is.
type Severity string

// The three severities. A container is valid exactly when none of its findings is an error.
const (
	Info    Severity = "info"    // worth knowing; nothing is wrong
	Warning Severity = "warning" // breaks a clause, but nothing is lost or misstated
	Error   Severity = "error"   // content is lost, damaged or misstated
)

// Finding is one thing a check noticed. Code is stable; scripts may rely on it.
type Finding struct {
	Code     string   `json:"code"`
	Severity Severity `json:"severity"`
	Path     string   `json:"path,omitempty"` // the file it is about, where the context does not say it
	Offset   int64    `json:"offset"`         // first byte of the member or record, in the file as stored
	Record   *string  `json:"record"`         // WARC-Record-ID, or null
	Message  string   `json:"message"`
}

// String writes the finding on one line, as the text reports show it.
func (f Finding) String() string {
	place := ""
	if f.Path != "" {
		place = f.Path + " "
	}
	return fmt.Sprintf("%-7s %s at %sbyte %d: %s", f.Severity, f.Code, place, f.Offset, f.Message)
}
