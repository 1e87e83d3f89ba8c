package inspect

import (
	"math/rand"
	"testing"

	"quire/internal/prove"
)

// DamagedFile is a damaged container of the corpus, for tests of other packages.
type DamagedFile struct {
	About    string // the container and the damage
	Name     string // of the file
	ARC      bool
	File     []byte
	Unhurt   map[string]string // the undamaged records that can be found: their texts by id
	Hurt     map[string]string // the other records, as they were
	From, To int               // the range of the file outside the undamaged records
	Sound    bool              // that range is a sequence of valid records: its damage cannot be detected
}

// EachDamagedFile visits the files of the corpus of TestRandomDamage.
func EachDamagedFile(t *testing.T, arc bool, compression string, visit func(*DamagedFile)) {
	t.Helper()
	seedOfContainers, seedOfDamages := damageSeeds(t)
	containers := soundContainers(t, seedOfContainers, arc, compression)
	random := rand.New(rand.NewSource(seedOfDamages)) //nolint:gosec // the same damages every time
	for range prove.Rounds(25, 60, 400) {
		s := &containers[random.Intn(len(containers))]
		d := randomDamage(random, s)
		r := d.left(s)
		if unrecognised(s, &r) {
			continue
		}
		f := &DamagedFile{About: s.name + ", " + d.String(), Name: s.fileName(), ARC: arc, File: r.file, From: r.from,
			To: r.to, Unhurt: map[string]string{}, Hurt: map[string]string{}}
		for i := range s.pieces {
			f.Hurt[s.pieces[i].id] = s.pieces[i].text
		}
		for _, p := range r.unhurt {
			if !r.swallows(s, p) {
				f.Unhurt[p.id] = f.Hurt[p.id]
			} else {
				f.Sound = true
			}
			delete(f.Hurt, p.id)
		}
		f.Sound = f.Sound || r.from >= r.to || soundRecords(s, r.file[r.from:r.to], r.to == len(r.file))
		visit(f)
	}
}
