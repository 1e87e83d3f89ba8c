//go:build interop

package aip

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"quire/interop/internal/peers"
	"quire/preserve/aip"
)

// stream is the content read by a tool: its length in bytes and its SHA-256.
type stream struct {
	size   int64
	digest string
	kind   string // WARC-Type, if known
}

// heard is warcio's reading of a container: the streams, by kind and offset of the record.
type heard struct {
	raw, content map[int64]stream
	complaints   []string
}

// warcio digests all streams of containers.
func warcio(t *testing.T, files []string) map[string]*heard {
	t.Helper()
	all := map[string]*heard{}
	var h *heard
	for line := range strings.Lines(peers.Python(t, "warcio_streams.py", files)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case cells[0] == "file":
			h = &heard{raw: map[int64]stream{}, content: map[int64]stream{}}
			all[cells[1]] = h
		case cells[0] == "complaint":
			h.complaints = append(h.complaints, cells[1])
		case (cells[0] == "raw" || cells[0] == "content") && len(cells) == 5:
			into := map[string]map[int64]stream{"raw": h.raw, "content": h.content}[cells[0]]
			into[number(t, cells[1])] = stream{number(t, cells[3]), cells[4], cells[2]}
		case cells[0] != "end":
			t.Fatalf("a line that the driver should not write: %q", line)
		}
	}
	return all
}

func number(t *testing.T, s string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// bytestream is a body or a content in a METS, read by quire cat.
type bytestream struct {
	id     string
	served bool // decoded
	path   string
	record int64 // offset of its record in the container, by warcio
	stream
}

// read returns all bytestreams of a METS, using only the offsets.
func read(t *testing.T, pkg string) (all []bytestream) {
	t.Helper()
	ctx := context.Background()
	var record int64
	err := aip.Parts(ctx, pkg, func(p *aip.Part) error {
		dash := strings.LastIndexByte(p.ID, '-')
		kind := strings.TrimRight(p.ID[dash+1:], "0123456789")
		if p.Depth == 1 {
			begin, _, _ := p.Range()
			record = begin
		}
		if p.Depth == 0 || kind != "b" && kind != "s" {
			return nil
		}
		sum := sha256.New()
		if err := p.Write(ctx, pkg, sum, false); err != nil {
			return err
		}
		all = append(all, bytestream{p.ID, kind == "s", p.Path, record,
			stream{size: *p.Size, digest: hex.EncodeToString(sum.Sum(nil))}})
		return nil
	})
	if err != nil {
		t.Fatalf("%s: %v", pkg, err)
	}
	return all
}

// compareStreams compares the output of quire cat with warcio's reading of the same record: a body
// with its raw_stream, a content with its content_stream. It returns their number.
func compareStreams(t *testing.T, pkg string) int {
	t.Helper()
	streams := read(t, pkg)
	if len(streams) == 0 {
		return 0
	}
	var files []string
	for _, b := range streams {
		if file := filepath.Join(pkg, b.path); len(files) == 0 || files[len(files)-1] != file {
			files = append(files, file)
		}
	}
	theirs := warcio(t, files)
	same, unread := 0, 0
	for _, b := range streams {
		h := theirs[filepath.Join(pkg, b.path)]
		from := h.raw
		if b.served {
			from = h.content
		}
		s, ok := from[b.record]
		switch {
		case !ok:
			unread++
			if len(h.complaints) == 0 {
				t.Errorf("%s of %s: warcio has no record at byte %d", b.id, b.path, b.record)
			}
		case s.size == b.size && s.digest == b.digest:
			same++
		default:
			t.Errorf("%s of %s, record at byte %d: %+v for us, %+v for warcio", b.id, b.path, b.record, b.stream, s)
		}
	}
	missing(t, theirs, streams, pkg)
	t.Logf("%s: %d bytestreams are the same as warcio's; of %d it does not read the record", filepath.Base(pkg), same,
		unread)
	callCat(t, pkg, streams)
	return len(streams)
}

// missing reports bytestreams that warcio reads but the METS lacks. Every capture with a body is a
// bytestream.
func missing(t *testing.T, theirs map[string]*heard, streams []bytestream, pkg string) {
	t.Helper()
	type place struct {
		path   string
		record int64
	}
	have := map[place]bool{}
	for _, b := range streams {
		have[place{filepath.Join(pkg, b.path), b.record}] = true
	}
	for path, h := range theirs {
		for record, s := range h.raw {
			if s.size > 0 && captures[s.kind] && !have[place{path, record}] {
				t.Errorf("%s: the %s record at byte %d has a body of %d bytes for warcio, and the METS has none", path,
					s.kind, record, s.size)
			}
		}
	}
}

// captures are the types of records with a body that is a separate bytestream.
var captures = map[string]bool{"response": true, "resource": true, "conversion": true}

// callCat runs the program for a few of the bytestreams.
func callCat(t *testing.T, pkg string, streams []bytestream) {
	t.Helper()
	for i := 0; i < len(streams); i += max(1, len(streams)/3) {
		out := filepath.Join(t.TempDir(), "bytes")
		peers.Call(t, nil, "sh", "-c", `"$1" cat "$2" "$3" > "$4"`, "sh", peers.Quire(t), pkg, streams[i].id, out)
		content, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != streams[i].digest {
			t.Errorf("quire cat %s %s: %s", pkg, streams[i].id,
				fmt.Sprintf("%d bytes with another digest", len(content)))
		}
	}
}
