// Containers makes the gigabyte of data for the benchmark of storing: WARC files of 100 MB. Half of
// the records are incompressible, like images and video; the others are text. The bytes are the
// same every time.
//
//	containers -out build/bench/containers -megabytes 1024
package main

import (
	"bufio"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"quire/format/warc"
)

const fileSize = 100 << 20 // bytes of a container, as stored

func main() {
	out := flag.String("out", "", "the folder to make")
	megabytes := flag.Int64("megabytes", 1024, "total size in MiB, as stored")
	flag.Parse()
	if err := makeContainers(*out, *megabytes<<20); err != nil {
		fmt.Fprintf(os.Stderr, "containers: %v\n", err)
		os.Exit(2)
	}
}

// makeContainers fills a folder with containers. Their total size is exact to within one record.
func makeContainers(folder string, total int64) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	random := rand.NewChaCha8([32]byte{})
	for n := 0; total > 0; n++ {
		size, err := makeContainer(filepath.Join(folder, fmt.Sprintf("bench-%03d.warc.gz", n)), min(total, fileSize),
			random)
		if err != nil {
			return err
		}
		total -= size
	}
	return nil
}

// makeContainer writes records until the file reaches its size, and returns the size written.
func makeContainer(name string, size int64, random *rand.ChaCha8) (written int64, err error) {
	file, err := os.Create(name)
	if err != nil {
		return 0, err
	}
	defer func() {
		if closeErr := file.Close(); err == nil {
			err = closeErr
		}
	}()
	out := bufio.NewWriterSize(file, 1<<20)
	w, err := warc.NewWriter(out, warc.WriterOptions{Compression: warc.Gzip})
	if err != nil {
		return 0, err
	}
	for n := 0; written < size; n++ {
		body := noise(random)
		if n%2 == 1 {
			body = text(random)
		}
		offset, length, err := w.WriteBytes(fields(filepath.Base(name), n), body)
		if err != nil {
			return 0, err
		}
		written = offset + length
	}
	return written, out.Flush()
}

func fields(file string, n int) []warc.NameValue {
	return []warc.NameValue{
		{Name: warc.FieldType, Value: warc.TypeResource},
		{Name: warc.FieldRecordID, Value: fmt.Sprintf("<urn:bench:%s:%d>", file, n)},
		{Name: warc.FieldDate, Value: "2024-01-02T03:04:05Z"},
		{Name: warc.FieldTargetURI, Value: fmt.Sprintf("http://example.org/%s/%d", file, n)},
		{Name: warc.FieldContentType, Value: "application/octet-stream"},
	}
}

// noise returns incompressible bytes.
func noise(random *rand.ChaCha8) []byte {
	body := make([]byte, 256<<10)
	_, _ = random.Read(body) // never fails
	return body
}

// text returns words in random order, which compress about as well as a web page.
func text(random *rand.ChaCha8) []byte {
	words := []string{"gather ", "leaf ", "bind ", "page ", "the ", "of ", "and ", "<p>", "</p>\n", "harbour ",
		"museum ", "2024 "}
	body := make([]byte, 0, 1<<20)
	for len(body) < 1<<20-16 {
		bits := random.Uint64()
		for range 8 {
			body = append(body, words[bits%uint64(len(words))]...)
			bits >>= 8
		}
		body = binary.BigEndian.AppendUint16(body, uint16(bits))
	}
	return body
}
