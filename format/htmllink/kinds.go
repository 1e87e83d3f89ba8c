package htmllink

// Kind is the purpose of a URL.
type Kind uint8

// The kinds.
const (
	Navigation Kind = iota + 1 // followed by a click: a, area
	Frame                      // an embedded document: frame, iframe
	Image                      // img, input, background, poster, lowsrc, SVG's image and use
	Candidate                  // one URL of a srcset
	Media                      // audio, video, source, track, bgsound
	Object                     // object, embed, and parameters of objects that name a file
	Archive                    // one of an applet's archives
	Script                     // script
	Stylesheet                 // link rel=stylesheet
	CSS                        // url() in CSS, and other resources named there
	Import                     // @import in CSS
	Icon                       // link rel=icon and similar
	Manifest                   // of an application cache or a web application
	Preload                    // may be fetched early: preload, modulepreload, prefetch, preconnect
	Relation                   // any other link: canonical, alternate, next
	Form                       // the target of a form
	Refresh                    // meta refresh
	Base                       // base href: not fetched, but all relative URLs depend on it
	Codebase                   // the same for an object's own URLs
	Ping                       // notified of a click
	Citation                   // cite, longdesc
	Fragment                   // a place in a document: usemap, the gradients of SVG
	Profile                    // names a vocabulary: head profile
	Property                   // a URL in the content of a meta element, such as og:image
	Lazy                       // moved to src or srcset by a script
	Guard                      // not a URL, but governs its use: integrity, target, http-equiv; with Options.Guards
	Inline                     // not a URL: the text of a script; with Options.Scripts
	Handler                    // not a URL: the script of an event; with Options.Scripts
	Document                   // not a URL: the document in a srcdoc; with Options.Documents
	Other                      // src, href and similar on an element without them in any standard
)

var kindNames = [...]string{
	Navigation: "navigation", Frame: "frame", Image: "image", Candidate: "candidate", Media: "media", Object: "object",
	Archive: "archive", Script: "script", Stylesheet: "stylesheet", CSS: "css", Import: "import", Icon: "icon",
	Manifest: "manifest", Preload: "preload", Relation: "relation", Form: "form", Refresh: "refresh", Base: "base",
	Codebase: "codebase", Ping: "ping", Citation: "citation", Fragment: "fragment", Profile: "profile",
	Property: "property",
	Lazy:     "lazy", Guard: "guard", Inline: "inline", Handler: "handler",
	Document: "document", Other: "other",
}

// String returns the name of the kind, in lower case.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return ""
}

// bySource is the purpose of src, by element.
var bySource = map[string]Kind{
	"img": Image, "image": Image, "input": Image, "amp-img": Image,
	"script": Script,
	"frame":  Frame, "iframe": Frame, "layer": Frame, "ilayer": Frame, "portal": Frame, "fencedframe": Frame,
	"audio": Media, "video": Media, "source": Media, "track": Media, "bgsound": Media,
	"embed": Object,
}

// byHref is the purpose of href, by element; for link it depends on rel.
var byHref = map[string]Kind{
	"a": Navigation, "area": Navigation,
	"base":  Base,
	"image": Image, "feimage": Image, "use": Image, // SVG 2, 16.1.6
	"script":         Script,
	"textpath":       Fragment,
	"mpath":          Fragment,
	"lineargradient": Fragment, "radialgradient": Fragment, "pattern": Fragment, "filter": Fragment,
	"animate": Fragment, "animatemotion": Fragment, "animatetransform": Fragment, "set": Fragment,
	"?xml-stylesheet": Stylesheet,
}

// byRel is the purpose of a link, by the words of its rel. The first known word decides, so
// "alternate stylesheet" is a style sheet.
var byRel = map[string]Kind{
	"stylesheet": Stylesheet,
	"icon":       Icon, "apple-touch-icon": Icon, "apple-touch-icon-precomposed": Icon,
	"apple-touch-startup-image": Icon,
	"mask-icon":                 Icon, "fluid-icon": Icon, "image_src": Icon,
	"manifest": Manifest,
	"preload":  Preload, "modulepreload": Preload, "prefetch": Preload, "prerender": Preload, "dns-prefetch": Preload,
	"preconnect": Preload, "subresource": Preload,
}

// properties are the names of meta elements (name, property, itemprop) whose content is a URL.
var properties = setOf("og:image", "og:image:url", "og:image:secure_url", "og:url", "og:video", "og:video:url",
	"og:video:secure_url",
	"og:audio", "og:audio:url", "og:audio:secure_url", "twitter:image", "twitter:image:src", "twitter:url",
	"twitter:player",
	"twitter:player:stream", "msapplication-tileimage", "msapplication-square70x70logo",
	"msapplication-square150x150logo",
	"msapplication-wide310x150logo", "msapplication-square310x310logo", "msapplication-config",
	"msapplication-starturl",
	"image", "url", "thumbnail", "thumbnailurl", "contenturl", "embedurl", "logo", "identifier-url",
	"sailthru.image.full",
	"sailthru.image.thumb")

// parameters are the names of param elements whose value is a URL.
var parameters = setOf("movie", "src", "url", "filename", "data", "href")

func setOf(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, n := range names {
		set[n] = true
	}
	return set
}
