package archivefs

import (
	"path"
	"strings"
)

// safe gives the path of an entry as it is used within the Tree, and says whether it stays within.
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

// isDrive says whether the name begins as absolute ones do on Windows: "C:\", "C:/", "\\server".
func isDrive(name string) bool {
	letter := len(name) > 2 && name[1] == ':' && (name[2] == '\\' || name[2] == '/')
	return letter || strings.HasPrefix(name, `\\`) || strings.HasPrefix(name, `..\`) || strings.Contains(name, `\..\`)
}
