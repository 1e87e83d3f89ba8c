package plain

import (
	"path"
	"slices"
	"strings"

	"quire/model"
)

// litter are files and folders from systems and tools, which servers never serve.
var (
	litterFiles = []string{".ds_store", "thumbs.db", "ehthumbs.db", "desktop.ini", ".gitignore", ".gitattributes",
		".gitmodules", ".cvsignore", ".directory"}
	litterFolders = []string{".git", ".svn", ".hg", ".bzr", "cvs", "__macosx", ".appledouble", ".trashes",
		".spotlight-v100", ".fseventsd", "$recycle.bin", "@eadir"}
)

// keys are files with keys or passwords on any site, with their content.
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

// ownRole returns the role of files that are not content, or "" for content, and the secret that
// the name shows. p is the path below the root.
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

// startPages are the start pages of a folder. The first page that exists is used.
var startPages = []string{"index.html", "index.htm", "index.xhtml", "index.shtml", "index.php", "default.html",
	"default.htm", "welcome.html", "home.html"}

// pageEndings are the extensions of pages.
var pageEndings = []string{".html", ".htm", ".xhtml", ".shtml", ".php", ".asp", ".aspx", ".jsp", ".cfm"}

func isPage(p string) bool { return slices.Contains(pageEndings, strings.ToLower(path.Ext(p))) }

// isScript reports whether a server would have run the file; visitors then never received its
// bytes.
func isScript(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".php", ".php3", ".phtml", ".asp", ".aspx", ".jsp", ".cfm", ".cgi", ".pl", ".shtml":
		return true
	}
	return false
}

// mediaTypes are the media types by extension. The system's own table is not used, because it
// differs between machines.
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
