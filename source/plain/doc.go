// Package plain reads a folder of files that is a website, and that no crawler explains: what a
// webmaster handed over, what was saved by hand, what is left of a mirror without its logs.
//
// Nothing tells the URL of a file but the user: it is the prefix and the file's path. A page with
// the name of a start page (index.html) stands for its folder, which is assumed, and said of each.
// The time is that of the file. Which media type a server would have declared, nobody knows; the
// one that the name suggests is told as such.
package plain
