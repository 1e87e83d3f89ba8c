// Package matcher identifies formats by siegfried's signature files, with siegfried's answers, in a
// fraction of its time.
//
// It is a fork of parts of siegfried 1.11.2 (https://github.com/richardlehane/siegfried) and of
// match 1.0.5 (https://github.com/richardlehane/match), both by Richard Lehane, under the Apache
// License 2.0 (LICENSE in this folder; neither has a NOTICE). Forked are the readers of the
// signature file (internal/persist), the matchers of names, media types, containers, bytes and text
// (internal/namematcher and its neighbours), the priorities, and the results for PRONOM
// (pkg/pronom). The building of signature files, other registries, and files with several
// registries are not: Load refuses these, and preserve/identify uses siegfried itself.
//
// Differences from siegfried, all of them for speed:
//
//   - One goroutine identifies one content, without channels.
//   - Contents are slices. siegfried reads each byte by a call through an interface.
//   - siegfried follows an Aho-Corasick automaton through each byte, forwards and backwards. This
//     package tests two bytes at each offset against a bitmap, and walks a trie from the few
//     offsets that remain (searcher.go). The bitmap has the beginnings that still count: by the
//     offset, since few signatures match behind the first kilobytes; and by the matches so far,
//     since most signatures do not count any more after a match (plan.go).
//   - A search ends where no signature that counts can begin.
//
// The answers are the same: formats, their order, bases and warnings. The tests of
// preserve/identify compare both on samples and on damaged content. Comments name the places where
// this package does a thing only because siegfried does it.
package matcher
