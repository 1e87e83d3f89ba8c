// Package mods writes and reads MODS 3.8 (Metadata Object Description Schema, Library of Congress),
// for the elements that describe websites. It covers the fourteen elements of OCLC's descriptive
// metadata for web archives.
//
// MODS allows its top elements in any order. They are written in one order, and read in any.
package mods
