// Package htmllink finds every URL in an HTML document, by the tokens of the HTML Standard
// (13.2.5), with the exact place of each.
//
// The tables in attributes.go and kinds.go define the links and their [Kind]. They cover the
// attributes that hold URLs in any version of HTML since 2.0, those that browsers of the time
// added, and those of SVG and MathML. They also cover the candidates of srcset, one by one; meta
// refresh; properties of the Open Graph and similar vocabularies; and attributes that lazy-loading
// scripts read. Package csslink scans CSS in style elements, style attributes and presentation
// attributes of SVG. Scripts are not scanned.
//
// Content that only some browsers show is scanned, and its links are flagged: conditional comments,
// noscript, noframes and similar elements, srcdoc. Other comments, and the text of scripts, titles
// and textareas, are not scanned.
//
// Bytes are not decoded: the package works with any charset in which the bytes below 0x80 mean
// ASCII. In ISO-2022-JP it skips the shifted characters. A document that begins with the byte order
// mark of UTF-16 returns [ErrUTF16]. Character references are decoded into UTF-8, only in Value.
//
// Memory is bounded by [MaxTag], whatever the document; time is linear. The package does not guess:
// it reports everything that exceeds a bound through Scanner.Report.
package htmllink
