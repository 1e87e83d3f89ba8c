package httrack

import (
	"path"
	"strings"

	"quire/model"
)

// ownRole returns the role of files that HTTrack, or PANDAS later, added to the content, or "" for
// content by its name. p is the path within the mirror.
func ownRole(p string) model.Role {
	if name, ok := strings.CutPrefix(p, "hts-cache/"); ok {
		switch {
		case name == "new.txt" || name == "old.txt":
			return model.RoleLog
		case name == "doit.log" || name == "winprofile.ini":
			return model.RoleConfiguration
		case name == "readme.txt":
			return model.RoleArtefact
		}
		return model.RoleCache
	}
	switch p {
	case "hts-log.txt", "hts-err.txt", "hts-ioinfo.txt", "hts-stats.txt":
		return model.RoleLog
	case "logs/info", "logs/err", "logs/warn", "logs/debug", "logs/gen":
		return model.RoleLog
	case "cookies.txt":
		return model.RoleCache
	case lock:
		return model.RoleArtefact
	case "url.map":
		return model.RoleIndex
	}
	if path.Base(p) == ".panaccess-mime.types" {
		return model.RoleArtefact
	}
	return ""
}

// insertedRole returns the role of HTTrack's additional files with names that content can also
// have. They count as HTTrack's only if no URL claims them.
func insertedRole(p string) model.Role {
	switch p {
	case "index.html", "backblue.gif", "fade.gif", "external.html":
		return model.RoleArtefact
	}
	return ""
}
