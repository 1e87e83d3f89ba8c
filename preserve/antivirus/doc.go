// Package antivirus finds viruses in payloads and has them cleaned.
//
// A Scanner asks clamd, the daemon of ClamAV. Content is streamed to it as it goes by (INSTREAM,
// see clamd(8)), over a local socket or TCP; nothing is written to disk, and at most a quarter of a
// megabyte of a payload is held. Only a whole answer to a whole stream is believed: otherwise a
// payload is not scanned, and the verdict says so.
//
// A Cleaner has an external program make, of infected bytestreams, others that are not infected.
// Each becomes a conversion record (ISO 28500:2017, 6.7) in a WARC of its own, which refers to the
// infected record; that one stays as it was received. The program does not decide whether its
// output is clean: the WARC is to be scanned like any other.
package antivirus
