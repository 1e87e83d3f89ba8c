// Package clamav has ClamAV's clamd scan the data that Quire sends it from a container. Its
// database is our own and knows only the EICAR test file.
package clamav
