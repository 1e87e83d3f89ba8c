package inspect

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/hex"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"quire/format/inflate"
	"quire/format/warc"
	"quire/model"
)

// base32SHA1 is the value of a digest field as most crawlers write it.
func base32SHA1(s string) string {
	sum := sha1.Sum([]byte(s))
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}

// The ways in which containers are damaged or odd, each with the codes that must name it (and no other), the verdict and
// how many of the seven records are still read. Other software misses a good part of them.
func TestDamageMatrix(t *testing.T) {
	const message = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nhello, world"
	const chunks = "c\r\nhello, world\r\n0\r\n\r\n"
	const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks
	const blockIs, payloadIs = "WARC-Block-Digest: ", "WARC-Payload-Digest: "
	digests := []string{blockIs + base32SHA1(message), payloadIs + base32SHA1("hello, world")}
	good := response(message, digests...)
	rest := []string{response(message), record("metadata", "a: b\r\n"), record("resource", "x", target), response(message), record("metadata", "c: d\r\n")}
	// file is a container of seven records whose second is odd.
	all := func(odd string) []string { return append([]string{warcinfo, odd}, rest...) }
	file := func(odd string) []byte { return zip(t, all(odd)...) }
	plain := func(odd string) []byte { return []byte(strings.Join(all(odd), "")) }
	first := len(zip(t, warcinfo))
	second := first + len(zip(t, good))
	flip := func(at int) []byte {
		b := file(good)
		b[at] ^= 0x10
		return b
	}
	without := func(line string) string { return strings.Replace(good, line+"\r\n", "", 1) }
	length := func(by int) string {
		was := fmt.Sprintf("Content-Length: %d", len(message))
		return strings.Replace(response(message), was, fmt.Sprintf("Content-Length: %d", len(message)+by), 1)
	}
	profile := "WARC-Profile: " + warc.ProfileIdenticalPayload10
	sum1, sum256, sum512, sum5 := sha1.Sum([]byte(message)), sha256.Sum256([]byte(message)), sha512.Sum512([]byte(message)), md5.Sum([]byte(message))
	whole := file(good)
	for _, c := range []struct {
		name    string
		file    []byte
		outcome model.Outcome
		records int64
		want    string
	}{
		{"clean", file(good), model.Valid, 7, ""},
		{"clean, plain", plain(good), model.Valid, 7, ""},
		{"CRC32 wrong", flip(second - 8), model.Invalid, 7, "GZIP-CRC32"},
		{"ISIZE wrong", flip(second - 1), model.Invalid, 7, "GZIP-ISIZE"},
		{"cut by 60 bytes", whole[:len(whole)-60], model.Invalid, 6, "GZIP-TRUNCATED *"},
		{"cut within the trailer", whole[:len(whole)-4], model.Invalid, 7, "GZIP-TRUNCATED"},
		{"cut to half a member", whole[:(first+second)/2], model.Invalid, 1, "GZIP-TRUNCATED *"},
		{"plain, cut in a block", plain(good)[:len(warcinfo)+len(good)-10], model.Invalid, 2, "WARC-TRUNCATED"},
		{"all in one member", zip(t, strings.Join(all(good), "")), model.Valid, 7, "WARC-MEMBER-SHARED"},
		{"two in one member", zip(t, append([]string{warcinfo, good + rest[0]}, rest[1:]...)...), model.Valid, 7, "WARC-MEMBER-SHARED"},
		{"an empty member between", zip(t, append([]string{warcinfo, good, ""}, rest...)...), model.Valid, 7, "GZIP-EMPTY-MEMBER"},
		{"length 10 too long", file(length(10)), model.Invalid, 7, "WARC-TRUNCATED"},
		{"length 10 too long, plain", plain(length(10)), model.Invalid, 7, "WARC-TRUNCATED"},
		{"length 10 too short", file(length(-10)), model.Invalid, 7, "WARC-SEPARATOR WARC-GARBAGE"},
		{"no CRLF CRLF", file(strings.TrimSuffix(good, "\r\n\r\n")), model.Invalid, 7, "WARC-SEPARATOR"},
		{"no length", file(strings.Replace(good, fmt.Sprintf("Content-Length: %d\r\n", len(message)), "", 1)), model.Invalid, 7, "WARC-LENGTH"},
		{"digest of an unknown algorithm", file(response(message, blockIs+"tiger:abc")), model.Valid, 7, "DIGEST-ALGORITHM"},
		{"revisit with a wrong block digest", file(record("revisit", "HTTP/1.1 200 OK\r\n\r\n", target, asHTTP, profile, refers, "WARC-Payload-Digest: "+base32SHA1("x"), blockIs+base32SHA1("x"))), model.Invalid, 7, "WARC-DIGEST-BLOCK"},
		{"warcinfo with a wrong block digest", file(record("warcinfo", "a: b\r\n", blockIs+base32SHA1("x"))), model.Invalid, 7, "WARC-DIGEST-BLOCK WARC-WARCINFO-AMBIGUOUS"},
		{"no WARC-Record-ID", file(without("WARC-Record-ID: <urn:uuid:response>")), model.Invalid, 7, "WARC-FIELD-MISSING"},
		{"response without target", file(without(target)), model.Invalid, 7, "WARC-FIELD-MISSING"},
		{"revisit without profile", file(record("revisit", "HTTP/1.1 200 OK\r\n\r\n", target, asHTTP)), model.Invalid, 7, "WARC-FIELD-MISSING"},
		{"sha1, hexadecimal", file(response(message, blockIs+"sha1:"+hex.EncodeToString(sum1[:]))), model.Valid, 7, ""},
		{"sha256, Base32", file(response(message, blockIs+"sha256:"+base32.StdEncoding.EncodeToString(sum256[:]))), model.Valid, 7, ""},
		{"sha512", file(response(message, blockIs+"sha512:"+hex.EncodeToString(sum512[:]))), model.Valid, 7, ""},
		{"md5", file(response(message, blockIs+"md5:"+hex.EncodeToString(sum5[:]))), model.Valid, 7, ""},
		{"chunked, digest of the content", file(response(chunked, payloadIs+base32SHA1("hello, world"))), model.Valid, 7, ""},
		{"chunked, digest as sent", file(response(chunked, payloadIs+base32SHA1(chunks))), model.Valid, 7, "DIGEST-PAYLOAD-FRAMED"},
		{"target in angle brackets", file(strings.Replace(good, "http://Example.org:80/page?q=1", "<http://Example.org:80/page?q=1>", 1)), model.Valid, 7, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := inspectBytes(t, c.file, Options{})
			if got.Outcome != c.outcome || got.Records.Total != c.records {
				t.Errorf("%s with %d records, want %s with %d: %v", got.Outcome, got.Records.Total, c.outcome, c.records, got.Findings)
			}
			// What half a member leaves of a record depends on how it was compressed: a star stands for what is told of that.
			prefix, open := strings.CutSuffix(c.want, " *")
			if found := codes(got); found != c.want && !(open && strings.HasPrefix(found, prefix)) {
				t.Errorf("findings %q, want %q: %v", found, c.want, got.Findings)
			}
		})
	}
}

// place is a record as it was written.
type place struct{ offset, length int64 }

// numbered writes a container of so many records, each with a name of its own, and says where they lie.
func numbered(t testing.TB, records int, gzip bool) ([]byte, []place) {
	t.Helper()
	random := rand.New(rand.NewSource(7)) //nolint:gosec // the same file every time
	var out bytes.Buffer
	w, err := warc.NewWriter(&out, warc.WriterOptions{Gzip: gzip})
	if err != nil {
		t.Fatal(err)
	}
	var places []place
	for i := range records {
		var block bytes.Buffer
		for block.Len() < 50+random.Intn(2000) {
			fmt.Fprintf(&block, "%d words of record %x\r\n", random.Intn(9), random.Intn(1<<20))
		}
		at, n, err := w.WriteBytes([]warc.NameValue{
			{Name: warc.FieldType, Value: warc.TypeResource}, {Name: warc.FieldRecordID, Value: fmt.Sprintf("<urn:x:%d>", i)},
			{Name: warc.FieldDate, Value: "2024-01-02T03:04:05Z"}, {Name: warc.FieldTargetURI, Value: fmt.Sprintf("http://example.org/%d", i)},
		}, block.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		places = append(places, place{at, n})
	}
	return out.Bytes(), places
}

// damage is a stretch of a file that was replaced by other bytes.
type damage struct {
	at, gone int
	put      []byte
}

func randomDamage(random *rand.Rand, size int) damage {
	d := damage{at: random.Intn(size)}
	switch random.Intn(4) {
	case 0: // one bit
		d.gone, d.put = 1, nil
	case 1: // a stretch is lost
		d.gone = min(1+random.Intn(200), size-d.at)
	case 2: // a stretch is put in
		d.put = make([]byte, 1+random.Intn(200))
		random.Read(d.put)
	default: // a stretch is overwritten
		d.gone = min(1+random.Intn(64), size-d.at)
		d.put = make([]byte, d.gone)
		random.Read(d.put)
	}
	return d
}

func (d *damage) apply(file []byte, random *rand.Rand) []byte {
	if d.gone == 1 && d.put == nil {
		d.put = []byte{file[d.at] ^ 1<<random.Intn(8)}
	}
	return bytes.Join([][]byte{file[:d.at], d.put, file[d.at+d.gone:]}, nil)
}

// where is the new place of a record, false when the damage touches it.
func (d *damage) where(p place) (int64, bool) {
	switch {
	case p.offset+p.length <= int64(d.at):
		return p.offset, true
	case p.offset >= int64(d.at+d.gone):
		return p.offset + int64(len(d.put)-d.gone), true
	}
	return 0, false
}

// offsets gives the offset at which each record is found, by its id.
func offsets(t testing.TB, file []byte) map[string]int64 {
	t.Helper()
	in := inflate.NewReader(bytes.NewReader(file), inflate.Options{})
	r := warc.NewReader(in)
	found := map[string]int64{}
	for {
		rec, err := r.Next()
		if err != nil {
			return found
		}
		found[rec.ID()] = rec.Offset
	}
}

// Whatever is done to one place of a container, every other record is still read, at its place, and the damage is told.
func TestDamageElsewhereLosesNoRecord(t *testing.T) {
	const tries = 400
	for _, gzip := range []bool{true, false} {
		file, places := numbered(t, 30, gzip)
		random := rand.New(rand.NewSource(42)) //nolint:gosec // the same damages every time
		whole, lost := 0, 0
		for try := range tries {
			d := randomDamage(random, len(file))
			damaged := d.apply(file, random)
			var copied bytes.Buffer
			c := inspectBytes(t, damaged, Options{CopyTo: &copied})
			if !bytes.Equal(copied.Bytes(), damaged) {
				t.Fatalf("try %d: the copy is not the file", try)
			}
			if !bytes.Equal(damaged, file) && c.FindingsTotal == 0 && gzip {
				t.Errorf("try %d: %+v is not noticed", try, d)
			}
			found := offsets(t, damaged)
			for i, p := range places {
				at, untouched := d.where(p)
				if !untouched {
					continue
				}
				whole++
				if got, ok := found[fmt.Sprintf("<urn:x:%d>", i)]; !ok || got != at {
					lost++
					if gzip {
						t.Errorf("try %d: %+v: record %d is found at %d (%v), not at %d", try, d, i, got, ok, at)
					}
				}
			}
		}
		t.Logf("gzip %v: of %d undamaged records %d were lost", gzip, whole, lost)
		if lost*1000 > whole*5 {
			t.Errorf("gzip %v: of %d undamaged records %d were lost", gzip, whole, lost)
		}
	}
}
