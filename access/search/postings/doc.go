// Package postings reads the lists of SQLite's FTS5: the rows that contain a word, and its
// positions in them.
//
// FTS5 itself returns matches row by row through SQLite, takes twice the time for phrases, and
// discards its counts. Ranking then costs as much again, or more. The stored lists contain all this
// information at once.
//
// The comment at the head of fts5_index.c describes the format of the lists ("Overview", SQLite
// 3.43 and later). FTS5 does not change the format, because it must read older files. Any other
// format is an error. The tests compare the results with the results of FTS5.
package postings
