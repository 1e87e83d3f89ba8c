// Package antivirus finds viruses in payloads and cleans them with an external program.
//
// A Scanner sends content to clamd, the daemon of ClamAV. It streams the content during the pass
// (INSTREAM, see clamd(8)), over a local socket or TCP. It writes nothing to disk, and holds at
// most a quarter of a megabyte of a payload. The verdict is valid only if clamd sends a complete
// answer to a complete stream. Otherwise the verdict is that the payload was not scanned.
//
// A Cleaner runs an external program that makes clean bytestreams from infected bytestreams. Each
// clean bytestream becomes a conversion record (ISO 28500:2017, 6.7) in a separate WARC. This
// record refers to the infected record, which stays unchanged. The program does not decide whether
// its output is clean: the separate WARC must be scanned like any other WARC.
package antivirus
