// Package surt converts URLs to sort keys that begin with the reversed host (Sort-friendly URI
// Reordering Transform, Internet Archive). All URLs that mean the same resource to an archive get
// one key. Capture indexes are sorted by these keys.
//
// The rules are those of the canonicalizer that Wayback, pywb and OutbackCDX use by default. Key
// lists them step by step. They discard much (the scheme, www, the case of a path), so one key can
// cover URLs that a server distinguishes.
//
// Every text has a key, computed in linear time. A key has no byte below "!" and none above "~".
package surt
