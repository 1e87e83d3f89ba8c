// Package htmllink finds every URL in an HTML document, with the exact place of each URL. It splits
// the document into the tokens of the HTML Standard (13.2.5).
//
// The tables in attributes.go and kinds.go define the links and their [Kind]. They cover the
// attributes that hold URLs in any version of HTML since 2.0, the attributes that browsers of the
// time added, and the attributes of SVG and MathML. They also cover each candidate of srcset; meta
// refresh; properties of the Open Graph and similar vocabularies; and attributes that lazy-loading
// scripts read. Package csslink scans CSS in style elements, style attributes and presentation
// attributes of SVG. Scripts are not scanned.
//
// Some content is shown only by some browsers: conditional comments, noscript, noframes and similar
// elements, srcdoc. The package scans this content and flags its links. Other comments, and the
// text of scripts, titles and textareas, are not scanned.
//
// Bytes are not decoded: the package works with any charset in which the bytes below 0x80 mean
// ASCII. In ISO-2022-JP it skips the shifted characters. For a document that begins with the byte
// order mark of UTF-16, it returns [ErrUTF16]. It decodes character references into UTF-8, only in
// Value.
//
// [MaxTag] bounds the memory, whatever the document. Time is linear. The package does not guess: it
// reports everything that exceeds a bound through Scanner.Report.
package htmllink
