// Package clamav lets the clamd of ClamAV, with a database of our own that knows nothing but the
// test file of EICAR, judge what Quire shows it of a container.
package clamav
