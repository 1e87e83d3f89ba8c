package pack

import (
	"fmt"
	"path/filepath"
	"strings"
)

// checkOverlap rejects a source that is named twice, or is within another: its files would be in
// the package twice.
func checkOverlap(sources []string) error {
	resolved := make([]string, len(sources))
	for i, source := range sources {
		var err error
		if resolved[i], err = resolve(source); err != nil {
			return err
		}
		for j := range i {
			if isWithin(resolved[i], resolved[j]) || isWithin(resolved[j], resolved[i]) {
				return fmt.Errorf("%s and %s overlap, and their common files would be packed twice: name "+
					"only one",
					sources[j], source)
			}
		}
	}
	return nil
}

// resolve returns the absolute path without symbolic links.
func resolve(p string) (string, error) {
	p, err := filepath.EvalSymlinks(p)
	if err != nil {
		return "", err
	}
	return filepath.Abs(p)
}

// isWithin reports whether the path is the folder, or is below it. Both are absolute and clean.
func isWithin(p, folder string) bool {
	return p == folder || strings.HasPrefix(p, strings.TrimSuffix(folder, "/")+"/")
}

func join(sources []string) string {
	if len(sources) == 1 {
		return sources[0]
	}
	return fmt.Sprintf("%s and %d more", sources[0], len(sources)-1)
}
