package inspect

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"regexp"
	"strconv"
	"testing"

	"quire/format/arc"
	"quire/format/inflate"
	"quire/format/warc"
	"quire/internal/prove"
	"quire/model"
)

// damage is a range of a file that was replaced by other bytes.
type damage struct {
	kind     string
	at, gone int
	put      []byte
}

func (d damage) String() string {
	return fmt.Sprintf("%s: %d bytes at %d became %d", d.kind, d.gone, d.at, len(d.put))
}

func (d *damage) apply(file []byte) []byte {
	return bytes.Join([][]byte{file[:d.at], d.put, file[d.at+d.gone:]}, nil)
}

// randomDamage makes one of the four kinds of damage to files. Half of the time it is near the
// start of a record, where the effect is largest.
func randomDamage(random *rand.Rand, s *sound) damage {
	size := len(s.file)
	at := random.Intn(size)
	if random.Intn(2) == 0 {
		at = s.pieces[random.Intn(len(s.pieces))].offset + random.Intn(500) - 100
		at = min(max(at, 0), size-1)
	}
	length := 1 + random.Intn(200)
	if random.Intn(10) == 0 {
		length = 1 + random.Intn(9_000)
	}
	noise := make([]byte, length)
	random.Read(noise)
	switch random.Intn(4) {
	case 0:
		return damage{"bit flip", at, 1, []byte{s.file[at] ^ 1<<random.Intn(8)}}
	case 1:
		return damage{"cut", at, min(length, size-at), nil}
	case 2:
		return damage{"insertion", at, 0, noise}
	}
	if random.Intn(3) == 0 {
		clear(noise) // a lost disk sector reads as zeros
	}
	noise = noise[:min(length, size-at)]
	return damage{"overwritten block", at, len(noise), noise}
}

// place is the position of a record.
type place struct {
	id     string
	offset int
}

// places lists the records that the format's reader finds in a file.
func places(t testing.TB, file []byte, isARC bool) map[place]bool {
	t.Helper()
	in := inflate.NewReader(bytes.NewReader(file), inflate.Options{Holds: holdsRecords})
	defer func() { _ = in.Close() }()
	found := map[place]bool{}
	next := func() (place, error) {
		r := warc.NewReader(in)
		next := func() (place, error) {
			rec, err := r.Next()
			if err != nil {
				return place{}, err
			}
			return place{rec.ID(), int(rec.Offset)}, nil
		}
		if isARC {
			r := arc.NewReader(in)
			next = func() (place, error) {
				rec, err := r.Next()
				if err != nil {
					return place{}, err
				}
				return place{rec.URL, int(rec.Offset)}, nil
			}
		}
		for {
			p, err := next()
			if err != nil {
				return p, err
			}
			found[p] = true
		}
	}
	if _, err := next(); !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	return found
}

// remains are the parts of a container after damage.
type remains struct {
	file     []byte
	unhurt   []place // the undamaged records, with their new positions
	from, to int     // the range of the file outside the undamaged records
	begun    []place // the damaged records in it with their first byte intact
}

// left determines the remains. It compares only the bytes, and ignores the operation that caused
// the damage. If a cut begins and ends with the same letters, the position of the lost letters is
// ambiguous. If random bytes equal the old bytes, nothing is lost.
func (d *damage) left(s *sound) remains {
	r := remains{file: d.apply(s.file)}
	most := min(len(s.file), len(r.file))
	before, behind := 0, 0 // equal bytes at the start and at the end
	for before < most && s.file[before] == r.file[before] {
		before++
	}
	grown := len(r.file) - len(s.file)
	for behind < most && s.file[len(s.file)-1-behind] == r.file[len(r.file)-1-behind] {
		behind++
	}
	r.to = len(r.file)
	for i := range s.pieces {
		p := &s.pieces[i]
		switch {
		case p.end() <= before:
			r.unhurt = append(r.unhurt, place{p.id, p.offset})
			r.from = p.end()
		case p.offset >= len(s.file)-behind:
			r.unhurt = append(r.unhurt, place{p.id, p.offset + grown})
			r.to = min(r.to, p.offset+grown)
		}
	}
	for i := range s.pieces {
		p := &s.pieces[i]
		if p.end() > before && p.offset < len(s.file)-behind && p.offset < min(before, r.to) {
			r.begun = append(r.begun, place{p.id, p.offset})
		}
	}
	return r
}

// before returns the start of the last undamaged record before the damage. Without such a record,
// it returns the start of the damage.
func (r *remains) before() int {
	at := -1
	for _, p := range r.unhurt {
		if p.offset < r.from {
			at = max(at, p.offset)
		}
	}
	if at < 0 {
		return r.from
	}
	return at
}

// swallows reports whether a damaged record, by its intact lengths, continues into an undamaged one
// and ends where a record ends. Then only its digest or checksum can show the damage, and the
// undamaged record is part of its block.
func (r *remains) swallows(s *sound, unhurt place) bool {
	for _, p := range r.begun {
		end := 0
		switch s.compression {
		case "none":
			end = p.offset + soundRecord(s, string(r.file[p.offset:]), true)
			if n := statedWARC(r.file[p.offset:]); !s.arc && n > 0 && unhurt.offset < p.offset+n {
				return true
			}
		case "gzip":
			end = p.offset + deflated(r.file[p.offset:])
		}
		for _, q := range s.pieces {
			if q.id == unhurt.id && end > p.offset && end == unhurt.offset+q.length {
				return true
			}
		}
	}
	return false
}

// statedWARC returns the stated length of the record at the start of b, or 0 if no record follows.
// A captured file may itself be WARC; then the next record may be one inside it.
func statedWARC(b []byte) int {
	head, _, ok := bytes.Cut(b, []byte("\r\n\r\n"))
	m := statedLength.FindSubmatch(head)
	if !ok || m == nil {
		return 0
	}
	length, err := strconv.Atoi(string(m[1]))
	end := len(head) + 4 + length
	if err != nil || end > len(b) {
		return 0
	}
	// If a line within the block follows instead, line breaks are missing or extra.
	behind := bytes.TrimLeft(b[end:], "\r\n")
	if breaks := len(b) - end - len(behind); breaks == 0 || breaks > 4 || !bytes.HasPrefix(behind, []byte("WARC/")) {
		return 0
	}
	return end
}

var statedLength = regexp.MustCompile(`\r\nContent-Length: ?(\d{1,9})(?:\r\n|$)`)

// deflated returns the length of the gzip member at the start of b by its deflate stream. A stored
// block states its length, and nothing else depends on its content.
func deflated(b []byte) int {
	in := bytes.NewReader(b)
	if len(b) < 18 || b[3] != 0 { // no optional header field
		return 0
	}
	_, _ = in.Seek(10, io.SeekStart) // within b
	if _, err := io.Copy(io.Discard, flate.NewReader(in)); err != nil {
		return 0
	}
	return len(b) - in.Len() + 8
}

// After any damage to one place of a container, every undamaged record is still read at its
// position, and the damage is reported at its place:
//
//   - at the offset of each damaged record with an intact first byte;
//   - otherwise (the start was cut off or overwritten, or bytes were inserted between two
//     records) at an offset from the end of the last undamaged record before the damage to the
//     start of the next undamaged record.
//
// Some damage cannot be detected. Two rules define it, not a number of exceptions. First, no byte
// of a damaged record is left, so the file is a valid file without that record. Second, the rest of
// the damaged record is a valid record with other content (see soundRecords). If the lost part of
// the damaged record follows this valid record, that part is reported. The valid record may also
// continue into an undamaged record and end where a record ends. This happens, for example, if the
// number of lost bytes equals the length of the undamaged record. Then the undamaged record cannot
// be found: see swallows.
func TestRandomDamage(t *testing.T) {
	tries := prove.Rounds(200, 1_000, 50_000)
	seedOfContainers, seedOfDamages := damageSeeds(t)
	for _, kind := range []struct {
		name, compression string
		arc               bool
	}{
		{"WARC plain", "none", false}, {"WARC gzip", "gzip", false}, {"WARC zstd", "zstd", false},
		{"ARC plain", "none", true}, {"ARC gzip", "gzip", true},
	} {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			containers := soundContainers(t, seedOfContainers, kind.arc, kind.compression)
			for i := range containers {
				checkSound(t, &containers[i])
			}
			random := rand.New(rand.NewSource(seedOfDamages)) //nolint:gosec // the same damages every time
			sum := shown{}
			for range tries {
				s := &containers[random.Intn(len(containers))]
				d := randomDamage(random, s)
				sum.add(checkDamage(t, s, d))
			}
			t.Logf("QUIRE_DAMAGE_SEED=%d,%d: %+v", seedOfContainers, seedOfDamages, sum)
			if sum.Told < tries/2 || sum.Unhurt < 10*tries {
				t.Errorf("the damages were too harmless, or too great, to show anything: %+v", sum)
			}
		})
	}
}

// shown counts the cases of a run.
type shown struct{ Unhurt, Damaged, Told, Gone, Sound int }

func (a *shown) add(b shown) {
	a.Unhurt, a.Damaged, a.Told, a.Gone, a.Sound = a.Unhurt+b.Unhurt, a.Damaged+b.Damaged, a.Told+b.Told, a.Gone+b.Gone,
		a.Sound+b.Sound
}

// checkSound checks that a container has no findings before damage, so that later findings come
// from the damage.
func checkSound(t *testing.T, s *sound) {
	t.Helper()
	found := places(t, s.file, s.arc)
	for _, p := range s.pieces {
		if !found[place{p.id, p.offset}] {
			t.Fatalf("%s: %s at %d is not found in the sound file", s.name, p.id, p.offset)
		}
	}
	c := inspectBytes(t, s.file, Options{})
	if c.FindingsTotal != 0 || c.Records.Total != int64(len(s.pieces)) || c.Outcome != model.Valid {
		t.Fatalf("%s: %s, %d records, %v", s.name, c.Outcome, c.Records.Total, c.Findings)
	}
	if !soundRecords(s, s.file, true) {
		t.Fatalf("%s: the test itself does not take the file for sound", s.name)
	}
}

// unrecognised reports whether a Zstandard file has lost its start and cannot be recognized: its first
// frame stores its content uncompressed, so the rest of it looks like a plain file.
func unrecognised(s *sound, r *remains) bool {
	return s.compression == "zstd" && !bytes.HasPrefix(r.file, s.file[:4]) &&
		bytes.Contains(r.file[:r.to], []byte("WARC-"))
}

func checkDamage(t *testing.T, s *sound, d damage) (sum shown) {
	t.Helper()
	r := d.left(s)
	if unrecognised(s, &r) {
		return sum
	}
	found := places(t, r.file, s.arc)
	for _, p := range r.unhurt {
		sum.Unhurt++
		if found[p] {
			continue
		}
		if r.swallows(s, p) {
			sum.Sound++
			return sum // no contradiction
		}
		t.Errorf("%s, %v: the unhurt %s is not found at %d", s.name, d, p.id, p.offset)
	}
	if r.from >= r.to {
		sum.Gone++
		return sum
	}
	if soundRecords(s, r.file[r.from:r.to], r.to == len(r.file)) {
		sum.Sound++
		return sum
	}
	told := map[int]bool{}
	var copied bytes.Buffer
	c := inspectBytes(t, r.file, Options{Name: s.fileName(), CopyTo: &copied, Finding: func(f model.Finding) {
		told[int(f.Offset)] = true
	}})
	if !bytes.Equal(copied.Bytes(), r.file) {
		t.Errorf("%s, %v: the copy is not the file", s.name, d)
	}
	sum.Told++
	for _, p := range r.begun {
		sum.Damaged++
		if s.compression == "none" && soundRecord(s, string(r.file[p.offset:r.to]), false) > 0 {
			continue
		}
		if !told[p.offset] {
			t.Errorf("%s, %v: the damage of %s at %d is not reported: %v", s.name, d, p.id, p.offset, c.Findings)
		}
	}
	if s.compression == "none" && len(bytes.Trim(r.file[r.from:r.to], "\r\n")) == 0 {
		r.from = r.before()
	}
	for at := range told {
		if at >= r.from && at < r.to {
			return sum
		}
	}
	t.Errorf("%s, %v: no report between %d and %d: %v", s.name, d, r.from, r.to, c.Findings)
	return sum
}

// fileName returns a crawler's typical name for the file.
func (s *sound) fileName() string {
	name := "damage.warc"
	if s.arc {
		name = "damage.arc"
	}
	switch s.compression {
	case "gzip":
		return name + ".gz"
	case "zstd":
		return name + ".zst"
	}
	return name
}
