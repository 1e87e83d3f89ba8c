// Package postings reads the lists that SQLite's FTS5 keeps: of each word, in which rows it is and
// where in them.
//
// FTS5 itself gives matches row by row through SQLite, phrases at the double of the time, and
// forgets what it has counted: to weigh them costs as much again, or more. The lists as they stand
// on the disk tell all of it at once. Their format is that of the comment at the head of
// fts5_index.c ("Overview", SQLite 3.43 and later), which FTS5 keeps so that older files can be
// read. What cannot be read as this format is an error. The tests compare with what FTS5 answers.
package postings
