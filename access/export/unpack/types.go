package unpack

import "slices"

// endings are what a media type's files are called: the first is given, the others are left as they
// are. Without the right one a browser that opens a file from the disk does not know what it is.
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

// wanted gives the ending for a media type.
func wanted(mediaType, otherwise string) string {
	if list := endings[mediaType]; list != nil {
		return list[0]
	}
	return otherwise
}

// fits says whether an ending may stay: it is one of the media type, or nothing is known of that
// and it is not one of another type that browsers show otherwise.
func fits(ending, mediaType string) bool {
	if list := endings[mediaType]; list != nil {
		return slices.Contains(list, ending)
	}
	return ending != ".html" && ending != ".htm" && ending != ".xhtml" && ending != ".svg" && ending != ".xht"
}
