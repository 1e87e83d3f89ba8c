// Package identify says which format a payload is in, by the signatures of PRONOM, the technical
// registry of The National Archives (UK). The matching is siegfried's; what Quire adds are bounds.
//
// Payloads come from the web, so all of them are hostile until shown otherwise. Siegfried is given
// a bounded part of each, from memory: its beginning and its end, with the true size. It never
// copies a stream to disk, and never looks into an archive that would inflate without bounds
// (guard.go). A Window picks that part out of a payload that streams by.
//
// A result depends on nothing but the payload, its extension and its declared type: not on the
// order in which payloads come, nor on how many are identified at once. Each such combination is
// identified once, as long as it is remembered. A Census counts the formats of a container while
// its payloads go by.
package identify
