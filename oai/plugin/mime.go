package plugin

import (
	"fmt"
	"regexp"
	"strings"
)

// mediaType is a media type without parameters: RFC 6838, 4.2.
var mediaType = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}$`)

// checkPattern checks a media type. Either half may be "*". The CRATE article uses such patterns,
// although it calls them regular expressions.
func checkPattern(p string) error {
	kind, sub, _ := strings.Cut(p, "/")
	for _, half := range []*string{&kind, &sub} {
		if *half == "*" {
			*half = "x"
		}
	}
	if !mediaType.MatchString(kind + "/" + sub) {
		return fmt.Errorf("%.80q is not a pattern of media types: write image/*, */zip, text/html or */*", p)
	}
	return nil
}

// matches reports whether a pattern matches a media type. A missing type is treated as
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
