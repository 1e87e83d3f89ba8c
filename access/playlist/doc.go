// Package playlist reads the playlists of films in pieces, so that an archive offers only the
// variants that it has: HLS (RFC 8216) and DASH (ISO/IEC 23009-1). A crawler mostly captures one
// variant, and a player chooses by its own rules (docs/reference/550_rewriting.md).
//
// All other bytes stay as captured. A playlist that cannot be understood stays as it is.
package playlist
