// Package machines writes the documents by which programs find the pages of an archive: feeds (Atom,
// RFC 4287, with the elements of OpenSearch 1.1), the description of its search (OpenSearch 1.1, draft
// 6), sitemaps (sitemaps.org) and robots.txt (RFC 9309).
//
// Texts may be from archived content: feeds have them as plain text, so no markup of theirs is
// interpreted, and without the characters that XML 1.0 forbids.
package machines
