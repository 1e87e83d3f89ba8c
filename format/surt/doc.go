// Package surt writes URLs so that they sort by host from the right (Sort-friendly URI Reordering Transform, Internet Archive), and in one
// form for all that mean the same resource to an archive: what capture indexes are sorted by.
//
//	surt.Key("http://www.Example.org:80/a/?b=2&a=1#there") // org,example)/a?a=1&b=2
package surt
