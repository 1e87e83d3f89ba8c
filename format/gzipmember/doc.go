// Package gzipmember reads and writes gzip files member by member (RFC 1952) and reports the exact
// place of each member. Web-archive containers have one member per record (ISO 28500:2017, Annex
// D), so a reader can start at any record.
//
// Unlike compress/gzip it never joins two members, reports every irregular header or trailer as a
// fault, and can find the next member after a damaged one.
package gzipmember
