// Package htmllink finds every URL in an HTML document, by the tokens of the HTML Standard
// (13.2.5), with the exact place of each.
//
// What counts as a link, and as which [Kind], stands in the tables of attributes.go and kinds.go:
// the attributes that hold URLs in any version of HTML since 2.0, those that browsers of the time
// added, SVG's and MathML's; candidates of srcset, one by one; meta refresh; properties of the Open
// Graph and its like; what lazy loading scripts read; and CSS in style elements, style attributes
// and presentation attributes of SVG, through package csslink. Scripts are not read.
//
// What a browser may or may not show is scanned, and flagged: conditional comments, noscript,
// noframes and the like, srcdoc. Other comments, and the text of scripts, titles and textareas, are
// not.
//
// Bytes are not decoded: any charset works in which the bytes below 0x80 mean ASCII; of ISO-2022-JP
// the shifted characters are stepped over. A document that begins with the byte order mark of
// UTF-16 gives [ErrUTF16]. Character references are decoded into UTF-8, in Value only.
//
// Memory is bounded by [MaxTag], whatever the document; time is linear. Nothing is guessed: what
// exceeds a bound is told through Scanner.Report.
package htmllink
