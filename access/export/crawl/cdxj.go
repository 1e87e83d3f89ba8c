package crawl

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"quire/access/export"
	"quire/format/cdx"
	"quire/format/gzipmember"
	"quire/format/surt"
	"quire/format/warc"
	"quire/holdings"
	"quire/internal/extsort"
)

// The index of a WACZ is a ZipNum (pywb): sorted CDXJ lines, compressed in blocks, and an index of
// the blocks.
const (
	indexData   = "indexes/index.cdx.gz"
	indexBlocks = "indexes/index.idx"
	blockLines  = 300 // as in cdxj-indexer
)

// lines collects the lines of the index.
type lines struct {
	scratch string
	sorted  *extsort.Sorter // lines for the index: by key, time, and position in the export
	posts   *extsort.Sorter // captures of requests other than GET, and the request bodies, by key

	text   bytes.Buffer // a line
	writer *cdx.Writer  // to text
	value  []byte
}

func newLines(scratch string) (*lines, error) {
	l := &lines{scratch: scratch, sorted: extsort.New(extsort.Options{Dir: scratch}),
		posts: extsort.New(extsort.Options{Dir: scratch})}
	l.writer = cdx.NewJSONWriter(&l.text, false)
	return l, nil
}

func (l *lines) close() {
	_ = l.sorted.Close() // temporary files
	_ = l.posts.Close()
}

// line is one capture of the index whose request was not GET, until its request is known.
type line struct {
	Entry  cdx.Entry
	Method string
	Body   string // the request body, as query arguments
}

// capture adds a capture of the export.
func (l *lines) capture(c *holdings.Judged, at spot) error {
	mime := c.MIME
	if c.Type == warc.TypeRevisit && at.made == "" {
		mime = "warc/revisit"
	}
	n := line{Method: c.Method, Entry: cdx.Entry{
		Key: c.Key, Timestamp: c.Timestamp, URL: c.URL, MIME: mime, Status: c.Status, Digest: c.Digest,
		Length: at.length, Offset: at.offset, File: at.file,
	}}
	if c.Method == "" || c.Method == "GET" {
		return l.add(&n)
	}
	value, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return l.posts.Add(joinKey(c.Key, c.Timestamp, 'c'), value)
}

// add adds a line as it is in the index, behind the length of its key and timestamp.
func (l *lines) add(n *line) error {
	e := n.Entry
	if n.Method != "" && n.Method != "GET" {
		if n.Body != "" {
			e.Extra = append(e.Extra, cdx.Extra{Name: "requestBody", Value: n.Body})
		}
		e.Extra = append(e.Extra, cdx.Extra{Name: "method", Value: n.Method})
	}
	l.text.Reset()
	if err := errors.Join(l.writer.Write(e), l.writer.Close()); err != nil {
		return fmt.Errorf("index line of %s: %w", strconv.Quote(e.URL), err)
	}
	l.value = binary.AppendUvarint(l.value[:0], uint64(len(e.Key)+len(" ")+len(e.Timestamp)))
	l.value = append(l.value, l.text.Bytes()...)
	return l.sorted.Add(n.key(), l.value)
}

func (n *line) key() []byte {
	key := append(append(append([]byte(n.Entry.Key), ' '), n.Entry.Timestamp...), ' ')
	return binary.BigEndian.AppendUint64(append(append(key, n.Entry.File...), 0), uint64(n.Entry.Offset))
}

func joinKey(key, timestamp string, kind byte) []byte {
	return append(append(append(append([]byte(key), ' '), timestamp...), 0), kind)
}

// request adds the body of a request that is not GET: replay needs it to find the capture.
func (l *lines) request(url, timestamp, method, contentType string, body []byte) error {
	address := surt.WithRequest(url, method, contentType, body)
	_, sent, _ := strings.Cut(address, "__wb_method="+method)
	return l.posts.Add(joinKey(surt.Key(address), timestamp, 'b'), []byte(strings.TrimPrefix(sent, "&")))
}

// join matches captures with requests.
func (l *lines) join() error {
	var last, body []byte
	return l.posts.Each(func(key, value []byte) error {
		of, kind := key[:len(key)-1], key[len(key)-1]
		if kind == 'b' {
			last, body = bytes.Clone(of), bytes.Clone(value)
			return nil
		}
		var n line
		if err := json.Unmarshal(value, &n); err != nil {
			return err
		}
		if bytes.Equal(of, last) {
			n.Body = string(body)
		}
		return l.add(&n)
	})
}

// write writes the index.
func (l *lines) write(ctx context.Context, z *archive) error {
	if err := l.join(); err != nil {
		return err
	}
	data, err := newVolume(l.scratch, "index.cdx.gz", func(w io.Writer) io.Writer { return w })
	if err != nil {
		return err
	}
	defer func() { _ = data.file.Close() }() // a temporary file
	var blocks bytes.Buffer                  // one line for 300 captures
	b := &blockWriter{index: &blocks}
	if b.data, err = gzipmember.NewWriter(data, gzipmember.DefaultLevel); err != nil {
		return err
	}
	fmt.Fprintf(&blocks, "!meta 0 {\"format\": \"cdxj-gzip-1.0\", \"filename\": \"index.cdx.gz\"}\n")
	err = l.sorted.Each(func(_, value []byte) error {
		first, size := binary.Uvarint(value)
		return b.add(value[size:], int(first)) //nolint:gosec // the length of a part of the line
	})
	if err == nil {
		err = b.flush()
	}
	if err == nil {
		err = data.Close()
	}
	if err != nil {
		return err
	}
	if err := z.stored(ctx, indexData, data.path, data.sums, export.Progress{}); err != nil {
		return err
	}
	return z.deflated(indexBlocks, func(to io.Writer) error {
		_, err := to.Write(blocks.Bytes())
		return err
	})
}

// blockWriter writes lines in blocks.
type blockWriter struct {
	data  *gzipmember.Writer
	index *bytes.Buffer
	block bytes.Buffer
	lines int
	first string // key and time of the first line of the block
}

// add adds a line, which begins with its key and time.
func (b *blockWriter) add(line []byte, first int) error {
	if b.lines == 0 {
		b.first = string(line[:first])
	}
	b.block.Write(line)
	if b.lines++; b.lines == blockLines {
		return b.flush()
	}
	return nil
}

func (b *blockWriter) flush() error {
	if b.lines == 0 {
		return nil
	}
	if err := b.data.Begin(); err != nil {
		return err
	}
	if _, err := b.data.Write(b.block.Bytes()); err != nil {
		return err
	}
	offset, length, err := b.data.End()
	if err != nil {
		return err
	}
	sum := sha256.Sum256(b.block.Bytes())
	fmt.Fprintf(b.index,
		"%s {\"offset\": %d, \"length\": %d, \"digest\": \"sha256:%s\", \"filename\": \"index.cdx.gz\"}\n", b.first,
		offset, length, hex.EncodeToString(sum[:]))
	b.block.Reset()
	b.lines = 0
	return nil
}
