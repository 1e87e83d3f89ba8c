package register

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"
)

// TestForms has each kind byte by byte, as docs/reference/370_register.md describes it.
func TestForms(t *testing.T) {
	salt := Salt{1, 2, 3}
	head := func(kind string) string { return "01" + kind + "0006554c5a4b9240" }
	at := time.UnixMicro(0x0006554c5a4b9240).UTC()
	object, inventory := salt.Object("urn:x:1"), salt.Inventory([64]byte{7})
	for _, c := range []struct {
		leaf Leaf
		want string
	}{
		{Version{at, object, 258, inventory}, head("01") + object.String() + "00000102" + inventory.String()},
		{Event{at, object, inventory, "fixity check"},
			head("02") + object.String() + inventory.String() + "0c" + hex.EncodeToString([]byte("fixity check"))},
		{Batch{at, [16]byte{9}, object, 1, 2, 3, "replication"},
			head("03") + "09" + strings.Repeat("00", 15) + object.String() + "0000000000000001" + "0000000000000002" +
				"0000000000000003" + "0b" + hex.EncodeToString([]byte("replication"))},
		{Key{at, RotatedKey, [32]byte{5}, [64]byte{6}},
			head("04") + "01" + "05" + strings.Repeat("00", 31) + "06" + strings.Repeat("00", 63)},
		{Setting{at, object, "rules.yaml"},
			head("05") + object.String() + "0a" + hex.EncodeToString([]byte("rules.yaml"))},
		{Tombstone{at, object, inventory}, head("06") + object.String() + inventory.String()},
	} {
		got, err := Marshal(c.leaf)
		if err != nil || hex.EncodeToString(got) != c.want {
			t.Errorf("%+v: %x, %v", c.leaf, got, err)
		}
		back, err := Parse(got)
		if err != nil || back != c.leaf {
			t.Errorf("%x: %+v, %v", got, back, err)
		}
		for n := range got {
			if _, err := Parse(got[:n]); err == nil {
				t.Errorf("%x is a leaf", got[:n])
			}
		}
		if _, err := Parse(append(got, 0)); err == nil {
			t.Errorf("%x00 is a leaf", got)
		}
	}
}

// TestNothingReadable marshals values that could carry a URL or title.
func TestNothingReadable(t *testing.T) {
	at := time.UnixMicro(1).UTC()
	for _, text := range []string{"", "http://example.org", "a/b", "ä", " a", "a ", strings.Repeat("a", 65), "a\n"} {
		for _, leaf := range []Leaf{Event{Time: at, Type: text}, Batch{Time: at, Type: text},
			Setting{Time: at, Name: text}} {
			if b, err := Marshal(leaf); err == nil {
				t.Errorf("%+v: %x", leaf, b)
			}
		}
	}
	for _, leaf := range []Leaf{Version{Time: at}, Version{Number: 1},
		Version{Time: at.Add(time.Nanosecond), Number: 1},
		Version{Time: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), Number: 1}, Key{Time: at, Link: 3},
		Key{Time: at, Signature: [64]byte{1}}, Unknown{Raw: []byte("short")}, Unknown{Raw: make([]byte, 1<<16)}} {
		if b, err := Marshal(leaf); err == nil {
			t.Errorf("%+v: %x", leaf, b)
		}
	}
}

// TestSalts requires that digests depend on salt, use and value.
func TestSalts(t *testing.T) {
	seen := map[Digest]bool{}
	for _, s := range []Salt{NewSalt(), NewSalt(), {}} {
		for _, d := range []Digest{s.Object("a"), s.Object("b"), s.Event([]byte("a")), s.Line([]byte("a")),
			s.Record([]byte("a")), s.Setting([]byte("a")), s.Inventory([64]byte{'a'})} {
			if seen[d] {
				t.Error("two digests are equal")
			}
			seen[d] = true
		}
		back, err := ParseSalt(s.String())
		if err != nil || back != s {
			t.Error(back, err)
		}
	}
	for _, text := range []string{"", "zz", strings.Repeat("0", 62), strings.Repeat("0", 66)} {
		if _, err := ParseSalt(text); err == nil {
			t.Errorf("%q is a salt", text)
		}
	}
}

// FuzzParse checks that each accepted leaf has exactly one form.
func FuzzParse(f *testing.F) {
	for n := range 6 {
		b, err := Marshal(leaf(n))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte("\x02\x01 a later form"))
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := Parse(b)
		if err != nil {
			return
		}
		back, err := Marshal(l)
		if err != nil || !bytes.Equal(back, b) {
			t.Errorf("%x became %x, %v", b, back, err)
		}
		if _, unknown := l.(Unknown); !unknown && l.kind() != Kind(b[1]) {
			t.Errorf("%x is of kind %d", b, l.kind())
		}
	})
}

// FuzzCheckpoint checks that the values of an accepted checkpoint give its first lines again.
func FuzzCheckpoint(f *testing.F) {
	s, err := newSigner(origin)
	if err != nil {
		f.Fatal(err)
	}
	c, err := signCheckpoint(origin, tlog.Tree{N: 7}, s)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(c.Text)
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := ParseCheckpoint(b)
		if err != nil {
			return
		}
		again, err := signCheckpoint(c.Origin, c.tree(), s)
		if err != nil {
			t.Fatal(err)
		}
		text, _, _ := bytes.Cut(again.Text, []byte("\n\n"))
		if !bytes.HasPrefix(b, text) {
			t.Errorf("%q became %q", b, again.Text)
		}
	})
}

// FuzzBundle checks that the entries of a bundle make up the bundle again.
func FuzzBundle(f *testing.F) {
	f.Add([]byte("\x00\x01a\x00\x00\x00\x02bc"), byte(3))
	f.Fuzz(func(t *testing.T, b []byte, n byte) {
		entries, rest, err := cutBundle(b, int(n))
		if err != nil {
			return
		}
		var again []byte
		for _, entry := range entries {
			again = appendEntry(again, entry)
		}
		if len(entries) != int(n) || !bytes.Equal(again, b[:len(b)-rest]) {
			t.Errorf("%x became %x", b, again)
		}
	})
}

// FuzzProof checks that no proof holds for a leaf that its checkpoint does not have.
func FuzzProof(f *testing.F) {
	o := options(f)
	w := mustCreate(f, o)
	mustAppend(f, w, 0, 20)
	reader, err := OpenReader(o.Folder)
	if err != nil {
		f.Fatal(err)
	}
	key := w.Keys()[0].Key
	for _, index := range []int64{0, 7, 20} {
		proof, err := reader.Proof(index)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(proof)
		f.Add(bytes.Replace(proof, []byte("@v1\n"), []byte("@v1\nextra eA==\n"), 1))
	}
	seventh, err := Marshal(leaf(6))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if at, _, err := CheckProof(b, seventh, key); err == nil && at != 7 {
			t.Errorf("leaf %d", at)
		}
	})
}
