package httrack

import (
	"path"
	"strings"

	"quire/model"
)

// ownRole tells the files that HTTrack, or PANDAS after it, put among the content; "" for what is
// content as far as its name tells. p is the path within the mirror.
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
	case "url.map":
		return model.RoleIndex
	}
	if path.Base(p) == ".panaccess-mime.types" {
		return model.RoleArtefact
	}
	return ""
}

// insertedRole tells the files that HTTrack puts beside the content under names that content can
// have as well: they are its own only where no URL claims them.
func insertedRole(p string) model.Role {
	switch p {
	case "index.html", "backblue.gif", "fade.gif", "external.html":
		return model.RoleArtefact
	}
	if strings.HasSuffix(p, ".readme") || strings.HasSuffix(p, ".delayed") {
		return model.RoleArtefact // what a mirror that was broken off leaves
	}
	return ""
}
