// Package cdx reads and writes capture indexes, in which web archives list the place of each
// capture. It knows four forms: classic CDX with a legend line ("CDX and DAT Legend", Internet
// Archive: any letters, any delimiter); CDX without one; CDXJ (a key, a time and a JSON object;
// "CDXJ", Webrecorder 0.1.0); and the secondary index of ZipNum.
//
// The first lines of a file show its form; [Reader.Form] returns it. A line that fits no form is a
// fault with its place, and the reader continues with the next line. Lines are never held beyond a
// bound, and the file is read once. The caller must inflate a compressed index.
//
// Real indexes differ from the legend in the meaning of the length: see [Entry].
package cdx
