package ocfl

import (
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"testing"
	"testing/fstest"
	"time"
)

// bigInventory returns an inventory with one version of n files.
func bigInventory(n int) *Inventory {
	inv := &Inventory{ID: "urn:example:big", Type: InventoryType, DigestAlgorithm: SHA512, Head: "v1",
		Manifest: make(map[string][]string, n),
		Versions: map[string]*Version{"v1": {Created: time.Unix(0, 0).UTC(), State: make(map[string][]string, n)}}}
	for i := range n {
		sum := sha512.Sum512([]byte{byte(i), byte(i >> 8), byte(i >> 16)})
		digest, name := hex.EncodeToString(sum[:]), fmt.Sprintf("data/%03d/page-%06d.html", i%1000, i)
		inv.Manifest[digest] = []string{"v1/content/" + name}
		inv.Versions["v1"].State[digest] = []string{name}
	}
	return inv
}

func BenchmarkParseInventory(b *testing.B) {
	text, err := bigInventory(200_000).Marshal()
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseInventory(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMarshal(b *testing.B) {
	inv := bigInventory(200_000)
	b.ReportAllocs()
	for b.Loop() {
		text, err := inv.Marshal()
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(text)))
	}
}

// BenchmarkValidateObject reads 256 MB of content from memory: mainly the cost of SHA-512.
func BenchmarkValidateObject(b *testing.B) {
	s := newSample(b)
	m := s.seal()
	big := make([]byte, 64<<20)
	inv, err := ParseInventory([]byte(s.v2))
	if err != nil {
		b.Fatal(err)
	}
	for i := range 4 {
		big[0] = byte(i)
		sum := sha512.Sum512(big)
		name := fmt.Sprintf("big%d.warc", i)
		inv.Manifest[hex.EncodeToString(sum[:])] = []string{"v2/content/" + name}
		inv.Versions["v2"].State[hex.EncodeToString(sum[:])] = []string{name}
		m[sampleDir+"/v2/content/"+name] = &fstest.MapFile{Data: append([]byte(nil), big...)}
	}
	text := marshal(b, inv)
	for _, folder := range []string{"", "v2/"} {
		put(m, folder+InventoryFile, text)
		name, sidecar := Sidecar(SHA512, sum(SHA512, text))
		put(m, folder+name, string(sidecar))
	}
	b.SetBytes(4 * int64(len(big)))
	b.ReportAllocs()
	for b.Loop() {
		if r := ValidateObject(b.Context(), m, sampleDir, Options{}); !r.Valid() {
			b.Fatal(r.Errors)
		}
	}
}
