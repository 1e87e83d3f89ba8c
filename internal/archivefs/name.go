package archivefs

import (
	"path"
	"strings"
)

// safe returns the path of an entry in the form used within the Tree, and reports whether it stays
// within the Tree.
func safe(name string) (string, bool) {
	if name == "" || strings.HasPrefix(name, "/") || strings.ContainsRune(name, 0) || isDrive(name) {
		return "", false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return "", false
		}
	}
	clean := path.Clean(name)
	return clean, clean != "."
}

// isDrive reports whether the name begins like an absolute path on Windows: "C:\", "C:/",
// "\\server".
func isDrive(name string) bool {
	letter := len(name) > 2 && name[1] == ':' && (name[2] == '\\' || name[2] == '/')
	return letter || strings.HasPrefix(name, `\\`) || strings.HasPrefix(name, `..\`) || strings.Contains(name, `\..\`)
}
