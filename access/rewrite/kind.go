package rewrite

import "quire/format/htmllink"

// Kind is the use of a URL. It is the modifier after the timestamp in a replay URL.
type Kind string

// The kinds.
const (
	Page   Kind = "mp_" // target of a link
	Frame  Kind = "if_" // a document in another: frame, iframe, object, embed
	Image  Kind = "im_" // displayed or played: images, fonts, sound, films
	Style  Kind = "cs_"
	Script Kind = "js_"
	Data   Kind = "ir_" // requested and read by scripts: unmodified, except redirects
)

// kinds maps the kinds of links in HTML to kinds of rewriting. Kinds that are not in the map are
// not rewritten. Browsers never fetch Citation, Profile and Property links, and scripts and readers
// expect their original form. Fragment links name a place in the document.
var kinds = map[htmllink.Kind]Kind{
	htmllink.Navigation: Page, htmllink.Form: Page, htmllink.Refresh: Page, htmllink.Base: Page,
	htmllink.Relation: Page, htmllink.Other: Page, htmllink.Codebase: Page, htmllink.Citation: Page,
	htmllink.Frame: Frame, htmllink.Object: Frame,
	htmllink.Image: Image, htmllink.Candidate: Image, htmllink.Media: Image, htmllink.Archive: Image,
	htmllink.CSS: Image, htmllink.Icon: Image, htmllink.Manifest: Image, htmllink.Lazy: Image, htmllink.Fragment: Image,
	htmllink.Stylesheet: Style, htmllink.Import: Style,
	htmllink.Script:  Script,
	htmllink.Preload: Page,
}

// preloads maps the value of as of a preloading link element (Fetch Standard, 2.2.7, destination).
var preloads = map[string]Kind{
	"script": Script, "worker": Script, "sharedworker": Script, "serviceworker": Script, "audioworklet": Script,
	"paintworklet": Script,
	"style":        Style, "xslt": Style,
	"image": Image, "font": Image, "audio": Image, "video": Image, "track": Image, "manifest": Image,
	"fetch": Data, "json": Data,
	"document": Page, "iframe": Frame, "frame": Frame, "object": Frame, "embed": Frame,
}

// kindOf returns the kind of a link; ok is false if it is not rewritten.
func kindOf(l *htmllink.Link) (Kind, bool) {
	if l.Kind == htmllink.Preload {
		if k, ok := preloads[l.As]; ok {
			return k, true
		}
	}
	if l.Kind == htmllink.Lazy && (l.Attribute == "data-href" || l.Attribute == "data-url") {
		return Page, true
	}
	k, ok := kinds[l.Kind]
	return k, ok
}
