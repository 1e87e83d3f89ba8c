// Package csslink finds the URLs in CSS, by the tokens of CSS Syntax Module Level 3, with the exact
// place of each.
//
// A link is what stands in url() and src(); the string of an @import; the strings in image-set()
// and image() (CSS Images 4); and the src of Microsoft's AlphaImageLoader, which pages of ten years
// are full of. The URLs of @namespace and @document are names and patterns that nobody fetches:
// they are none.
//
// Bytes are not decoded: any charset works in which the bytes below 0x80 mean ASCII. In Shift_JIS,
// Big5 and GBK the second byte of a character can be a backslash: Raw and the offsets are right
// there too, Value may not be. Memory is the window, and one URL of at most [MaxValue] bytes; time
// is linear.
package csslink
