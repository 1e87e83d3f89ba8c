package pack

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// checkOverlap refuses a source that is named twice, or lies in another: its files would be in the package twice.
func checkOverlap(sources []string) error {
	resolved := make([]string, len(sources))
	for i, source := range sources {
		var err error
		if resolved[i], err = resolve(source); err != nil {
			return err
		}
		for j := range i {
			if isWithin(resolved[i], resolved[j]) || isWithin(resolved[j], resolved[i]) {
				return fmt.Errorf("%s and %s overlap, and what they share would be packed twice: name it once", sources[j], source)
			}
		}
	}
	return nil
}

// resolve gives the absolute path of what a path stands for, without symbolic links.
func resolve(p string) (string, error) {
	p, err := filepath.EvalSymlinks(p)
	if err != nil {
		return "", err
	}
	return filepath.Abs(p)
}

// isWithin says whether the path is the folder, or lies below it. Both are absolute and clean.
func isWithin(p, folder string) bool {
	return p == folder || strings.HasPrefix(p, strings.TrimSuffix(folder, "/")+"/")
}

func join(sources []string) string {
	if len(sources) == 1 {
		return sources[0]
	}
	return fmt.Sprintf("%s and %d more", sources[0], len(sources)-1)
}

// prefixesOf gives each source the folder that its files go in: none when there is one source, or when all are files of
// different names; otherwise the source's name, with a number where names repeat.
func prefixesOf(sources []string) []string {
	prefixes := make([]string, len(sources))
	if len(sources) == 1 || areDistinctFiles(sources) {
		return prefixes
	}
	used := map[string]bool{}
	for i, source := range sources {
		name := baseName(source)
		prefix := name
		for n := 2; used[prefix]; n++ {
			prefix = name + "-" + strconv.Itoa(n)
		}
		used[prefix], prefixes[i] = true, prefix
	}
	return prefixes
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

// baseName is the name of a source, also when it was given as "." or with a slash at its end.
func baseName(source string) string {
	if abs, err := filepath.Abs(source); err == nil {
		source = abs
	}
	return filepath.Base(source)
}
