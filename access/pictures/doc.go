// Package pictures finds archived images by the words around them, and by size, colour and date.
//
// The words come from the address of an image, and from the pages that show it: its alt text, title,
// caption and the text beside it. Words of a page find an image only for readers who may see both
// (docs/reference/560_search.md#images). The index is one SQLite file, beside the index of texts. It
// holds no rights, and can be removed at any time.
package pictures
