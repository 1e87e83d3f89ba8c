// Package gzipmember reads and writes gzip files member by member (RFC 1952), knowing the exact
// place of each member in the file. Web-archive containers are written so: one member per record
// (ISO 28500:2017, Annex D), which lets a reader start at any record.
//
// Unlike compress/gzip it never runs two members together, reports every oddity of a header or
// trailer as a fault, and can find the next member after one that is damaged.
package gzipmember
