// Package deflate inflates deflate data (RFC 1951), whole or in pieces. It is optimized for the
// small members that containers hold by the million: it allocates nothing, buffers nothing in
// between, and decodes most codes with one look-up.
//
// Data of any length can also be inflated in place, behind the bytes that it may refer to
// ([Decoder.Continue]).
//
// It accepts exactly the data that compress/flate accepts. Time is bounded by len(dst) and
// len(src), whatever src holds.
package deflate
