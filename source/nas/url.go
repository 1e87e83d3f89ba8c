package nas

import (
	"net/url"
	"path"
	"strings"

	"quire/model"
)

// documentURL is the URL of a record in a metadata file:
// metadata://netarkivet.dk/crawl/logs/crawl.log?heritrixVersion=1.14.4&harvestid=1&jobid=1. The
// order of the query differs between versions, and so does the organization.
type documentURL struct {
	organization string // "" if the URL has none
	class        string // setup, reports, logs, index; "other"
	name         string // after the class, without the query
	query        map[string]string
}

// parseURL parses the URL of a document, and returns false for another scheme. The tool that
// compressed the Danish archive omitted the organization:
// metadata://crawl/index/deduplicationmigration.
func parseURL(s string) (documentURL, bool) {
	const scheme = "metadata:"
	if len(s) < len(scheme) || !strings.EqualFold(s[:len(scheme)], scheme) {
		return documentURL{}, false
	}
	rest := strings.TrimLeft(s[len(scheme):], "/")
	rest, _, _ = strings.Cut(rest, "#")
	p, query, _ := strings.Cut(rest, "?")
	u := documentURL{class: "other", query: map[string]string{}}
	segments := strings.Split(p, "/")
	if !strings.EqualFold(segments[0], "crawl") {
		u.organization, segments = segments[0], segments[1:]
	}
	if len(segments) > 0 && strings.EqualFold(segments[0], "crawl") {
		segments = segments[1:]
	}
	if len(segments) > 1 && roles[strings.ToLower(segments[0])] != "" {
		u.class, segments = strings.ToLower(segments[0]), segments[1:]
	}
	u.name = decoded(strings.Join(segments, "/"))
	for i, pair := range strings.Split(query, "&") {
		if key, value, _ := strings.Cut(pair, "="); key != "" && i < maxQuery {
			if _, known := u.query[strings.ToLower(key)]; !known {
				u.query[strings.ToLower(key)] = decoded(value)
			}
		}
	}
	return u, true
}

// maxQuery bounds the parameters of a URL. Real URLs have at most six.
const maxQuery = 32

// decoded undoes valid percent encoding. A plus sign remains unchanged.
func decoded(s string) string {
	if d, err := url.PathUnescape(s); err == nil {
		return d
	}
	return s
}

// roles are the classes of documents, with their roles in the harvest.
var roles = map[string]model.Role{
	"setup": model.RoleConfiguration, "reports": model.RoleReport, "logs": model.RoleLog, "index": model.RoleIndex,
}

// role returns the role of the document in the harvest.
func (u documentURL) role() model.Role {
	switch {
	case u.class == "setup" && u.name == "crawl-manifest.txt":
		return model.RoleReport // it is among the setup because its name does not end like a report's
	case u.class == "other" || u.class == "index" && strings.Contains(strings.ToLower(u.name), "dup"):
		return model.RoleOther // new places of duplicates and their lists: the containers of other jobs have them
	}
	return roles[u.class]
}

func (u documentURL) job() string        { return number(u.query["jobid"]) }
func (u documentURL) definition() string { return number(u.query["harvestid"]) }

// path returns the path that the document would have in a Heritrix job folder.
func (u documentURL) path() string {
	switch {
	case u.class == "setup" && u.name == "settings.xml" && u.query["domain"] != "":
		return "settings/" + clean(u.query["domain"]) + "/settings.xml"
	case u.class == "setup":
		return clean(u.name)
	case u.class == "index" && u.name == "cdx":
		return "index/" + clean(u.container()) + ".cdx"
	}
	return u.class + "/" + clean(u.name)
}

// container returns the name of the container that a list of captures describes. If the URL has
// only the beginning of the name, container returns the beginning.
func (u documentURL) container() string {
	if name := path.Base(u.query["filename"]); u.query["filename"] != "" {
		return name
	}
	var parts []string
	for _, key := range []string{"jobid", "harvestid", "timestamp", "serialno"} {
		if v := u.query[key]; v != "" {
			parts = append(parts, v)
		}
	}
	if len(parts) == 0 {
		return "cdx"
	}
	return strings.Join(parts, "-")
}

// maxName is the maximum length of a document name in bytes.
const maxName = 240

// clean returns a name of one level that cannot lead out of its folder.
func clean(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '/' || r == '\\' || r == ':' {
			return '_'
		}
		return r
	}, name)
	if len(name) > maxName {
		name = strings.ToValidUTF8(name[:maxName], "")
	}
	if strings.Trim(name, ". ") == "" {
		return "unnamed" + strings.Repeat("_", len(name))
	}
	return name
}
