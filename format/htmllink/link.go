package htmllink

import (
	"errors"

	"quire/format/csslink"
	"quire/format/fault"
)

// The bounds of what is kept.
const (
	MaxValue      = csslink.MaxValue // bytes of an attribute's value; of a longer one there is only the beginning
	MaxTag        = 4 << 20          // bytes of a tag whose links are told
	MaxAttributes = 256              // attributes of a tag that are looked at
	MaxComment    = 8 << 10          // bytes of a comment that Scanner.Comment is told of
	maxValues     = 1 << 20          // bytes of the values of one tag, together
	maxDepth      = 4                // scanners in scanners: a noscript in a conditional comment is two
)

// ErrUTF16 says that a document begins with the byte order mark of UTF-16, whose bytes are not
// scanned.
var ErrUTF16 = errors.New("UTF-16 is not scanned")

// What is told through Scanner.Report. That a document is not valid HTML is none of it: only what
// keeps links from being found.
const (
	// TagUnclosed: the document ends within a tag, which then is none (HTML, 13.2.5, eof-in-tag). A
	// quote that is not closed has this effect.
	TagUnclosed fault.Code = "HTML-TAG-UNCLOSED"
	// CommentUnclosed: the document ends within a comment (eof-in-comment).
	CommentUnclosed fault.Code = "HTML-COMMENT-UNCLOSED"
	// TextUnclosed: the document ends within a script, style, title, textarea or the like.
	TextUnclosed fault.Code = "HTML-TEXT-UNCLOSED"
	// TagTooLong: a tag is longer than MaxTag. Its links are not told.
	TagTooLong fault.Code = "HTML-TAG-TOO-LONG"
	// ValueTooLong: the value of an attribute is longer than MaxValue. It is told as one link, cut;
	// lists and CSS in it are not read.
	ValueTooLong fault.Code = "HTML-VALUE-TOO-LONG"
	// TooManyAttributes: a tag has more than MaxAttributes that could be links. The others are not
	// told.
	TooManyAttributes fault.Code = "HTML-TOO-MANY-ATTRIBUTES"
	// TooDeep: documents in documents in documents. The innermost is not scanned.
	TooDeep fault.Code = "HTML-TOO-DEEP"
)

// Flags say under which circumstances a link is one.
type Flags uint8

// The flags.
const (
	Duplicate   Flags = 1 << iota // the tag has this attribute twice, and this is not the first, which alone counts
	Conditional                   // in a conditional comment, for Internet Explorer
	// in noscript, noframes, noembed or iframe: for browsers that cannot or may not do better
	Fallback
	Srcdoc // in the document that is the srcdoc of an iframe
	Cut    // the value is longer than MaxValue: Raw and Value are only its beginning
)

// Link is one URL in a document.
type Link struct {
	Kind             Kind
	Flags            Flags
	Element          string // in lower case
	Attribute        string // in lower case; "" for CSS in the text of a style element
	As               string // of a preload: what it is fetched as, in lower case
	Start, End       int64  // of the URL's text: without quotes, and alone where a value holds more
	Named            int64  // where the name of the attribute begins; of no meaning where that is ""
	TagStart, TagEnd int64  // of the start tag of the element, from < to behind >
	Quote            byte   // around the value: " or ', 0 for none
	Raw              []byte // the bytes from Start to End; valid until the next call of Next
	// the URL: references and escapes decoded, white space stripped as the URL Standard says; valid
	// as long
	Value []byte

	syntax syntax        // of the value around the URL
	css    *csslink.Link // the place in the CSS
	outer  byte          // quote around the srcdoc
}

// syntax is what a URL is written in, within its attribute.
type syntax uint8

const (
	alone   syntax = iota
	inSet          // srcset: white space and commas end it
	inList         // white space ends it
	inPlus         // white space and commas end it: the archives of an applet
	inTimer        // meta refresh
	inCSS
)
