// Package thumbnail makes and serves small pictures of captures: of an archived picture, and of a
// page by the picture that it declares for itself, or its first large one.
//
// The decision on access is that of holdings: a thumbnail is served only to readers who may see the
// capture, and the picture from which it is made. Files in the cache are named by digests, hold no
// rights, and can be removed at any time.
//
// Archived pictures are hostile. Their dimensions are read before their pixels; one is decoded at a
// time, within limits of memory and time, and never while a page waits.
package thumbnail
