package crawl

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"slices"
	"sort"

	"quire/access/export"
	"quire/holdings/captures"
	"quire/internal/extsort"
)

// exportedSet records which captures are in the export, and which are withheld. It searches a sorted
// file: a crawl of ten million captures would need too much memory.
type exportedSet struct {
	file   *os.File
	count  int64
	firsts []mark // of each block of the file: a search reads one block
}

// markBlock is the number of marks in a block.
const markBlock = 256

// mark is a short digest of a fact.
type mark [16]byte

// Kinds of facts.
const (
	givenPair  = 'g' // URL and time of an exported capture
	deniedPair = 'd' // URL and time of a withheld capture
	deniedURL  = 'u'
	givenPlace = 'p' // place of an exported capture
)

func markOf(kind byte, a, b string) mark {
	sum := sha256.Sum256(append(append(append([]byte{kind}, a...), 0), b...))
	return mark(sum[:16])
}

// newPairs reads the captures of a package once. The caller closes it.
func newPairs(ctx context.Context, s *export.Source, dir string) (_ *exportedSet, err error) {
	sorter := extsort.New(extsort.Options{Dir: dir})
	defer func() { _ = sorter.Close() }() // temporary files
	for c, err := range s.Captures(ctx) {
		if err != nil {
			return nil, err
		}
		marks := []mark{markOf(deniedPair, c.URL, c.Timestamp), markOf(deniedURL, c.URL, "")}
		if c.Allowed {
			marks = []mark{markOf(givenPair, c.URL, c.Timestamp), placeMark(&c.Record)}
			for i := 1; i < len(c.Record.Segments); i++ {
				marks = append(marks, placeMark(c.Record.Part(i)))
			}
		}
		for _, m := range marks {
			if err := sorter.Add(m[:], nil); err != nil {
				return nil, err
			}
		}
	}
	p := &exportedSet{}
	if p.file, err = os.CreateTemp(dir, "pairs-*"); err != nil {
		return nil, err
	}
	out := bufio.NewWriter(p.file)
	var last mark
	err = sorter.Each(func(key, _ []byte) error {
		if p.count > 0 && bytes.Equal(key, last[:]) {
			return nil
		}
		copy(last[:], key)
		return p.add(out, last)
	})
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// add adds the next mark, in their order.
func (p *exportedSet) add(out io.Writer, m mark) error {
	if p.count%markBlock == 0 {
		p.firsts = append(p.firsts, m)
	}
	p.count++
	_, err := out.Write(m[:])
	return err
}

func (p *exportedSet) close() { _ = p.file.Close() } // a temporary file

func placeMark(at *captures.Place) mark {
	return markOf(givenPlace, at.Container, string(binary.BigEndian.AppendUint64(nil, uint64(at.Inflated))))
}

// has reports whether a capture of the URL at that second is in the export, and none is withheld.
func (p *exportedSet) has(url, timestamp string) (bool, error) {
	given, err := p.known(markOf(givenPair, url, timestamp))
	if err != nil || !given {
		return false, err
	}
	denied, err := p.known(markOf(deniedPair, url, timestamp))
	return !denied, err
}

// hasPlace reports whether the capture at this place is in the export.
func (p *exportedSet) hasPlace(at *captures.Place) (bool, error) { return p.known(placeMark(at)) }

// denied reports whether any capture of the URL is withheld.
func (p *exportedSet) denied(url string) (bool, error) { return p.known(markOf(deniedURL, url, "")) }

// known reports whether a mark is in the file.
func (p *exportedSet) known(m mark) (bool, error) {
	n, is := slices.BinarySearchFunc(p.firsts, m, compareMarks)
	if is || n == 0 {
		return is, nil
	}
	begin := int64(n-1) * markBlock
	var block [markBlock * len(m)]byte
	text := block[:min(markBlock, p.count-begin)*int64(len(m))]
	if _, err := p.file.ReadAt(text, begin*int64(len(m))); err != nil {
		return false, fmt.Errorf("reading the temporary file %s: %w", p.file.Name(), err)
	}
	at := sort.Search(len(text)/len(m), func(i int) bool { return bytes.Compare(text[i*len(m):][:len(m)], m[:]) >= 0 })
	return at*len(m) < len(text) && bytes.Equal(text[at*len(m):][:len(m)], m[:]), nil
}

func compareMarks(a, b mark) int { return bytes.Compare(a[:], b[:]) }
