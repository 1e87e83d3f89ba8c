package plain

import (
	"path"
	"slices"
	"strings"

	"quire/model"
)

// litter are files and folders that systems and tools leave, which no server hands out.
var (
	litterFiles = []string{".ds_store", "thumbs.db", "ehthumbs.db", "desktop.ini", ".gitignore", ".gitattributes",
		".gitmodules", ".cvsignore", ".directory"}
	litterFolders = []string{".git", ".svn", ".hg", ".bzr", "cvs", "__macosx", ".appledouble", ".trashes",
		".spotlight-v100", ".fseventsd", "$recycle.bin", "@eadir"}
)

// keys are files that hold keys or passwords, whatever the site; each with what it holds.
var keys = map[string]string{
	".htpasswd": "passwords of the server's users", ".env": "settings of the site, mostly with passwords",
	".netrc": "passwords", ".pgpass": "passwords of a database",
	".my.cnf": "passwords of a database", "id_rsa": "a private key", "id_dsa": "a private key",
	"id_ecdsa": "a private key", "id_ed25519": "a private key",
	"wp-config.php": "the password of the site's database", "localsettings.php": "the password of the site's database",
	"configuration.php": "the password of the site's database",
	"web.config":        "settings of the server, often with passwords",
}

var keyEndings = []string{".p12", ".pfx", ".jks", ".keystore", ".htpasswd"}

// ownRole tells the files that are no content, "" for those that are, and what secret a file holds
// by its name. p is the path below the root.
func ownRole(p string) (role model.Role, secret string) {
	lower := strings.ToLower(p)
	base := path.Base(lower)
	secret = keys[base]
	if secret == "" && strings.HasPrefix(base, ".env.") {
		secret = keys[".env"]
	}
	if i := slices.IndexFunc(keyEndings, func(e string) bool { return strings.HasSuffix(base, e) }); secret == "" &&
		i >= 0 {
		secret = "a key or passwords, by its name"
	}
	for dir := range strings.SplitSeq(path.Dir(lower), "/") {
		if slices.Contains(litterFolders, dir) {
			return model.RoleArtefact, secret
		}
	}
	switch {
	case slices.Contains(litterFiles, base) || strings.HasPrefix(base, "._"):
		return model.RoleArtefact, secret
	case base == ".htaccess" || secret != "":
		return model.RoleConfiguration, secret
	}
	return "", ""
}

// startPages stand for their folder, the first that is there.
var startPages = []string{"index.html", "index.htm", "index.xhtml", "index.shtml", "index.php", "default.html",
	"default.htm", "welcome.html", "home.html"}

// pageEndings are those of pages.
var pageEndings = []string{".html", ".htm", ".xhtml", ".shtml", ".php", ".asp", ".aspx", ".jsp", ".cfm"}

func isPage(p string) bool { return slices.Contains(pageEndings, strings.ToLower(path.Ext(p))) }

// isScript says whether a server would have run the file, so that its bytes are not what anyone was
// sent.
func isScript(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".php", ".php3", ".phtml", ".asp", ".aspx", ".jsp", ".cfm", ".cgi", ".pl", ".shtml":
		return true
	}
	return false
}

// mediaTypes are those that the endings of names suggest. The system's own table is not asked: it
// differs from machine to machine.
var mediaTypes = map[string]string{
	".html": "text/html", ".htm": "text/html", ".xhtml": "application/xhtml+xml", ".css": "text/css",
	".js": "text/javascript", ".mjs": "text/javascript",
	".json": "application/json", ".xml": "text/xml", ".rss": "application/rss+xml", ".atom": "application/atom+xml",
	".txt": "text/plain", ".csv": "text/csv",
	".gif": "image/gif", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png", ".svg": "image/svg+xml",
	".webp": "image/webp", ".avif": "image/avif",
	".ico": "image/x-icon", ".bmp": "image/bmp", ".tif": "image/tiff", ".tiff": "image/tiff",
	".woff": "font/woff", ".woff2": "font/woff2", ".ttf": "font/ttf", ".otf": "font/otf",
	".eot": "application/vnd.ms-fontobject",
	".mp3": "audio/mpeg", ".ogg": "audio/ogg", ".wav": "audio/wav", ".mid": "audio/midi",
	".ram": "audio/x-pn-realaudio",
	".mp4": "video/mp4", ".webm": "video/webm", ".avi": "video/x-msvideo", ".mov": "video/quicktime",
	".mpg": "video/mpeg", ".mpeg": "video/mpeg", ".wmv": "video/x-ms-wmv",
	".swf": "application/x-shockwave-flash", ".class": "application/java-vm", ".jar": "application/java-archive",
	".wasm": "application/wasm",
	".pdf":  "application/pdf", ".ps": "application/postscript", ".rtf": "application/rtf",
	".doc": "application/msword",
	".xls": "application/vnd.ms-excel",
	".ppt": "application/vnd.ms-powerpoint", ".zip": "application/zip", ".gz": "application/gzip",
	".tar": "application/x-tar",
}
