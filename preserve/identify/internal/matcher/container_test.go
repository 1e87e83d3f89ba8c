package matcher_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"quire/preserve/identify/internal/matcher"
)

// TestContainersLikeSiegfried compares the answers on ZIP archives with the entries and the texts of
// signatures, sound and damaged.
func TestContainersLikeSiegfried(t *testing.T) {
	rounds := 4000
	if testing.Short() {
		rounds = 500
	}
	_, own := signatures()
	names, texts := matcher.Entries(own)
	r := rand.New(rand.NewPCG(17, 5))
	differences, identified := 0, 0
	for i := 0; i < rounds && differences < maxDifferences; i++ {
		b := randomZIP(t, r, names, texts)
		if r.IntN(3) == 0 {
			for range 1 + r.IntN(3) {
				b[r.IntN(len(b)*2/3)] = byte(r.IntN(256)) // the list of entries is at the end
			}
		}
		extension := []string{"", "zip", "docx", "ods", "epub"}[r.IntN(5)]
		if !compare(t, fmt.Sprintf("round %d", i), b, extension, "") {
			differences++
		}
		if got, _ := answers(b, "", ""); !bytes.Contains([]byte(got[0]), []byte("UNKNOWN")) &&
			!bytes.Contains([]byte(got[0]), []byte("x-fmt/263")) {
			identified++
		}
	}
	if identified < rounds/20 {
		t.Errorf("%d of %d archives are more than an archive: the test compares too little", identified, rounds)
	}
}

// randomZIP returns an archive of few entries.
func randomZIP(t *testing.T, r *rand.Rand, names []string, texts [][][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for range 1 + r.IntN(6) {
		i := r.IntN(len(names))
		method := zip.Deflate
		if r.IntN(2) == 0 {
			method = zip.Store
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: names[i], Method: method})
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(names[i], "/") {
			continue // a folder
		}
		if _, err := w.Write(randomEntry(r, texts[i])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// randomEntry returns texts, with other bytes before and behind them.
func randomEntry(r *rand.Rand, texts [][]byte) (b []byte) {
	if r.IntN(3) == 0 {
		b = append(b, bytes.Repeat([]byte("<x/> "), r.IntN(3000))...)
	}
	for range r.IntN(5) {
		if len(texts) > 0 {
			b = append(b, texts[r.IntN(len(texts))]...)
		}
	}
	if r.IntN(3) == 0 {
		b = append(b, bytes.Repeat([]byte{byte(r.IntN(256)), 0, 9}, r.IntN(4000))...)
	}
	return b
}
