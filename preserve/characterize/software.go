package characterize

import (
	"slices"
	"strings"

	"quire/model"
)

// ownName is the name of the program in the field software of its own WARC files. A space is between
// it and the version.
const ownName = "Quire "

// Software divides the stated software of a container into a name and a version, as in "Wget/1.21.3"
// and in the files that Quire makes. In a longer text the start of the version is unclear, so it
// stays in one piece.
func Software(stated string) (name, version string) {
	if strings.TrimSpace(stated) == "" {
		return "", ""
	}
	if version, ok := strings.CutPrefix(stated, ownName); ok && version != "" && !strings.ContainsAny(version, " \t") {
		return strings.TrimSpace(ownName), version
	}
	name, version, two := strings.Cut(stated, "/")
	if two && name != "" && version != "" && !strings.ContainsAny(stated, " \t") && !strings.Contains(version, "/") {
		return name, version
	}
	return stated, ""
}

// IsConverted reports whether quire convert made the container from an ARC or a mirror, as its
// warcinfo states.
func IsConverted(c *model.Container) bool {
	return strings.HasPrefix(c.Software, ownName) &&
		slices.ContainsFunc(c.Info, func(f model.Field) bool { return f.Name == "source-name" })
}
