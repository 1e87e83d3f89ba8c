// Package nasty has a website with everything that goes wrong on the web, served on the loopback
// interface only, and crawled by wget and HTTrack. Each URL that Quire reads from their mirrors is
// compared with the live site: its bytes, its status, its date and its grade. With QUIRE_PROVE=1,
// HTTrack crawls all of it, which takes a minute.
package nasty
