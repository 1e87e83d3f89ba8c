package search

import "encoding/binary"

// The lists of a table are rows of fixed size, in little-endian form. A number out of range gives a
// zero row: a damaged file leads to wrong counts, never to a panic, and every hit is judged by the
// index of captures.

// span is a string in the texts of a table.
type span struct {
	at     uint64
	length uint32
}

// numbers is a list of int32.
type numbers []byte

const numberSize = 4

func (l numbers) len() int { return len(l) / numberSize }

func (l numbers) at(i int32) int32 {
	if i < 0 || int(i) >= l.len() {
		return 0
	}
	return int32(binary.LittleEndian.Uint32(l[int(i)*numberSize:])) //nolint:gosec // stored as such
}

func (l numbers) set(i, value int32) {
	binary.LittleEndian.PutUint32(l[int(i)*numberSize:], uint32(value)) //nolint:gosec // kept as such
}

// part returns the numbers from one position to another.
func (l numbers) part(from, to int32) numbers {
	if from < 0 || to < from || int(to) > l.len() {
		return nil
	}
	return l[int(from)*numberSize : int(to)*numberSize]
}

// each calls visit for each number, until it returns false.
func (l numbers) each(visit func(n int32) bool) {
	for i := range int32(l.len()) { //nolint:gosec // there are fewer than 2^31
		if !visit(l.at(i)) {
			return
		}
	}
}

func makeNumbers(n int) numbers { return make(numbers, n*numberSize) }

// numbersFrom returns a list.
func numbersFrom(all []int32) numbers {
	l := makeNumbers(len(all))
	for i, n := range all {
		l.set(int32(i), n) //nolint:gosec // there are fewer than 2^31
	}
	return l
}

// row returns a row of a list; nil if there is none.
func row(list []byte, i int32, size int) []byte {
	at := int(i) * size
	if i < 0 || at+size > len(list) {
		return nil
	}
	return list[at : at+size : at+size]
}

// documents is a list of documents: id, digest, length, language, kind, 1 if it is alone.
type documents []byte

const (
	documentSize = 8 + 12 + 4 + 2 + 1 + 1
	aloneAt      = documentSize - 1
)

func (l documents) len() int { return len(l) / documentSize }

func (l documents) at(i int32) (d document) {
	b := row(l, i, documentSize)
	if b == nil {
		return d
	}
	d.id = int64(binary.LittleEndian.Uint64(b)) //nolint:gosec // stored as such
	d.digest = readSpan(b[8:])
	d.length = int32(binary.LittleEndian.Uint32(b[20:])) //nolint:gosec // stored as such
	d.language = binary.LittleEndian.Uint16(b[24:])
	d.kind = b[26] % uint8(len(Types)) //nolint:gosec // there are ten
	d.alone = b[aloneAt] == 1
	return d
}

// id returns the number of a document: of all its data, a query needs this and the next most often.
func (l documents) id(i int32) int64 {
	b := row(l, i, documentSize)
	if b == nil {
		return 0
	}
	return int64(binary.LittleEndian.Uint64(b)) //nolint:gosec // stored as such
}

// length returns the length of a document, in words.
func (l documents) length(i int32) int32 {
	b := row(l, i, documentSize)
	if b == nil {
		return 0
	}
	return int32(binary.LittleEndian.Uint32(b[20:])) //nolint:gosec // stored as such
}

// setAlone marks a document that is a group of its own.
func (l documents) setAlone(i int32) { l[int(i)*documentSize+aloneAt] = 1 }

func (l documents) with(d *document) documents {
	l = binary.LittleEndian.AppendUint64(l, uint64(d.id)) //nolint:gosec // kept as such
	l = withSpan(l, d.digest)
	l = binary.LittleEndian.AppendUint32(l, uint32(d.length)) //nolint:gosec // kept as such
	l = binary.LittleEndian.AppendUint16(l, d.language)
	return append(l, d.kind, 0)
}

// addresses is a list of URLs: id, key, URL, host.
type addresses []byte

const addressSize = 8 + 12 + 12 + 4

func (l addresses) len() int { return len(l) / addressSize }

func (l addresses) at(i int32) (a address) {
	b := row(l, i, addressSize)
	if b == nil {
		return a
	}
	a.id = int64(binary.LittleEndian.Uint64(b)) //nolint:gosec // stored as such
	a.key, a.url = readSpan(b[8:]), readSpan(b[20:])
	a.host = int32(binary.LittleEndian.Uint32(b[32:])) //nolint:gosec // stored as such
	return a
}

func (l addresses) with(a *address) addresses {
	l = binary.LittleEndian.AppendUint64(l, uint64(a.id)) //nolint:gosec // kept as such
	l = withSpan(withSpan(l, a.key), a.url)
	return binary.LittleEndian.AppendUint32(l, uint32(a.host)) //nolint:gosec // kept as such
}

// rows is a list of captures: time, order, six numbers, written, origin, SHA-256.
type rows []byte

const (
	sumAt       = 8 + 8 + 6*4 + 12 + 12
	captureSize = sumAt + 32
)

func (l rows) len() int { return len(l) / captureSize }

func (l rows) at(i int32) (c capture) {
	b := row(l, i, captureSize)
	if b == nil {
		return c
	}
	c.time = int64(binary.LittleEndian.Uint64(b))      //nolint:gosec // stored as such
	c.order = int64(binary.LittleEndian.Uint64(b[8:])) //nolint:gosec // stored as such
	for n, field := range [...]*int32{&c.url, &c.document, &c.pkg, &c.harvest, &c.container, &c.mime} {
		*field = int32(binary.LittleEndian.Uint32(b[16+4*n:])) //nolint:gosec // stored as such
	}
	c.written, c.origin = readSpan(b[40:]), readSpan(b[52:])
	return c
}

// sum returns the SHA-256 of a capture's record.
func (l rows) sum(i int32) []byte {
	b := row(l, i, captureSize)
	if b == nil {
		return nil
	}
	return b[sumAt:]
}

func (l rows) with(c *capture, sum *[32]byte) rows {
	l = binary.LittleEndian.AppendUint64(l, uint64(c.time))  //nolint:gosec // kept as such
	l = binary.LittleEndian.AppendUint64(l, uint64(c.order)) //nolint:gosec // kept as such
	for _, n := range [...]int32{c.url, c.document, c.pkg, c.harvest, c.container, c.mime} {
		l = binary.LittleEndian.AppendUint32(l, uint32(n)) //nolint:gosec // kept as such
	}
	l = withSpan(withSpan(l, c.written), c.origin)
	return append(l, sum[:]...)
}

// briefs is a list of briefs: time, host, package.
type briefs []byte

const briefSize = 8 + 4 + 4

func (l briefs) at(i int32) brief {
	b := row(l, i, briefSize)
	if b == nil {
		return brief{}
	}
	return brief{int64(binary.LittleEndian.Uint64(b)), //nolint:gosec // stored as such
		int32(binary.LittleEndian.Uint32(b[8:])), int32(binary.LittleEndian.Uint32(b[12:]))} //nolint:gosec // as above
}

func (l briefs) with(b brief) briefs {
	l = binary.LittleEndian.AppendUint64(l, uint64(b.time))   //nolint:gosec // kept as such
	l = binary.LittleEndian.AppendUint32(l, uint32(b.host))   //nolint:gosec // kept as such
	return binary.LittleEndian.AppendUint32(l, uint32(b.pkg)) //nolint:gosec // kept as such
}

func readSpan(b []byte) span {
	return span{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint32(b[8:])}
}

func withSpan(l []byte, s span) []byte {
	l = binary.LittleEndian.AppendUint64(l, s.at)
	return binary.LittleEndian.AppendUint32(l, s.length)
}
