package model

import "fmt"

// Severity is the severity of a finding.
type Severity string

// The three severities. A container is valid if and only if no finding is an error.
const (
	Info    Severity = "info"    // for information; not a problem
	Warning Severity = "warning" // breaks a clause, but nothing is lost or misstated
	Error   Severity = "error"   // content is lost, damaged or misstated
)

// Finding is one thing that a check noticed. Code is stable; scripts may rely on it.
type Finding struct {
	Code     string   `json:"code"`
	Severity Severity `json:"severity"`
	Path     string   `json:"path,omitempty"` // the file concerned, if not clear from the context
	Offset   int64    `json:"offset"`         // first byte of the member or record, in the stored file
	Record   *string  `json:"record"`         // WARC-Record-ID, or null
	Message  string   `json:"message"`
}

// String returns the finding on one line, as in text reports.
func (f Finding) String() string {
	place := ""
	if f.Path != "" {
		place = f.Path + " "
	}
	return fmt.Sprintf("%-7s %s at %sbyte %d: %s", f.Severity, f.Code, place, f.Offset, f.Message)
}
