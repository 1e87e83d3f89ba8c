// Package wacz reads the parts of a WACZ, a zipped web archive collection, and checks its own
// description. It knows versions 1.0 and 1.1.1 (https://specs.webrecorder.net/wacz/1.1.1/), the
// draft of 1.2.0, packages of packages (multi-wacz 0.1.0), and signatures (wacz-auth 0.1.0). It
// also accepts the deviations of real tools. It does not open zips: it works with any store that
// returns files by path.
//
// A check has steps, each with a verdict, possibly "not checked". The value of a signature depends
// on the steps that passed. Certificates are checked at the time of the signature, never now, so a
// verdict does not change with time.
package wacz
