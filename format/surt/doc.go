// Package surt writes URLs so that they sort by host from the right (Sort-friendly URI Reordering
// Transform, Internet Archive), and in one form for all that mean the same resource to an archive:
// what capture indexes are sorted by.
//
// The rules are those of the canonicalizer that Wayback, pywb and OutbackCDX have by default: what
// it does to a URL is in Key, step by step. They throw much away (the scheme, www, the case of a
// path), so that one key may stand for what a server told apart.
//
// Any text has a key, and none makes it slow: the time is linear in its length. A key has no byte
// below "!" and none above "~".
package surt
