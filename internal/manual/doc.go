// Package manual makes man pages and shell completion of the grammar of a command line, as kong has
// it.
package manual
