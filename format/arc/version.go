package arc

import (
	"bytes"
	"strings"

	"quire/format/fault"
)

// MaxVersionBlock is the largest version block that is parsed, in bytes. Only this much of a larger
// one is parsed.
const MaxVersionBlock = 1 << 20

// The URL-record-definitions of the standard.
const (
	definition1 = "URL IP-address Archive-date Content-type Archive-length"
	definition2 = "URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename " +
		"Archive-length"
)

// VersionBlock is the content of an ARC file's first record, which describes the file.
type VersionBlock struct {
	Name       string  // of the file when it was written: the text after filedesc://
	Version    string  // "1.0", "1.1", "2.0": version-number and reserved, with a dot
	Origin     string  // origin-code: the writer of the file, as found; may hold spaces
	Definition string  // the line that names the fields of the records
	Metadata   []byte  // XML, byte for byte; nil if missing
	Fields     []Field // of the metadata, in order, until a syntax error
}

// Field is an element of the metadata with text.
type Field struct {
	Name  string // local name: "software", "operator", "isPartOf"
	Value string // without white space around it
}

// Get returns the value of the first field of this name, or "".
func (v *VersionBlock) Get(name string) string {
	for _, f := range v.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// parseVersionBlock parses the block of a version block.
func parseVersionBlock(url string, block []byte, tell func(fault.Code, string)) *VersionBlock {
	v := &VersionBlock{Name: url[len("filedesc://"):]}
	n := versionLines(block)
	first, second := cutLine(block[:n])
	v.setVersion(first, tell)
	v.Definition = second
	v.checkDefinition(tell)
	rest := bytes.Trim(block[n:], "\r\n")
	if len(bytes.TrimSpace(rest)) > 0 {
		v.Metadata = bytes.Clone(rest)
	}
	v.checkMetadata(tell)
	return v
}

// versionLines returns the length of the version line and the definition line, with their line
// ends. The second line is the definition, unless it is empty or begins with "<", as XML does. A
// missing definition has length 0.
func versionLines(block []byte) int {
	n := lineLength(block)
	second := block[n:]
	line := bytes.TrimSpace(second[:lineLength(second)])
	if len(line) == 0 || line[0] == '<' {
		return n
	}
	return n + lineLength(second)
}

// maxVersionLine bounds the first two lines of a version block, in bytes.
const maxVersionLine = 4096

// lineLength returns the length of the first line of b, with its line end.
func lineLength(b []byte) int {
	b = b[:min(len(b), maxVersionLine)]
	if at := bytes.IndexByte(b, '\n'); at >= 0 {
		return at + 1
	}
	return len(b)
}

func cutLine(b []byte) (first, second string) {
	n := lineLength(b)
	return strings.TrimRight(string(b[:n]), "\r\n"), strings.TrimRight(string(b[n:]), "\r\n")
}

// setVersion parses version-number SP reserved SP origin-code.
func (v *VersionBlock) setVersion(line string, tell func(fault.Code, string)) {
	number, rest, _ := strings.Cut(line, " ")
	reserved, origin, complete := strings.Cut(rest, " ")
	if !allDigits(number) || !allDigits(reserved) {
		tell(Version, "version line is "+quote(line))
		return
	}
	v.Version, v.Origin = number+"."+reserved, origin
	switch {
	case v.Version != "1.0" && v.Version != "1.1" && v.Version != "2.0":
		tell(Version, "version "+quote(v.Version)+" is not 1.0, 1.1 or 2.0")
	case !complete || origin == "":
		tell(Version, "no origin-code in "+quote(line))
	}
}

func (v *VersionBlock) checkDefinition(tell func(fault.Code, string)) {
	switch {
	case v.Definition == "":
		tell(Definition, "none")
	case v.Definition != definition1 && v.Definition != definition2:
		tell(Definition, quote(v.Definition))
	case (v.Definition == definition2) != strings.HasPrefix(v.Version, "2."):
		tell(Definition, "version "+quote(v.Version)+" defines "+quote(v.Definition))
	}
}

func (v *VersionBlock) checkMetadata(tell func(fault.Code, string)) {
	switch {
	case v.Metadata == nil && v.Version == "1.1":
		tell(NoMetadata, "version 1.1 without XML metadata")
	case v.Metadata != nil && v.Version != "1.1":
		tell(UndueMetadata, "version "+quote(v.Version)+" with "+quote(string(v.Metadata[:min(40, len(v.Metadata))])))
	}
	if v.Metadata != nil && v.Metadata[0] == '<' {
		v.Fields = metadataFields(v.Metadata, tell)
	} else if v.Metadata != nil && v.Version == "1.1" {
		tell(MetadataSyntax, "the metadata is not XML")
	}
}
