// Copyright 2014-2024 Richard Lehane. Licensed under the Apache License, Version 2.0.
// Changed for Quire: see doc.go.

package matcher

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/richardlehane/characterize"
)

// Identification is a format that fits the content.
type Identification struct {
	ID      string // "fmt/11"; "" if none fits
	Name    string
	Version string
	MIME    string
	Basis   []string // the evidence
	Warning string
	score   int
}

// The evidence in a score. Matches of bytes and containers count up from scoreStrong.
const (
	scoreExtension = 1 << iota
	scoreMIME
	scoreText
	scoreStrong
)

// Settings of a signature file for several matches.
const (
	multiSingle = iota
	multiConclusive
	multiPositive
	multiComprehensive
	multiExhaustive
	multiDROID
)

// The formats that siegfried treats on their own.
const (
	idText = "x-fmt/111"
	idZIP  = "x-fmt/263"
)

// recorder collects the matches for one content.
type recorder struct {
	*registry
	found     []Identification
	strong    int // score of the last match of bytes or a container
	satisfied bool
	hasName   bool
	hasMIME   bool
	hasText   bool
}

func (x *index) id(signature int) (string, bool) {
	if i := signature - x.start; i >= 0 && i < len(x.ids) {
		return x.ids[i], true
	}
	return "", false
}

// place returns which of a format's signatures this is, and how many it has.
func (x *index) place(signature int) (nth, all int) {
	i := signature - x.start
	first, last := i, i
	for first > 0 && x.ids[first-1] == x.ids[i] {
		first--
	}
	for last+1 < len(x.ids) && x.ids[last+1] == x.ids[i] {
		last++
	}
	return i - first + 1, last - first + 1
}

// signatures returns the signatures of the formats found so far.
func (x *index) signatures(found []Identification) []int {
	var list []int
	for i := range found {
		list = append(list, x.of[found[i].ID]...)
	}
	return list
}

// add adds evidence for a format.
func (r *recorder) add(id, basis string, score int) {
	for i := range r.found {
		if r.found[i].ID == id {
			r.found[i].score += score
			r.found[i].Basis = append(r.found[i].Basis, basis)
			return
		}
	}
	f := r.formats[id]
	r.found = append(r.found, Identification{ID: id, Name: f.name, Version: f.version, MIME: f.mime,
		Basis: []string{basis}, score: score})
}

func (r *recorder) weak(x *index, score int) func(int, string) {
	return func(signature int, basis string) {
		if id, ok := x.id(signature); ok {
			r.add(id, basis, score)
		}
	}
}

// match records a match of bytes or of a container.
func (r *recorder) match(x *index) func(int, string) {
	return func(signature int, basis string) {
		id, ok := x.id(signature)
		if !ok {
			return
		}
		r.strong += scoreStrong
		if nth, all := x.place(signature); all > 1 {
			basis += fmt.Sprintf(" (signature %d/%d)", nth, all)
		}
		r.add(id, basis, r.strong)
	}
}

// zipByDefault records a ZIP archive by its extension.
func (r *recorder) zipByDefault() {
	if r.zipDefault {
		r.strong += scoreStrong
		r.add(idZIP, "container match with trigger and default extension", r.strong)
	}
}

// matchText records the text.
func (r *recorder) matchText(kind characterize.CharType) {
	if r.texts.start == 1 && len(r.texts.ids) > 0 && !r.satisfied {
		r.add(r.texts.ids[0], "text match "+kind.String(), scoreText)
	}
}

// isSatisfied reports whether the evidence so far suffices to omit a matcher, the matcher of texts
// or another.
func (r *recorder) isSatisfied(text bool) bool {
	if r.multi >= multiComprehensive && r.multi != multiDROID {
		return false
	}
	if r.strong < scoreStrong {
		if len(r.found) == 0 || !text {
			return false
		}
		for i := range r.found {
			if r.found[i].ID == idText {
				return false
			}
		}
	}
	r.satisfied = true
	return true
}

// suggested returns the signatures of the formats found so far: the pivots of a matcher.
func (r *recorder) suggested(x *index) []int {
	if r.multi >= multiComprehensive && r.multi != multiDROID {
		return nil
	}
	return x.signatures(r.found)
}

// byScore sorts the best first, like siegfried: sort.Sort, which orders equal scores in its own way.
type byScore []Identification

func (b byScore) Len() int           { return len(b) }
func (b byScore) Less(i, j int) bool { return b[j].score < b[i].score }
func (b byScore) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

// report returns the identifications, the best first; at least one.
func (r *recorder) report() []Identification {
	if len(r.found) == 0 {
		return []Identification{{Warning: "no match"}}
	}
	sort.Sort(byScore(r.found))
	if r.multi == multiExhaustive {
		for i := range r.found {
			r.warn(&r.found[i])
		}
		return r.found
	}
	best := r.found[0].score
	if best <= scoreText && !r.onlyOne(best) {
		return []Identification{r.undecided(best)}
	}
	if r.multi == multiSingle && len(r.found) > 1 && r.found[0].score == r.found[1].score {
		return []Identification{{Warning: "multiple matches " + ids(r.found, r.found[0].score)}}
	}
	kept := r.found[:r.reported(best)]
	for i := range kept {
		r.warn(&kept[i])
	}
	if len(kept) > 1 && r.multi == multiDROID {
		kept = r.preferredOf(kept)
	}
	return kept
}

// onlyOne keeps the one format that weak evidence allows: without signatures, which would have
// matched. It reports whether there is exactly one.
func (r *recorder) onlyOne(best int) bool {
	var only []Identification
	for _, f := range r.found {
		if best > scoreMIME && f.score != best {
			break
		}
		if f.ID == idText && best < scoreText && r.hasText {
			continue
		}
		if r.containers.of[f.ID] != nil || r.bytes.of[f.ID] != nil {
			continue
		}
		if len(only) > 0 {
			return false
		}
		only = append(only, f)
	}
	if len(only) != 1 {
		return false
	}
	r.found = only
	return true
}

// undecided is the result without a decision between weak evidence.
func (r *recorder) undecided(score int) Identification {
	for i := range r.found {
		score |= r.found[i].score
	}
	return Identification{Warning: fmt.Sprintf("no match; possibilities based on %v are %v", evidence(score),
		ids(r.found, -1))}
}

// ids lists the formats at the beginning of found with at least a score.
func ids(found []Identification, least int) string {
	var list []string
	for i := range found {
		if found[i].score < least {
			break
		}
		list = append(list, found[i].ID)
	}
	return strings.Join(list, ", ")
}

// reported returns how many of the best formats are reported.
func (r *recorder) reported(best int) int {
	for i := 1; i < len(r.found); i++ {
		switch r.multi {
		case multiSingle:
			return i
		case multiConclusive:
			if r.found[i].score < best {
				return i
			}
		default:
			if r.found[i].score < scoreStrong {
				return i
			}
		}
	}
	return len(r.found)
}

// preferredOf returns the formats to which none of the others is preferred.
func (r *recorder) preferredOf(found []Identification) []Identification {
	var kept []Identification
	for _, f := range found {
		if !slices.ContainsFunc(found, func(other Identification) bool {
			return slices.Contains(r.preferred[f.ID], other.ID)
		}) {
			kept = append(kept, f)
		}
	}
	return kept
}

// warn adds the warnings about missing and contradicting evidence.
func (r *recorder) warn(f *Identification) {
	var warnings []string
	if f.score <= scoreText {
		warnings = append(warnings, "match on "+evidence(f.score)+" only")
	}
	if r.hasName && f.score&scoreExtension == 0 && r.names.of[f.ID] != nil {
		warnings = append(warnings, "extension mismatch")
	}
	if r.hasMIME && f.score&scoreMIME == 0 && r.mimes.of[f.ID] != nil {
		warnings = append(warnings, "MIME mismatch")
	}
	f.Warning = strings.Join(warnings, "; ")
}

// evidence names the weak evidence in a score.
func evidence(score int) string {
	var list []string
	for _, e := range []struct {
		score int
		name  string
	}{{scoreExtension, "extension"}, {scoreMIME, "MIME"}, {scoreText, "text"}} {
		if score&e.score != 0 {
			list = append(list, e.name)
		}
	}
	if n := len(list); n > 1 {
		return strings.Join(list[:n-1], ", ") + " and " + list[n-1]
	}
	return strings.Join(list, "")
}
