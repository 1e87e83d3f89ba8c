// Package lookup finds the capture of a page by its URL: as it is written or in the one form in
// which browsers ask for it, and through the redirects that were captured with it. All captures of
// a source are kept in order on the disk, so that memory does not grow with their number.
//
// Nothing is guessed: http is not https, and www.example.org is not example.org, unless a redirect
// that was captured leads from one to the other. What was captured beside a URL that was not is
// told, for people to choose.
package lookup
