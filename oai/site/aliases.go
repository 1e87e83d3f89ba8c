package site

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// isAlias reports whether a path in the folder leads by symbolic links to a folder that is walked under its own name.
// Its files would be listed twice, and for a link to a folder above, many times. Their other addresses work for
// visitors as before. A hidden folder, and one that is excluded, has no name of its own.
func (s *Site) isAlias(name string) bool {
	root, err := filepath.EvalSymlinks(s.opt.Folder)
	if err != nil {
		return false
	}
	target, err := filepath.EvalSymlinks(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		return false
	}
	inside, err := filepath.Rel(root, target)
	if err != nil {
		return false
	}
	inside = filepath.ToSlash(inside)
	parts := strings.Split(inside, "/")
	switch {
	case inside == name, parts[0] == "..":
		return false
	case inside == ".":
		return true
	}
	return !slices.ContainsFunc(parts, hidden) && s.urls.hasRecord(s.urls.ofPath(inside+"/"))
}

// aliases counts the links that are not walked.
type aliases struct {
	n     int
	first string
}

func (a *aliases) add(name string) {
	if a.n++; a.n == 1 {
		a.first = name
	}
}

// report tells the problem with the links in one line.
func (a *aliases) report(tell func(string)) {
	switch {
	case a.n == 1:
		tell(a.first + " is a symbolic link to a folder of the site: its files are listed once, under their own names")
	case a.n > 1:
		tell(fmt.Sprintf("%s and %d more are symbolic links to folders of the site: their files are listed once, "+
			"under their own names", a.first, a.n-1))
	}
}
