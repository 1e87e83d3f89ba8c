// Package deflate inflates deflate data (RFC 1951), whole or as it comes. It is made for the small members that containers
// hold by the million: nothing is allocated, nothing is buffered in between, and most codes take one look-up.
//
//	var d deflate.Decoder                // reused; about 50 KB of tables
//	n, used, err := d.Inflate(dst, src)  // src starts with the deflate data; what follows it is left alone
//
// Data of any length is inflated in place, too, behind what it may refer to:
//
//	d.Start()
//	n, used, err := d.Continue(dst, at, src)   // into dst[at:]
//	errors.Is(err, deflate.ErrShortOutput)     // go on with room behind the last Window bytes
//	errors.Is(err, deflate.ErrTruncated)       // go on with more of the data, from src[used] on
//
// It accepts exactly what compress/flate accepts. Time is bounded by len(dst) and len(src), whatever src holds.
package deflate
