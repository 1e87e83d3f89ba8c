// Package mirror turns what crawlers saved as files (HTTrack, wget, PANDAS, a plain folder) into
// WARC 1.1 (ISO 28500:2017).
//
// Nothing is invented: what nobody kept of an answer (its head, its date, its bytes) is not in the
// WARC, or is marked as made. Which records there are for what, and what their fields say, is told
// in docs/reference/430_mirrors.md; why, in docs/explanation/decisions/0009-mirrors-become-warc.md.
package mirror
