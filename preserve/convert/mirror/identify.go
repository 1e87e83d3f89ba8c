package mirror

import (
	"bytes"
	"io"
	"net/http"
	"path"
	"strings"

	"quire/internal/warcbuild"
)

// A mirror without cache and log has no declared media types. Without a type, replay and index see
// no page in it. So the content decides, and for text the name as well: the evidence states it, and
// the identified type is not the declared one.

// identifyHead is the number of bytes of a body that are examined.
const identifyHead = 4 << 10

// identify identifies the media type of a body without a declared type.
func (c *conversion) identify(p *present) {
	if p.MIME != "" || !p.hasBody {
		return
	}
	head := make([]byte, identifyHead)
	n, err := io.ReadFull(c.body.Reader(), head)
	if n == 0 && err != nil {
		return // empty, or unreadable, which was reported
	}
	var from string
	if p.identified, from = identified(head[:n], p.place()); p.identified != "" {
		p.Why = append(p.Why[:len(p.Why):len(p.Why)],
			"media type: identified as "+p.identified+" by "+from+"; no source has the declared one")
	}
}

// contentType returns the type for the records of the body: as declared, otherwise as identified.
func (p *present) contentType() string {
	if p.MIME == "" {
		return p.identified
	}
	return warcbuild.StatedType(p.MIME)
}

// textTypes are the types of text that only the name can show: a script may contain HTML.
var textTypes = map[string]string{
	".css": "text/css", ".js": "text/javascript", ".json": "application/json", ".txt": "text/plain",
	".csv": "text/csv", ".rtf": "application/rtf", ".ics": "text/calendar", ".vcf": "text/vcard", ".rss": "text/xml",
	".rdf": "text/xml", ".xsl": "text/xml", ".dtd": "application/xml-dtd",
}

// binaryTypes are the types of files that Go's content sniffing does not identify, or identifies as
// the format around them.
var binaryTypes = map[string]string{
	".doc": "application/msword", ".xls": "application/vnd.ms-excel", ".ppt": "application/vnd.ms-powerpoint",
	".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
	".odt":  "application/vnd.oasis.opendocument.text", ".ods": "application/vnd.oasis.opendocument.spreadsheet",
	".odp": "application/vnd.oasis.opendocument.presentation", ".epub": "application/epub+zip",
	".jar": "application/java-archive", ".class": "application/java-vm", ".swf": "application/x-shockwave-flash",
	".dcr": "application/x-director", ".mov": "video/quicktime", ".qt": "video/quicktime",
	".mpg": "video/mpeg", ".mpeg": "video/mpeg", ".wmv": "video/x-ms-wmv", ".asf": "video/x-ms-asf",
	".wma": "audio/x-ms-wma", ".mp3": "audio/mpeg", ".mid": "audio/midi", ".midi": "audio/midi",
	".ra": "audio/x-pn-realaudio", ".rm": "application/vnd.rn-realmedia", ".tif": "image/tiff", ".tiff": "image/tiff",
	".ttf": "font/ttf", ".eot": "application/vnd.ms-fontobject",
}

// pageMarks are the beginnings of elements that only a page has.
var pageMarks = [][]byte{[]byte("<!doctype html"), []byte("<html"), []byte("<head"), []byte("<body"), []byte("<title"),
	[]byte("<frameset"), []byte("<meta "), []byte("<table"), []byte("<a href"), []byte("<p>"), []byte("<h1")}

// identified returns the media type of a file by its first bytes, and its name, and states by which;
// "" if neither shows it.
func identified(head []byte, name string) (mime, from string) {
	ext := strings.ToLower(path.Ext(name))
	content, _, _ := strings.Cut(http.DetectContentType(head), ";") // the charset is a guess
	text := strings.HasPrefix(content, "text/")
	switch {
	case text && textTypes[ext] != "":
		return textTypes[ext], "its name"
	case text && isPage(head):
		return "text/html", "its content"
	case text && (ext == ".svg" || bytes.Contains(head, []byte("<svg"))):
		return "image/svg+xml", "its content"
	case content == "text/plain" && (ext == ".html" || ext == ".htm"):
		return "text/html", "its name"
	case (content == "application/octet-stream" || content == "application/zip") && binaryTypes[ext] != "":
		return binaryTypes[ext], "its name"
	case content == "application/octet-stream" || content == "text/plain": // weak: anything is one of both
		return "", ""
	}
	return content, "its content"
}

// isPage reports whether text has the marks of a page, in any encoding of ASCII letters: in UTF-16,
// each letter has a zero byte.
func isPage(head []byte) bool {
	lower := bytes.ToLower(bytes.ReplaceAll(head, []byte{0}, nil))
	for _, mark := range pageMarks {
		if bytes.Contains(lower, mark) {
			return true
		}
	}
	return false
}
