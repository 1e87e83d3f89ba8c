package plugin

import (
	"fmt"
	"regexp"
	"strings"
)

// mediaType is a media type without parameters: RFC 6838, 4.2.
var mediaType = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}$`)

// checkPattern takes a media type, either half of which may be "*". In the CRATE article patterns
// are such, although it calls them regular expressions.
func checkPattern(p string) error {
	kind, sub, _ := strings.Cut(p, "/")
	for _, half := range []*string{&kind, &sub} {
		if *half == "*" {
			*half = "x"
		}
	}
	if !mediaType.MatchString(kind + "/" + sub) {
		return fmt.Errorf("%.80q is no pattern of media types: write image/*, */zip, text/html or */*", p)
	}
	return nil
}

// matches says whether one of the patterns is that of a media type. What has none is
// application/octet-stream.
func matches(patterns []string, media string) bool {
	if !mediaType.MatchString(media) {
		media = "application/octet-stream"
	}
	kind, sub, _ := strings.Cut(media, "/")
	for _, p := range patterns {
		k, s, _ := strings.Cut(p, "/")
		if (k == "*" || strings.EqualFold(k, kind)) && (s == "*" || strings.EqualFold(s, sub)) {
			return true
		}
	}
	return false
}
