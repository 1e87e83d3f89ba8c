// Package plain reads a folder of website files without crawler records: a webmaster's delivery,
// pages saved by hand, or the remains of a mirror without its logs.
//
// Only the user can supply the URL of a file: it is the prefix plus the file's path. A page named
// like a start page (index.html) is assumed to be the page of its folder; each such resource
// records this. The time is the mtime of the file. The server's media type is unknown; the one
// derived from the name is marked as assumed.
package plain
