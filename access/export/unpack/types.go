package unpack

import "slices"

// endings are the file extensions of media types: the first is assigned, the others are kept.
// Without a matching extension, a browser cannot identify a file on a disk.
var endings = map[string][]string{
	"text/html":                     {".html", ".htm"},
	"application/xhtml+xml":         {".xhtml", ".xht"},
	"text/css":                      {".css"},
	"text/javascript":               {".js", ".mjs"},
	"application/javascript":        {".js", ".mjs"},
	"application/x-javascript":      {".js", ".mjs"},
	"application/json":              {".json"},
	"application/xml":               {".xml", ".rdf", ".rss", ".atom", ".xsl", ".xsd"},
	"text/xml":                      {".xml", ".rdf", ".rss", ".atom", ".xsl", ".xsd"},
	"text/plain":                    {".txt", ".text", ".md", ".csv", ".log"},
	"application/pdf":               {".pdf"},
	"image/gif":                     {".gif"},
	"image/jpeg":                    {".jpg", ".jpeg", ".jpe"},
	"image/png":                     {".png"},
	"image/webp":                    {".webp"},
	"image/avif":                    {".avif"},
	"image/svg+xml":                 {".svg"},
	"image/x-icon":                  {".ico"},
	"image/vnd.microsoft.icon":      {".ico"},
	"audio/mpeg":                    {".mp3"},
	"video/mp4":                     {".mp4", ".m4v"},
	"video/webm":                    {".webm"},
	"font/woff":                     {".woff"},
	"font/woff2":                    {".woff2"},
	"application/font-woff":         {".woff"},
	"font/ttf":                      {".ttf"},
	"application/zip":               {".zip"},
	"application/x-shockwave-flash": {".swf"},
}

// wanted returns the extension for a media type.
func wanted(mediaType, otherwise string) string {
	if list := endings[mediaType]; list != nil {
		return list[0]
	}
	return otherwise
}

// fits reports whether an extension may stay: it belongs to the media type; or the type is unknown,
// and the extension does not belong to a type that browsers display differently.
func fits(ending, mediaType string) bool {
	if list := endings[mediaType]; list != nil {
		return slices.Contains(list, ending)
	}
	return ending != ".html" && ending != ".htm" && ending != ".xhtml" && ending != ".svg" && ending != ".xht"
}
