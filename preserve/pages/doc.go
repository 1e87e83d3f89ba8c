// Package pages reads web pages as they were served: the metadata that a page declares, and its
// hyperlinks, each with the bytes of its start tag. A page is written to it piece by piece during
// the pass.
//
// The declared metadata comes from the makers of the page, or from their software, never from a
// curator. It includes its source within the page.
//
// Values are decoded from the page's own encoding; then their character references are resolved
// once. A value that cannot be decoded stays as bytes, with its references unresolved.
// docs/reference/440_links.md has the rules, docs/reference/340_describe.md the limits.
//
// Memory is bounded for every page: by htmllink.MaxTag, and by the limits here.
package pages
