// Package mods writes and reads MODS 3.8 (Metadata Object Description Schema, Library of Congress),
// as far as a website is described with it: the fourteen elements of OCLC's descriptive metadata
// for web archives have their place.
//
// MODS leaves the order of its top elements free. They are written in one order, and read in any.
package mods
