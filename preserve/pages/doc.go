// Package pages reads web pages as they were served: what a page declares of itself, and its
// hyperlinks, each with the bytes of its start tag. A page is written to it piece by piece, while
// it goes by.
//
// What a page declares is what the makers of the page said, or their software did. It is never a
// curator's word, and says from which place in the page it is.
//
// Values are decoded from the page's own encoding, then their character references, once. What does
// not decode stands as its bytes, its references undecoded. docs/reference/440_links.md has the
// rules, docs/reference/340_describe.md the bounds.
//
// Memory is bounded, whatever the page: by htmllink.MaxTag, and by the bounds here.
package pages
