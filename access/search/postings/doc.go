// Package postings reads the lists of SQLite's FTS5: the rows that contain a word, and its
// positions in them.
//
// FTS5 itself returns matches row by row through SQLite, takes twice the time for phrases, and
// discards its counts: ranking costs as much again, or more. The stored lists contain all of this
// at once. The comment at the head of fts5_index.c describes their format ("Overview", SQLite 3.43
// and later); FTS5 keeps it to read older files. Any other format is an error. The tests compare
// the results with those of FTS5.
package postings
