package aip

import (
	"io/fs"
	"strings"
	"unicode"

	"quire/metadata/mets"
)

// PathOf returns the path of a file within the package. The error states why the file has no path
// that may be opened.
func PathOf(f *mets.File) (string, error) {
	path, wrong := pathOf(f)
	if wrong != nil {
		return "", wrong
	}
	return path, nil
}

// pathOf returns the path of a file within the package, or a *breach that states why it has none
// that may be opened.
func pathOf(f *mets.File) (string, *breach) { return pathFrom(METSName, f) }

// pathFrom returns the path of a file that a METS document of the package lists. A URL is relative
// to its document.
func pathFrom(document string, f *mets.File) (string, *breach) {
	if len(f.Locations) != 1 {
		return "", breaks(CodeLocation, document, "file %s has %d locations; clause 2.6 requires one FLocat", f.ID,
			len(f.Locations))
	}
	l := &f.Locations[0]
	if l.LocType != "URL" {
		return "", breaks(CodeLocation, document, "the FLocat of file %s has LOCTYPE %q; clause 2.6 "+
			"requires URL", f.ID,
			l.LocType)
	}
	path, err := mets.Path(l.Href)
	if err != nil {
		return "", breaks(CodePath, document, "file %s: %v", f.ID, err)
	}
	if document != METSName {
		path = resolveFrom(document, path)
	}
	if why := notInside(path); why != "" {
		return "", breaks(CodePath, document, "file %s: href %q %s", f.ID, clip(l.Href), why)
	}
	return path, nil
}

// notInside returns why a path does not name a file in the package, or "". Each path has only one
// accepted spelling (no dot segments, no empty ones). So two paths name the same file exactly when
// their bytes are equal.
func notInside(path string) string {
	switch {
	case path == METSName || path == DigestName:
		return "is the METS itself, which is not listed"
	case strings.ContainsRune(path, 0):
		return "has a NUL byte"
	case !fs.ValidPath(path) || path == ".":
		return "is no path within the package: want names with a slash between, in UTF-8, without . and .."
	}
	return ""
}

// badName names the bytes of a path that clause 1.4 escapes, or returns "".
func badName(path string) string {
	switch {
	case strings.ContainsRune(path, '\\'):
		return "has a backslash"
	case strings.ContainsFunc(path, unicode.IsControl):
		return "has a control character"
	}
	return ""
}

// folderOf returns the folder of a group's files (clause 1), or "" if the profile has no such
// group.
func folderOf(use string) string {
	switch use {
	case UseContainers, UseOriginalFiles, UseTransformed, UseViral, UseCleaned:
		return ContainersDir
	case UseOriginals:
		return OriginalsDir
	case UseLogs:
		return LogsDir
	case UseDocuments:
		return DocumentsDir
	case UseIndexes:
		return IndexesDir
	case UseMETS:
		return METSDir
	}
	return ""
}

// useOf returns the USE of the innermost enclosing group that has one.
func useOf(at mets.FilePlace) string {
	for i := len(at.Groups) - 1; i >= 0; i-- {
		if at.Groups[i].Use != "" {
			return at.Groups[i].Use
		}
	}
	return ""
}
