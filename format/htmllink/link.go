package htmllink

import (
	"errors"

	"quire/format/csslink"
	"quire/format/fault"
)

// The bounds on the data kept.
const (
	MaxValue      = csslink.MaxValue // bytes of an attribute's value; a longer value is cut
	MaxTag        = 4 << 20          // bytes of a tag with links; longer tags are skipped
	MaxInline     = 1 << 20          // bytes of the text of a script in a link of kind Inline
	MaxAttributes = 256              // attributes of a tag that are examined
	MaxComment    = 8 << 10          // bytes of a comment that Scanner.Comment receives
	maxValues     = 1 << 20          // bytes of all values of one tag
	maxDepth      = 4                // nested scanners: a noscript in a conditional comment is two
)

// ErrUTF16 means that a document begins with the byte order mark of UTF-16. UTF-16 is not scanned.
var ErrUTF16 = errors.New("UTF-16 is not scanned")

// Scanner.Report receives these faults. They are not about invalid HTML, only about input that
// keeps links from being found.
const (
	// TagUnclosed: the document ends within a tag, so the tag does not count (HTML, 13.2.5,
	// eof-in-tag). An unclosed quote has this effect.
	TagUnclosed fault.Code = "HTML-TAG-UNCLOSED"
	// CommentUnclosed: the document ends within a comment (eof-in-comment).
	CommentUnclosed fault.Code = "HTML-COMMENT-UNCLOSED"
	// TextUnclosed: the document ends within a script, style, title, textarea or similar element.
	TextUnclosed fault.Code = "HTML-TEXT-UNCLOSED"
	// TagTooLong: a tag is longer than MaxTag. Its links are not returned.
	TagTooLong fault.Code = "HTML-TAG-TOO-LONG"
	// ValueTooLong: the value of an attribute is longer than MaxValue. It is returned as one cut
	// link; lists and CSS in it are not scanned.
	ValueTooLong fault.Code = "HTML-VALUE-TOO-LONG"
	// TooManyAttributes: a tag has more than MaxAttributes that could be links. The others are not
	// returned.
	TooManyAttributes fault.Code = "HTML-TOO-MANY-ATTRIBUTES"
	// TooDeep: documents are nested too deeply. The innermost is not scanned.
	TooDeep fault.Code = "HTML-TOO-DEEP"
)

// Flags are the circumstances of a link.
type Flags uint8

// The flags.
const (
	Duplicate   Flags = 1 << iota // a repeated attribute of the tag; browsers use only the first
	Conditional                   // in a conditional comment, for Internet Explorer
	// in noscript, noframes, noembed or iframe: for browsers without the feature
	Fallback
	Srcdoc // in the srcdoc of an iframe
	Cut    // the value is longer than MaxValue: Raw and Value are its beginning
	// its rel has nofollow; only with Options.NoFollow
	NoFollow
	// the frame of a srcdoc has a sandbox without allow-same-origin; only with Options.Documents
	Sandboxed
)

// Link is one URL in a document.
type Link struct {
	Kind             Kind
	Flags            Flags
	Element          string // in lower case
	Attribute        string // in lower case; "" for CSS in the text of a style element
	As               string // of a preload: its destination, in lower case
	Start, End       int64  // of the URL's text: without quotes and other parts of the value
	Named            int64  // where the name of the attribute begins; unused if Attribute is ""
	TagStart, TagEnd int64  // of the start tag of the element, from < to after >
	Foreign          bool   // of kind Inline: the script is of SVG, so its text has references and CDATA sections
	Quote            byte   // around the value: " or ', 0 for none
	Raw              []byte // the bytes from Start to End; valid until the next call of Next
	// the URL: references and escapes decoded, white space stripped by the URL Standard; valid as
	// long as Raw
	Value []byte

	syntax syntax        // of the value around the URL
	css    *csslink.Link // the place in the CSS
	outer  byte          // quote around the srcdoc
}

// syntax is the syntax of an attribute's value around a URL.
type syntax uint8

const (
	alone   syntax = iota
	inSet          // srcset: white space and commas end it
	inList         // white space ends it
	inPlus         // white space and commas end it: the archives of an applet
	inTimer        // meta refresh
	inCSS
)
