// Package identify identifies the format of a payload by the signatures of PRONOM, the technical
// registry of The National Archives (UK). A fork of siegfried's matcher does the matching
// (internal/matcher), with siegfried's signatures and answers; Quire adds limits. Siegfried itself
// matches by signature files that the fork does not read.
//
// Payloads come from the web, so any payload may be hostile. The matcher receives a bounded part of
// each payload from memory: its beginning and its end, with the true size. It never copies a stream
// to disk, and never opens an archive that would inflate without bounds (guard.go). A Window
// selects this part of a streamed payload.
//
// A result depends only on the payload, its extension and its declared type. It does not depend on
// the order of payloads, or on how many payloads are identified at once. Each combination of
// payload, extension and type is identified once, as long as the result is remembered. A Census
// counts the formats of a container during the pass.
package identify
