package matcher

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/richardlehane/match/dwac"
)

// TestSearchLikeDwac compares the places that are found, and their order, with those of the
// automaton that siegfried uses: forwards and backwards, and behind its pause.
func TestSearchLikeDwac(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 17))
	pauses, found := 0, 0
	for round := range 3000 {
		seqs := randomSeqs(r)
		data := randomText(r, r.IntN(400))
		only := randomOnly(r, seqs)
		for _, reverse := range []bool{false, true} {
			want, paused := byDwac(seqs, data, reverse, only)
			got := bySearch(t, seqs, data, reverse, only)
			if !slices.Equal(got, want) {
				t.Fatalf("round %d, reverse %t, in %q:\n%v\ngot  %v\nwant %v", round, reverse, data, seqs, got, want)
			}
			found += len(got)
			if paused {
				pauses++
			}
		}
	}
	if pauses < 100 || found < 10_000 {
		t.Errorf("%d pauses and %d places compare too little", pauses, found)
	}
}

// randomText returns n bytes of few kinds, so that texts match often.
func randomText(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = "aaabbcdxyz"[r.IntN(10)]
	}
	return b
}

func randomSeqs(r *rand.Rand) []dwac.Seq {
	seqs := make([]dwac.Seq, 1+r.IntN(6))
	for i := range seqs {
		s := &seqs[i]
		limit := int64(r.IntN(120) - 20)
		for range 1 + r.IntN(3) {
			if limit = max(limit, -1); limit >= 0 {
				limit += int64(r.IntN(40))
			}
			s.MaxOffsets = append(s.MaxOffsets, limit)
			var c dwac.Choice
			for range 1 + r.IntN(3) {
				text := randomText(r, 1+r.IntN(4))
				if text = bytes.Trim(text, "xyz"); len(text) > 0 && !slices.ContainsFunc(c, func(b []byte) bool {
					return bytes.Equal(b, text)
				}) {
					c = append(c, text)
				}
			}
			s.Choices = append(s.Choices, c)
		}
	}
	return seqs
}

// randomOnly returns the choices that are searched behind the pause.
func randomOnly(r *rand.Rand, seqs []dwac.Seq) (only []dwac.SeqIndex) {
	for i, s := range seqs {
		if from := r.IntN(len(s.Choices)); r.IntN(2) == 0 && s.MaxOffsets[from] == -1 {
			only = append(only, dwac.SeqIndex{i, from})
		}
	}
	return only
}

func byDwac(seqs []dwac.Seq, data []byte, reverse bool, only []dwac.SeqIndex) (places []string, paused bool) {
	if reverse {
		data = slices.Clone(data)
		slices.Reverse(data)
	}
	results, resume := dwac.New(seqs).Index(bytes.NewReader(data))
	for p := range results {
		if p.Index[0] == -1 {
			paused = true
			resume <- only
			continue
		}
		places = append(places, fmt.Sprint(p.Index, p.Offset, p.Length))
	}
	return places, paused
}

func bySearch(t *testing.T, seqs []dwac.Seq, data []byte, reverse bool, only []dwac.SeqIndex) (places []string) {
	set := &seqSet{}
	tree := 0
	for _, s := range seqs {
		q := seq{}
		for i, c := range s.Choices {
			q.max = append(q.max, int(s.MaxOffsets[i]))
			q.choices = append(q.choices, c)
		}
		set.seqs, set.trees = append(set.seqs, q), append(set.trees, tree)
		tree += len(s.Choices)
	}
	s, err := newSearcher(set)
	if err != nil {
		t.Fatal(err)
	}
	run, all := s.get(), s.plan(nil)
	run.begin(data, reverse)
	add := func(h hit) *plan {
		c := s.choices[h.choice]
		places = append(places, fmt.Sprint([2]int{c.seq, c.sub}, h.start, h.end-h.start))
		return all
	}
	if reverse {
		data = slices.Clone(data)
		slices.Reverse(data)
	}
	pause, paused := s.pause(data)
	run.run(all, pause, add)
	if paused && s.wild && len(only) > 0 {
		run.only = make([]int, len(seqs))
		for _, o := range only {
			run.only[o[0]] = o[1] + 1
		}
		run.run(all, len(data), add)
	}
	return places
}
