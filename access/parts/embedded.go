package parts

import (
	"bytes"
	"io"
	"slices"

	"quire/format/htmllink"
	"quire/format/weburl"
)

// MaxParts limits the parts of a page.
const MaxParts = 300

// MaxPage limits the bytes read of a page.
const MaxPage = 2 << 20

// embeds are the kinds of links that a browser loads automatically to show a page.
var embeds = map[htmllink.Kind]bool{
	htmllink.Frame: true, htmllink.Image: true, htmllink.Candidate: true, htmllink.Media: true, htmllink.Object: true,
	htmllink.Script:     true,
	htmllink.Stylesheet: true, htmllink.CSS: true, htmllink.Import: true, htmllink.Icon: true,
}

// Embedded returns the URLs embedded in a page, sorted and unique. more reports that there are more
// than MaxParts, or that the markup could not be read to its end. at is the URL of the page.
func Embedded(page []byte, at string) (all []string, more bool) {
	kinds, more := embeddedKinds(page, at)
	for u := range kinds {
		all = append(all, u)
	}
	slices.Sort(all)
	if len(all) > MaxParts {
		all, more = all[:MaxParts], true
	}
	return all, more
}

// embeddedKinds returns the URLs embedded in a page, each with the kind of its first link. more
// reports that the markup could not be read to its end.
func embeddedKinds(page []byte, at string) (seen map[string]htmllink.Kind, more bool) {
	base, err := weburl.Parse(at, nil, nil)
	if err != nil {
		return nil, false
	}
	seen = map[string]htmllink.Kind{}
	s := htmllink.NewScanner(bytes.NewReader(page), htmllink.Options{})
	for based := false; ; {
		l, err := s.Next()
		if err != nil { // the end, or markup that browsers cannot read either
			if err != io.EOF { //nolint:errorlint // NewScanner's reader is in memory: io.EOF comes as it is
				more = true
			}
			break
		}
		u, err := weburl.Parse(string(l.Value), base, nil)
		if err != nil {
			continue
		}
		if l.Kind == htmllink.Base && !based {
			base, based = u, true
			continue
		}
		if embeds[l.Kind] && (u.Scheme == "http" || u.Scheme == "https") {
			if _, known := seen[u.Resource()]; !known {
				seen[u.Resource()] = l.Kind
			}
		}
	}
	return seen, more
}
