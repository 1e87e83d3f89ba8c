package pages

import (
	"mime"
	"path"
)

// Static returns a file of the design of the pages, such as quire.css, for other pages of Quire. ok reports whether
// there is one of the name.
func Static(name string) (content []byte, contentType string, ok bool) {
	if name != path.Base(name) {
		return nil, "", false
	}
	content, err := ownFiles.ReadFile("static/" + name)
	return content, typeOf(name), err == nil
}

// typeOf returns the media type of one of our files.
func typeOf(name string) string {
	if path.Ext(name) == ".woff2" { // not in the lists of all systems
		return "font/woff2"
	}
	return mime.TypeByExtension(path.Ext(name))
}
