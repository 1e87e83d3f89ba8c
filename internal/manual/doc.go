// Package manual generates man pages and shell completion from a kong command line.
package manual
