// Package wacz reads the parts of a WACZ, a web archive collection zipped, and checks what it says
// of itself: versions 1.0 and 1.1.1 (https://specs.webrecorder.net/wacz/1.1.1/), the draft of
// 1.2.0, packages of packages (multi-wacz 0.1.0), and signatures (wacz-auth 0.1.0), with what real
// tools write otherwise. It does not open zips: whatever can give files by their path will do.
//
// A check has steps, each with its verdict, and "not checked" is one of them: what a signature is
// worth depends on which of them passed. The time at which a certificate counts is that of the
// signature, never now, so that a verdict does not age.
package wacz
