// Package cdx has pywb read our CDXJ index. It compares the keys with pywb's, for URLs and for
// requests with a body. For a thousand URLs and dates, pywb must find the same closest capture.
// With an index that locates our copies (quire index --export), pywb must replay every capture from
// them, byte for byte.
//
//	bash interop/run cdx
package cdx
