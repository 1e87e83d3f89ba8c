package aip

import (
	"fmt"

	"quire/model"
)

// breach is a violation of a clause of docs/reference/310_package-format.md. [Describe] returns the
// first breach as its error; [Validate] makes a finding of each.
type breach struct {
	code    string
	path    string // within the package
	message string
	offset  int64 // byte of the file, where known
}

func breaks(code, path, format string, args ...any) *breach {
	return &breach{code: code, path: path, message: fmt.Sprintf(format, args...)}
}

// Error names the file and the problem.
func (b *breach) Error() string { return b.path + ": " + b.message }

// finding returns the breach as a finding.
func (b *breach) finding() model.Finding {
	return model.Finding{Code: b.code, Severity: Catalogue.Severity(b.code), Path: clip(b.path), Offset: b.offset,
		Message: clip(b.message)}
}

// maxText bounds the bytes of a path or message in a report. A text in a hostile METS may be
// megabytes long.
const maxText = 1000

// clip shortens a text at a character boundary.
func clip(s string) string {
	if len(s) <= maxText {
		return s
	}
	end := maxText
	for end > maxText-4 && s[end]&0xC0 == 0x80 {
		end--
	}
	return s[:end] + "…"
}
