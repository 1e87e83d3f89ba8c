// Package feeds reads the feeds of quire serve with Python's feedparser, and its robots.txt with the parser of Python's
// own library.
//
//	bash interop/run feeds
package feeds
