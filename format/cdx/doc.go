// Package cdx reads and writes capture indexes, in which web archives list where each capture lies:
// classic CDX with a legend line ("CDX and DAT Legend", Internet Archive: any letters, any
// delimiter), CDX without one, CDXJ (a key, a time and a JSON object; "CDXJ", Webrecorder 0.1.0),
// and the secondary index of ZipNum.
//
// Which of these a file is shows in its first lines, and [Reader.Form] says it. A line that fits
// nothing is a fault with its place, and the lines behind it are read. Lines are never held beyond
// a bound, and the file is read once. An index that is compressed is inflated by the caller.
//
// Real indexes differ from the legend in what they call a length: see [Entry].
package cdx
