package policy

import (
	"fmt"
	"regexp"
	"slices"

	"quire/format/fault"
	"quire/preserve/inspect"
)

func (f *Findings) asked() bool { return f.AtMost != "" || len(f.Forbid) > 0 }

// namesFormats reports whether a code appears only when formats are identified.
func (f *Findings) namesFormats() bool {
	return slices.ContainsFunc(slices.Concat(f.Allow, f.Forbid), ofFormats)
}

// ofFormats reports whether findings of this code appear only when formats are identified.
func ofFormats(code string) bool {
	switch fault.Code(code) {
	case inspect.FaultServedType, inspect.FaultBlockType, inspect.FaultIdentifiedType:
		return true
	}
	return false
}

// ofScan reports whether findings of this code are about viruses, which have their own section.
func ofScan(code string) bool {
	switch fault.Code(code) {
	case inspect.FaultInfected, inspect.FaultNotScanned:
		return true
	}
	return false
}

func wrongCode(code string) string {
	if ofScan(code) {
		return code + ": virus findings belong in the section viruses"
	}
	if _, known := inspect.Catalogue.Explain(code); !known {
		return fmt.Sprintf("no finding has the code %.60q; \"quire explain\" lists the codes", code)
	}
	return ""
}

var containerFormat = regexp.MustCompile(`^(ARC|WARC(/[0-9]+\.[0-9]+)?|mirror)$`)

func wrongContainerFormat(s string) string {
	if containerFormat.MatchString(s) {
		return ""
	}
	return fmt.Sprintf("%.60q is none: ARC, WARC, WARC with a version (WARC/1.1) and mirror are", s)
}

func wrongCompression(s string) string {
	if slices.Contains([]string{"none", "gzip", "gzip-whole", "zstd"}, s) {
		return ""
	}
	return fmt.Sprintf("%.60q is not a compression: use none, gzip, gzip-whole or zstd", s)
}

var (
	puid      = regexp.MustCompile(`^(x-)?(fmt|sfw|chr)/[0-9]+$`)
	mediaType = regexp.MustCompile(`^[a-z0-9][a-z0-9!#$&^_.+-]*/([a-z0-9][a-z0-9!#$&^_.+-]*|\*)$`)
)

func wrongFormat(s string) string {
	if s == Unknown || puid.MatchString(s) || mediaType.MatchString(s) {
		return ""
	}
	return fmt.Sprintf("%.60q is not a PUID (fmt/44), media type (image/png, image/*; in lower case) or "+
		"\"unknown\"", s)
}
