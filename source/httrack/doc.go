// Package httrack reads what HTTrack 3.0x to 3.49 leaves: the mirror, its cache and its logs.
//
// The witnesses, and where each is read:
//
//	hts-cache/new.zip, old.zip   cachezip.go  since 3.31: a body where HTTrack rewrote the file, and what it knew of the answer
//	hts-cache/new.ndx, new.dat   cachedat.go  the same until 3.30
//	hts-cache/new.txt, old.txt   rows.go      a row for each URL that was asked for
//	hts-ioinfo.txt               ioinfo.go    the headers as they went over the wire, with option -%H
//	hts-log.txt, hts-err.txt     messages.go  when, with which arguments, and what went wrong
//	hts-cache/doit.log           options.go   the arguments again
//
// Of a mirror that was updated, old.* tells of the run before and new.* of the last one; what the
// last one says counts.
//
// The bodies stay where they are. Memory grows with the number of URLs, about two kilobytes each.
package httrack
