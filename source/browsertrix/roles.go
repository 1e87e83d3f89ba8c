package browsertrix

import (
	"path"
	"strings"

	"quire/format/wacz"
	"quire/model"
)

// roleOf returns the role of a file, by its place in the package and its name.
func roleOf(p string) model.Role {
	top, _, deeper := strings.Cut(p, "/")
	name := path.Base(p)
	switch {
	case wacz.IsContainer(name):
		return model.RoleContainer
	case wacz.IsIndex(name):
		return model.RoleIndex
	case !deeper:
		switch {
		case strings.HasSuffix(name, ".log"):
			return model.RoleLog
		case strings.HasSuffix(name, ".json"), strings.HasSuffix(name, ".yaml"):
			return model.RoleDescription
		}
		return model.RoleOther
	}
	switch top {
	case "pages":
		return model.RoleDescription
	case "logs":
		return model.RoleLog
	case "reports":
		return model.RoleReport
	case "crawls", "crawlIds":
		return model.RoleConfiguration
	case "profile":
		return model.RoleCache
	case "downloads":
		return model.RoleContent
	}
	return model.RoleOther
}
