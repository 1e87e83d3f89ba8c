// Package postings reads the lists that SQLite's FTS5 keeps: of each word, in which rows it is and where in them.
//
//	v, err := postings.Open(ctx, tx, "words")
//	c, err := v.Word(ctx, "harbour")
//	for c.Next() {
//		fmt.Println(c.Row, postings.Places(nil, c.Raw))
//	}
//	err = c.Close()
//
// FTS5 itself gives matches row by row through SQLite, at some 0.4 µs a row, a phrase at the double, and forgets what it has counted. A reader of
// 100,000 pages waits for that. The lists as they stand on the disk are read ten times as fast. Their format is that of the comment at
// the head of fts5_index.c ("Overview", SQLite 3.43 and later), which FTS5 keeps so that older files can be read. What cannot be
// read as this format is an error. The tests compare with what FTS5 answers.
package postings
