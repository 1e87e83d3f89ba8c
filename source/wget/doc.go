// Package wget reads what GNU Wget leaves: sets of WARC files (--warc-file), and mirrors (-m, -r,
// -p), with the logs of both.
//
// The witnesses, and where each is read:
//
//	warcinfo, request                 set.go        arguments, robots policy, user agent
//	metadata://gnu.org/…/wget.log     tail.go       at the end of the set, in its -meta file when it is split
//	the log, -o or -a                 log.go        in any language: what the lines look like counts, not the words
//	--rejected-log                    rejected.go   what was not followed, and why
//	names of files and folders        naming.go     the URL, where no log tells it
//	X.orig beside X                   backup.go     the bytes as they came, where -k changed the links
//
// Times in a log are on the crawler's clock, without a zone. It is concluded from other times of
// the same moments, and where there are none the times are told as they stand. What of a URL is
// assumed is said of each.
//
// Facts about Wget are from running 1.21.3, from logs of versions since 1.8, and from its manual.
package wget
