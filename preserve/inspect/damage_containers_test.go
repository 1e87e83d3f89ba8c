package inspect

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// piece is one record of a valid container: its id, and its own bytes of the file, including the
// separator. The pieces of a container together are the whole file.
type piece struct {
	id     string
	offset int
	text   string // inflated, as written
	length int    // in the file
}

func (p *piece) end() int { return p.offset + p.length }

// sound is a container without errors.
type sound struct {
	name        string
	arc         bool
	compression string // "none", "gzip" or "zstd"
	file        []byte
	pieces      []piece
}

// habit is a crawler's way of writing records.
type habit struct {
	name, version string
	blockDigest   func(string) string // nil means no digest
	payloadDigest func(string) string
	largest       int // maximum bytes of a body
	records       int
}

func sha256Hex(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256:" + hex.EncodeToString(sum[:])
}

var habits = []habit{
	{name: "as wget", version: "1.0", blockDigest: base32SHA1, payloadDigest: base32SHA1, largest: 6_000, records: 24},
	{name: "as Heritrix", version: "1.0", payloadDigest: base32SHA1, largest: 3_000, records: 40},
	{name: "as warcio", version: "1.1", blockDigest: sha256Hex, payloadDigest: sha256Hex, largest: 40_000, records: 12},
	{name: "without digests", version: "1.0", largest: 12_000, records: 24},
	{name: "of tiny records", version: "1.0", largest: 30, records: 80},
	{name: "of a record larger than any buffer", version: "1.0", blockDigest: base32SHA1, largest: 600_000, records: 5},
}

// misleading returns content that may mislead a reader: text, noise, noise with the starts of
// records and gzip members, a WARC within the WARC, or nothing.
func misleading(random *rand.Rand, largest int) string {
	var b strings.Builder
	size := random.Intn(min(largest, 1_500))
	if random.Intn(3) == 0 {
		size = largest/2 + random.Intn(largest)/2
	}
	noise := func(n int) {
		raw := make([]byte, n)
		random.Read(raw)
		b.Write(raw)
	}
	switch random.Intn(6) {
	case 0: // nothing
	case 1:
		noise(size)
	case 2:
		for b.Len() < size {
			noise(random.Intn(200))
			b.WriteString([]string{"WARC/1.0\r\n", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", "\r\n\r\n",
				"\x28\xb5\x2f\xfd", "\nhttp://a/ 1"}[random.Intn(5)])
		}
	case 3:
		for i := 0; b.Len() < size; i++ {
			inner := strings.Repeat("inner ", random.Intn(40))
			fmt.Fprintf(&b,
				"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:inner:%d>\r\nWARC-Date: "+
					"2020-01-01T00:00:00Z\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, len(inner), inner)
		}
	default:
		for b.Len() < size {
			fmt.Fprintf(&b, "%d words of page %x, in lines\r\n", random.Intn(9), random.Intn(1<<20))
		}
	}
	return b.String()
}

// message adds an HTTP head to the content, and sometimes encodes it in chunks.
func message(random *rand.Rand, content string) string {
	head := "HTTP/1.1 200 OK\r\nDate: Tue, 02 Jan 2024 03:04:05 GMT\r\nContent-Type: application/octet-stream\r\n"
	if random.Intn(3) > 0 {
		return fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, len(content), content)
	}
	var b strings.Builder
	b.WriteString(head + "Transfer-Encoding: chunked\r\n\r\n")
	for len(content) > 0 {
		n := min(1+random.Intn(2000), len(content))
		fmt.Fprintf(&b, "%x\r\n%s\r\n", n, content[:n])
		content = content[n:]
	}
	b.WriteString("0\r\n\r\n")
	return b.String()
}

// texts writes the records of a WARC file according to the habit.
func (h *habit) texts(random *rand.Rand) []piece {
	var pieces []piece
	add := func(kind, block, payload string, fields ...string) {
		id := fmt.Sprintf("<urn:record:%d>", len(pieces))
		head := "WARC/" + h.version + "\r\nWARC-Type: " + kind + "\r\nWARC-Record-ID: " + id +
			"\r\nWARC-Date: 2024-01-02T03:04:05Z\r\n"
		for _, f := range fields {
			head += f + "\r\n"
		}
		if h.blockDigest != nil {
			head += "WARC-Block-Digest: " + h.blockDigest(block) + "\r\n"
		}
		if h.payloadDigest != nil && kind == "response" {
			head += "WARC-Payload-Digest: " + h.payloadDigest(payload) + "\r\n"
		}
		text := fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s\r\n\r\n", head, len(block), block)
		pieces = append(pieces, piece{id: id, text: text})
	}
	add("warcinfo", "software: damage/1.0\r\nformat: WARC File Format "+h.version+"\r\n", "",
		"Content-Type: application/warc-fields")
	for i := 1; i < h.records; i++ {
		url := fmt.Sprintf("WARC-Target-URI: http://example.org/%d", i)
		held := misleading(random, h.largest)
		switch random.Intn(5) {
		case 0:
			add("request", "GET / HTTP/1.1\r\nHost: example.org\r\n\r\n", "", url,
				"Content-Type: application/http; msgtype=request")
		case 1:
			add("metadata", "via: http://example.org/\r\n", "", url, "Content-Type: application/warc-fields")
		case 2:
			add("resource", held, "", url, "Content-Type: application/octet-stream")
		default:
			add("response", message(random, held), held, url, "WARC-IP-Address: 192.0.2.7",
				"Content-Type: application/http; msgtype=response")
		}
	}
	return pieces
}

// arcTexts writes the records of an ARC file of version 1.0, or of 1.1 with metadata.
func arcTexts(random *rand.Rand, version string, records, largest int) []piece {
	var pieces []piece
	add := func(url, kind, block string) {
		text := fmt.Sprintf("%s 192.0.2.7 20080430204825 %s %d\n%s\n", url, kind, len(block), block)
		pieces = append(pieces, piece{id: url, text: text})
	}
	lines := "1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n"
	if version == "1.1" {
		lines = "1 1 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n" +
			`<?xml version="1.0" encoding="UTF-8"?>` +
			"\n<arcmetadata><software>Heritrix 1.14.0</software></arcmetadata>\n"
	}
	add("filedesc://damage.arc", "text/plain", lines)
	for i := 1; i < records; i++ {
		switch random.Intn(6) {
		case 0:
			add(fmt.Sprintf("dns:host%d.example.org", i), "text/dns",
				fmt.Sprintf("20080430204825\nhost%d.example.org.\t600\tIN\tA\t192.0.2.7\n", i))
		default:
			add(fmt.Sprintf("http://example.org/%d", i), "application/octet-stream",
				message(random, misleading(random, largest)))
		}
	}
	return pieces
}

// store compresses each text as a separate gzip member or frame, and joins them.
func store(t testing.TB, name, compression string, arc bool, pieces []piece) sound {
	t.Helper()
	s := sound{name: name, arc: arc, compression: compression, pieces: append([]piece(nil), pieces...)}
	var file bytes.Buffer
	for i := range s.pieces {
		p := &s.pieces[i]
		p.offset = file.Len()
		switch compression {
		case "gzip":
			level := []int{gzip.BestSpeed, gzip.DefaultCompression, gzip.BestCompression, gzip.NoCompression}[i%4]
			w, err := gzip.NewWriterLevel(&file, level)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write([]byte(p.text)); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		case "zstd":
			w, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(i%3 > 0), zstd.WithEncoderConcurrency(1))
			if err != nil {
				t.Fatal(err)
			}
			file.Write(w.EncodeAll([]byte(p.text), nil))
		default:
			file.WriteString(p.text)
		}
		p.length = file.Len() - p.offset
	}
	s.file = file.Bytes()
	return s
}

// damageSeeds returns the seeds of the containers and of the damage. QUIRE_DAMAGE_SEED="7,8"
// replaces the fixed seeds, to detect a reader that works only for these.
func damageSeeds(t testing.TB) (containers, damages int64) {
	t.Helper()
	containers, damages = 3, 42
	if asked := os.Getenv("QUIRE_DAMAGE_SEED"); asked != "" {
		if _, err := fmt.Sscanf(asked, "%d,%d", &containers, &damages); err != nil {
			t.Fatalf("QUIRE_DAMAGE_SEED is %q, not two numbers with a comma between them", asked)
		}
	}
	return containers, damages
}

// soundContainers returns the valid containers of one kind, for damage.
func soundContainers(t testing.TB, seed int64, arc bool, compression string) []sound {
	t.Helper()
	random := rand.New(rand.NewSource(seed)) //nolint:gosec // the same files every time
	var all []sound
	if arc {
		for _, h := range []habit{
			{name: "as Alexa", version: "1.0", largest: 5_000, records: 30},
			{name: "as Heritrix", version: "1.1", largest: 30_000, records: 12},
			{name: "of tiny records", version: "1.0", largest: 20, records: 80},
			{name: "of a record larger than any buffer", version: "1.0", largest: 600_000, records: 5},
		} {
			all = append(all, store(t, h.name, compression, arc, arcTexts(random, h.version, h.records, h.largest)))
		}
		return all
	}
	for i := range habits {
		all = append(all, store(t, habits[i].name, compression, arc, habits[i].texts(random)))
	}
	return all
}
