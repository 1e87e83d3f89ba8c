package aip

import (
	"fmt"

	"quire/model"
)

// breach is a clause of docs/reference/310_package-format.md that a package breaks. [Describe]
// gives the first as its error, [Validate] makes a finding of each.
type breach struct {
	code    string
	path    string // within the package
	message string
	offset  int64 // byte of the file, where one is known
}

func breaks(code, path, format string, args ...any) *breach {
	return &breach{code: code, path: path, message: fmt.Sprintf(format, args...)}
}

// Error names the file and what is wrong with it.
func (b *breach) Error() string { return b.path + ": " + b.message }

// finding is the breach as reports carry it.
func (b *breach) finding() model.Finding {
	return model.Finding{Code: b.code, Severity: Catalogue.Severity(b.code), Path: clip(b.path), Offset: b.offset,
		Message: clip(b.message)}
}

// maxText bounds the bytes of a path or message in a report. What a hostile METS says may be
// megabytes long.
const maxText = 1000

// clip shortens a text, at the beginning of a character.
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
