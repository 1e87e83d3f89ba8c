package convert

import (
	"os"
	"path/filepath"
	"strconv"
)

// prefixes returns the folder for the files of each source. It returns none for a single source, or
// if all sources are files with different names. Otherwise the folder has the name of the source,
// and a number if names repeat.
func prefixes(sources []string) []string {
	all := make([]string, len(sources))
	if len(sources) == 1 || areDistinctFiles(sources) {
		return all
	}
	used := map[string]bool{}
	for i, source := range sources {
		name := BaseName(source)
		prefix := name
		for n := 2; used[prefix]; n++ {
			prefix = name + "-" + strconv.Itoa(n)
		}
		used[prefix], all[i] = true, prefix
	}
	return all
}

func areDistinctFiles(sources []string) bool {
	names := map[string]bool{}
	for _, source := range sources {
		name := filepath.Base(filepath.Clean(source))
		info, err := os.Stat(source)
		if err != nil || info.IsDir() || names[name] {
			return false
		}
		names[name] = true
	}
	return true
}

// BaseName returns the name of a source, even if it was entered as "." or ends in a slash.
func BaseName(source string) string {
	if abs, err := filepath.Abs(source); err == nil {
		source = abs
	}
	return filepath.Base(source)
}
