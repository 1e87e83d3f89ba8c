// Package lookup finds the capture of a page by its URL. It matches the URL as written, or in the
// form in which browsers request it, and follows captured redirects. All captures of a source are
// kept sorted on disk, so memory does not grow with their number.
//
// It never guesses: http is not https, and www.example.org is not example.org, unless a captured
// redirect leads from one to the other. For a URL without a capture, it lists similar captured
// URLs, for people to choose.
package lookup
