// Package deflate inflates whole buffers of deflate data (RFC 1951). It is made for the small members that containers hold
// by the million: nothing is allocated, nothing is buffered in between, and most codes take one look-up.
//
//	var d deflate.Decoder                // reused; about 50 KB of tables
//	n, used, err := d.Inflate(dst, src)  // src starts with the deflate data; what follows it is left alone
//	if errors.Is(err, deflate.ErrShortOutput) {
//		// try again with a larger dst, or inflate as a stream
//	}
//
// It accepts exactly what compress/flate accepts. Time is bounded by len(dst) and len(src), whatever src holds.
package deflate
