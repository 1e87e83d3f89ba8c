// Package deflate inflates deflate data (RFC 1951), whole or as it comes. It is made for the small
// members that containers hold by the million: nothing is allocated, nothing is buffered in
// between, and most codes take one look-up.
//
// Data of any length is inflated in place, too, behind what it may refer to ([Decoder.Continue]).
//
// It accepts exactly what compress/flate accepts. Time is bounded by len(dst) and len(src),
// whatever src holds.
package deflate
