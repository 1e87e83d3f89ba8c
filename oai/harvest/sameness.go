package harvest

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"time"

	"quire/metadata/xmlstream"
)

// A server makes a CRATE anew for each answer: its identifier, its time and the times of the runs of its tools differ
// in each listing. So a record without bytes is compared by its text without them.

// untimed writes the metadata of a record, without the identifier of the document and those times. Times count to
// the second, because the parts of a document state them with different precision.
func (k *crateRecord) untimed(out io.Writer) error {
	made := map[int64]bool{}
	add := func(t time.Time) {
		if !t.IsZero() {
			made[t.Unix()] = true
		}
	}
	add(k.doc.Created)
	for i := range k.doc.Results {
		add(k.doc.Results[i].Began)
	}
	words := bufio.NewScanner(k.record.Metadata())
	words.Split(splitWords)
	for words.Scan() {
		word := strings.TrimRight(words.Text(), wordEnds)
		if word != "" && word == k.doc.ID {
			continue
		}
		if t, err := xmlstream.ParseTime(word); err == nil && made[t.Unix()] {
			continue
		}
		if _, err := out.Write(words.Bytes()); err != nil {
			return err
		}
	}
	return words.Err()
}

// wordEnds end a word of an XML text: the value of an attribute, for example.
const wordEnds = "\"'<> \t\r\n"

// maxWord bounds a word, in bytes. A longer one, such as Base64, is several.
const maxWord = 4 << 10

// splitWords is a [bufio.SplitFunc] for words, each with the character that ends it.
func splitWords(data []byte, atEOF bool) (advance int, token []byte, err error) {
	n := min(len(data), maxWord)
	if i := bytes.IndexAny(data[:n], wordEnds); i >= 0 {
		return i + 1, data[:i+1], nil
	}
	if n < maxWord && !atEOF || n == 0 {
		return 0, nil, nil
	}
	return n, data[:n], nil
}
