// Package antivirus finds viruses in payloads and cleans them with an external program.
//
// A Scanner sends content to clamd, the daemon of ClamAV. It streams the content during the pass
// (INSTREAM, see clamd(8)), over a local socket or TCP. It writes nothing to disk, and holds at
// most a quarter of a megabyte of a payload. Only a complete answer to a complete stream counts:
// otherwise the verdict is that the payload was not scanned.
//
// A Cleaner runs an external program that makes clean bytestreams from infected ones. Each becomes
// a conversion record (ISO 28500:2017, 6.7) in a separate WARC, and refers to the infected record,
// which stays unchanged. The program does not decide whether its output is clean: this WARC must be
// scanned like any other.
package antivirus
