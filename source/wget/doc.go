// Package wget reads the output of GNU Wget: sets of WARC files (--warc-file), and mirrors (-m, -r,
// -p), with the logs of both.
//
// The sources, and the file that reads each:
//
//	warcinfo, request                 set.go        arguments, robots policy, user agent
//	metadata://gnu.org/…/wget.log     tail.go       at the end of the set, in its -meta file if split
//	the log, -o or -a                 log.go        in any language: recognised by the form of its lines
//	the log of Wget2                  wget2.go      without times; its folders of hosts have no ports
//	--rejected-log                    rejected.go   URLs not followed, with the reason
//	names of files and folders        naming.go     the URL, if no log has it
//	X.orig beside X                   backup.go     the original bytes, if -k changed the links
//
// Times in a log are on the crawler's clock, without a zone. The zone is derived from other times
// of the same moments; without such times, the log times are recorded unchanged. Each resource
// records the assumed parts of its URL.
//
// A log of Wget2 has no times. Dates come from the heads in it (-S), or else from the files.
//
// Facts about Wget come from running 1.21.3, from logs of versions since 1.8, and from its manual.
// Those about Wget2 come from running 1.99.1.
package wget
