package aip

import (
	"encoding/binary"
	"math/bits"
	"strconv"
	"strings"
)

// The labels of web pages and hyperlinks end with a number, and follow each other in the document,
// as do the links between them. So labels and links with one beginning are kept in batches: a set
// of numbers below a thousand. A batch is one note of the sorter, in place of one for each label.

// labelsPerBatch is how many numbers a batch has.
const labelsPerBatch = 1024

// labelBatch is a set of labels that were defined, or that one attribute refers to.
type labelBatch struct {
	used   bool
	kind   byte   // batchDefined, batchFrom or batchTo
	prefix string // the label without its number
	high   uint64 // the number / labelsPerBatch
	set    [labelsPerBatch / 64]uint64
}

// The kinds of batches, in the order in which they are checked.
const (
	batchDefined = '1' + iota
	batchFrom
	batchTo
)

// attributeOf lists the attributes of a link, by kind.
var attributeOf = map[byte]string{batchFrom: "xlink:from", batchTo: "xlink:to"}

// spaceBatch is the space of batches of labels.
const spaceBatch = 'm'

// openBatches is how many batches are open at once. Links lead from one page to many pages.
const openBatches = 512

// numbered splits a label into its beginning and its number. ok is false for a label without a
// number that strconv would write so.
func numbered(label string) (prefix string, number uint64, ok bool) {
	const most = 18 // digits
	at := len(label)
	for at > 0 && at > len(label)-most && label[at-1] >= '0' && label[at-1] <= '9' {
		at--
	}
	digits := label[at:]
	if digits == "" || at == 0 || at > maxKey || digits[0] == '0' && len(digits) > 1 || label[at-1] <= '9' &&
		label[at-1] >= '0' {
		return "", 0, false
	}
	for i := range len(digits) {
		number = number*10 + uint64(digits[i]-'0')
	}
	return label[:at], number, true
}

// numberedLabel notes a label that ends with a number, and reports whether it does.
func (r *references) numberedLabel(kind byte, label string) bool {
	prefix, number, ok := numbered(label)
	if !ok {
		return false
	}
	high, low := number/labelsPerBatch, number%labelsPerBatch
	hash := high*31 + uint64(kind)
	for i := range len(prefix) {
		hash = hash*31 + uint64(prefix[i])
	}
	b := &r.batches[hash%openBatches]
	if !b.used || b.kind != kind || b.high != high || b.prefix != prefix {
		r.flush(b)
		*b = labelBatch{used: true, kind: kind, prefix: strings.Clone(prefix), high: high}
	}
	word, bit := low/64, uint64(1)<<(low%64)
	if kind == batchDefined && b.set[word]&bit != 0 { // a second element with it: a batch counts each once
		r.flush(b)
		b.set = [labelsPerBatch / 64]uint64{}
	}
	b.set[word] |= bit
	return true
}

// flush notes a batch.
func (r *references) flush(b *labelBatch) {
	if !b.used || r.err != nil {
		return
	}
	r.key = append(append(append(r.key[:0], spaceBatch), b.prefix...), 0)
	r.key = append(binary.BigEndian.AppendUint64(r.key, b.high), b.kind)
	r.value = r.value[:0]
	last := uint64(0)
	b.each(func(low uint64) {
		r.value = binary.AppendUvarint(r.value, low-last)
		last = low
	})
	r.err = r.sorter.Add(r.key, r.value)
}

// flushAll notes the open batches.
func (r *references) flushAll() {
	for i := range r.batches {
		r.flush(&r.batches[i])
		r.batches[i] = labelBatch{}
	}
}

// each visits the numbers of a batch, ascending.
func (b *labelBatch) each(visit func(low uint64)) {
	for w, word := range b.set {
		for ; word != 0; word &= word - 1 {
			visit(uint64(w*64 + bits.TrailingZeros64(word))) //nolint:gosec // it is below labelsPerBatch
		}
	}
}

// batchJudge checks batches in the order of the sorter.
type batchJudge struct {
	references *references
	found      *findings
	complete   bool
	prefix     string // of the current labels, with their high number
	defined    [labelsPerBatch / 64]uint64
	dangled    [labelsPerBatch / 64]uint64
}

// judge checks one batch.
func (j *batchJudge) judge(key, value []byte) error {
	of, kind := key[1:len(key)-1], key[len(key)-1]
	if j.prefix != string(of) {
		*j = batchJudge{references: j.references, found: j.found, complete: j.complete, prefix: string(of)}
	}
	const tail = 1 + 8
	if len(of) < tail {
		return errItem
	}
	prefix := string(of[:len(of)-tail])
	high := binary.BigEndian.Uint64(of[len(of)-8:])
	i := &items{rest: value}
	low := uint64(0)
	for len(i.rest) > 0 && !i.wrong {
		if low += i.uint(); low >= labelsPerBatch {
			return errItem
		}
		j.one(kind, low, prefix, high)
	}
	return i.err()
}

// one checks one label of a batch.
func (j *batchJudge) one(kind byte, low uint64, prefix string, high uint64) {
	word, bit := low/64, uint64(1)<<(low%64)
	label := func() string { return prefix + strconv.FormatUint(high*labelsPerBatch+low, 10) }
	there := j.defined[word]&bit != 0
	document := j.references.document
	switch {
	case kind == batchDefined && there:
		j.found.add(breaks(CodeLinkLabel, document, "the xlink:label %q occurs twice", label()))
	case kind == batchDefined:
		j.defined[word] |= bit
		j.references.labels++
	case !there && j.complete && j.dangled[word]&bit == 0:
		j.dangled[word] |= bit
		j.found.add(danglingLink(document, attributeOf[kind]+`="`+label()+`"`))
	}
}

// danglingLink reports an end of a link that leads to no label.
func danglingLink(document, how string) *breach {
	return breaks(CodeLinkEnd, document, "a smLink with %s leads to no label in the document", how)
}
