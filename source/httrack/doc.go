// Package httrack reads the output of HTTrack 3.0x to 3.49: the mirror, its cache and its logs.
//
// The sources, and the file that reads each:
//
//	hts-cache/new.zip, old.zip   cachezip.go  since 3.31: original bodies of rewritten files, and response data
//	hts-cache/new.ndx, new.dat   cachedat.go  the same until 3.30
//	hts-cache/new.txt, old.txt   rows.go      a row for each requested URL
//	hts-ioinfo.txt               ioinfo.go    the headers as sent and received, with option -%H
//	hts-log.txt, hts-err.txt     messages.go  time, arguments, errors
//	hts-cache/doit.log           options.go   the arguments again
//
// In an updated mirror, old.* describes the run before and new.* the last one; the last one
// prevails.
//
// The bodies stay in their files. Memory grows with the number of URLs, about two kilobytes each.
package httrack
