package aip

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"quire/metadata/mets"
	"quire/metadata/xmlstream"
)

// node is a nested file element with its content.
type node struct {
	file   mets.File
	inside []node
}

// part returns a node that delimits bytes of its parent.
func part(id string, begin int, content string, inside ...node) node {
	size := xmlstream.IntOf(int64(len(content)))
	return node{mets.File{ID: id, FileCore: mets.FileCore{Size: size}, Begin: xmlstream.IntOf(int64(begin)),
		End: xmlstream.IntOf(int64(begin + len(content) - 1))}, inside}
}

// all returns a node that is its whole parent.
func all(id, content string, inside ...node) node {
	n := part(id, 0, content, inside...)
	n.file.Begin, n.file.End = xmlstream.Int{}, xmlstream.Int{}
	return n
}

// summed states the SHA-256 of the expected content.
func (n node) summed(content string) node {
	sum := sha256.Sum256([]byte(content))
	n.file.Checksum, n.file.ChecksumType = hex.EncodeToString(sum[:]), "SHA-256"
	return n
}

func (n node) undo(algorithms ...string) node {
	n.file.Transforms = transformFiles(algorithms...)
	return n
}

func transformFiles(algorithms ...string) (all []mets.Transform) {
	for i, a := range algorithms {
		all = append(all, mets.Transform{Type: "decompression", Algorithm: a, Order: int64(i + 1)})
	}
	return all
}

func writeNodes(w *mets.Writer, nodes []node) {
	for _, n := range nodes {
		w.StartFile(n.file)
		writeNodes(w, n.inside)
		w.EndFile()
	}
}

// listedAgain lists the first container again, in a group that allows this.
func (s sample) listedAgain(w *mets.Writer, use string) {
	path := s.paths(ContainersDir)[0]
	w.StartFileGrp(mets.FileGrp{Use: use})
	f := mets.File{ID: "FILE-c1-" + strings.ToLower(use),
		Locations: []mets.FLocat{{Location: mets.Location{LocType: "URL", Href: mets.Href(path)}}}}
	if s.undo[path] != "" {
		f.Transforms = transformFiles(s.undo[path])
	}
	w.StartFile(f)
	writeNodes(w, s.again[use])
	w.EndFile()
	w.EndFileGrp()
}

func gzipped(t testing.TB, content string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// chunked encodes a body in two chunks.
func chunked(body string) string {
	half := len(body) / 2
	return fmt.Sprintf("%x\r\n%s\r\n%x;x=y\r\n%s\r\n0\r\n\r\n", half, body[:half], len(body)-half, body[half:])
}

const (
	served = "<!DOCTYPE html><title>Harbour</title><p>Ships lie in the harbour, ships lie in the harbour."
	head   = "WARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http;msgtype=response\r\n"
	http   = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
)

// record returns a record with a body after its heads, and the offset of the body.
func record(body string) (content string, bodyAt int) {
	start := fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, len(http+body), http)
	return start + body + "\r\n\r\n", len(start)
}

// recordParts returns the elements of record n: r, b, and s if the body is encoded.
func recordParts(t testing.TB, begin int, n int, coded bool) (string, node) {
	t.Helper()
	name := func(kind string) string { return fmt.Sprintf("FILE-c1-%s%d", kind, n) }
	plain := fmt.Sprintf("%s<!-- %d -->", served, n)
	body := plain
	var inside []node
	if coded {
		body = chunked(gzipped(t, plain))
		inside = []node{all(name("s"), plain).summed(plain)}
	}
	content, bodyAt := record(body)
	b := part(name("b"), bodyAt, body, inside...).summed(body)
	if coded {
		b = b.undo("chunked", "gzip")
	}
	b.file.OwnerID = fmt.Sprintf("http://harbour.example/%d", n)
	return content, part(name("r"), begin, content, b)
}

// memberwise returns a package with a member for each record in its first container, by clause 2.8.
func memberwise(t testing.TB, algorithm string, compress func(string) string) sample {
	s := sample{files: map[string]string{"logs/crawl.log": "one line\n"}, parts: map[string][]node{}}
	file := ""
	if algorithm == algorithmZstd {
		file = zstdDictionary()
	}
	path := "containers/a.warc.gz"
	for n := 1; n <= 3; n++ {
		content, r := recordParts(t, 0, n, n != 2)
		member := compress(content)
		m := part(fmt.Sprintf("FILE-c1-m%d", n), len(file), member, r).undo(algorithm)
		s.parts[path] = append(s.parts[path], m)
		file += member
	}
	s.files[path] = file
	return s
}

// inOne returns a package with all records in sequence in its first container, compressed or not.
func inOne(t testing.TB, algorithm string, compress func(string) string) sample {
	s := sample{files: map[string]string{"logs/crawl.log": "one line\n"}, parts: map[string][]node{}}
	file := ""
	path := "containers/a.warc"
	for n := 1; n <= 3; n++ {
		content, r := recordParts(t, len(file), n, n != 2)
		s.parts[path] = append(s.parts[path], r)
		file += content
	}
	s.files[path] = compress(file)
	if algorithm != "" {
		s.undo = map[string]string{path: algorithm}
	}
	return s
}

// dictionary is the common dictionary of the frames of a .warc.zst.
var dictionary = []byte(strings.Repeat(head+http+served, 3))

func zstdDictionary() string {
	b := binary.LittleEndian.AppendUint32(nil, 0x184D2A5D)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(dictionary)))
	return string(append(b, dictionary...))
}

func zstdFrame(t testing.TB, content string, o ...zstd.EOption) string {
	t.Helper()
	w, err := zstd.NewWriter(nil, append(o, zstd.WithEncoderConcurrency(1))...)
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll([]byte(content), nil))
}

// layouts are the possible layouts of a container's records.
func layouts(t testing.TB) map[string]sample {
	zip := func(c string) string { return gzipped(t, c) }
	return map[string]sample{
		"gzip members": memberwise(t, algorithmGzip, zip),
		"zstd frames with a dictionary": memberwise(t, algorithmZstd, func(c string) string {
			return zstdFrame(t, c, zstd.WithEncoderDictRaw(0, dictionary))
		}),
		"plain":    inOne(t, "", func(c string) string { return c }),
		"one gzip": inOne(t, algorithmGzip, zip),
		"several gzip": inOne(t, algorithmGzip, func(c string) string {
			return zip(c[:50]) + zip("") + zip(c[50:400]) + zip(c[400:])
		}),
		"one zstd": inOne(t, algorithmZstd, func(c string) string { return zstdFrame(t, c) }),
	}
}
