// Package csslink finds the URLs in CSS, by the tokens of CSS Syntax Module Level 3, with the exact
// place of each.
//
// Links are the values of url() and src(), the string of an @import, the strings in image-set() and
// image() (CSS Images 4), and the src of Microsoft's AlphaImageLoader, which is common in pages of
// ten years. URLs in @namespace and @document are names and patterns that browsers never fetch, so
// they are not links.
//
// Bytes are not decoded: the package works with any charset in which the bytes below 0x80 mean
// ASCII. In Shift_JIS, Big5 and GBK the second byte of a character can be a backslash. There Raw
// and the offsets are still right, but Value may be wrong. Memory is the window and one URL of at
// most [MaxValue] bytes; time is linear.
package csslink
