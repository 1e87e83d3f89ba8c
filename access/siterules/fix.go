package siterules

import (
	"context"
	"regexp"
	"time"

	"quire/internal/yamlfile"
)

// Fix changes the text of a body, so that a page works in an archive.
type Fix struct {
	Types   []string `json:"types"`   // media types of the body
	Replace string   `json:"replace"` // a regular expression
	With    string   `json:"with"`    // its replacement, with groups of Replace

	replace *regexp.Regexp
	by      string // rule, and its file
}

// Bounds on fixes: bytes of a body, fixes of a body, and replacements by one fix. A body beyond them
// stays as captured.
const (
	MaxFixed     = 2 << 20
	maxFixes     = 16
	maxReplaced  = 1000
	maxGrowth    = 64 << 10
	maxFixesEach = 20
)

// Fixes returns the fixes for the body of a URL and a media type.
func (s *Set) Fixes(url, mime string) (all []*Fix) {
	if !s.fixing {
		return nil
	}
	at := placeOf(url)
	for i := range s.Rules {
		r := &s.Rules[i]
		if len(r.Fixes) == 0 || !r.applies(&at) {
			continue
		}
		for j := range r.Fixes {
			if isOf(r.Fixes[j].Types, mime) && len(all) < maxFixes {
				all = append(all, &r.Fixes[j])
			}
		}
	}
	return all
}

// maxFixing bounds the time of all fixes of a body. One match takes time that is linear in the body, but each match may
// read to its end: x([^y]*y)? does so in a body of many x.
const maxFixing = time.Second

// Apply applies fixes to a body in their order. by lists the rules that changed something, each with
// name and version of its file. If the time is over, or ctx is done, it returns an error: then the body stays as
// captured. Both are looked at between matches.
func Apply(ctx context.Context, fixes []*Fix, body []byte) (out []byte, by []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, maxFixing)
	defer cancel()
	return apply(ctx, fixes, body)
}

func apply(ctx context.Context, fixes []*Fix, body []byte) (out []byte, by []string, err error) {
	out = body
	for _, f := range fixes {
		fixed, ok, err := f.apply(ctx, out)
		if err != nil {
			return body, nil, err
		}
		if !ok {
			continue
		}
		out = fixed
		if len(by) == 0 || by[len(by)-1] != f.by {
			by = append(by, f.by)
		}
	}
	return out, by, nil
}

// apply applies one fix; ok is false if it changes nothing, or too much.
func (f *Fix) apply(ctx context.Context, body []byte) (out []byte, ok bool, err error) {
	n, err := f.count(ctx, body)
	if n == 0 || n > maxReplaced || err != nil {
		return body, false, err
	}
	from := 0
	for _, m := range f.replace.FindAllSubmatchIndex(body, -1) {
		out = append(out, body[from:m[0]]...)
		out = f.replace.Expand(out, []byte(f.With), body, m)
		if from = m[1]; len(out) > 2*len(body)+maxGrowth {
			return body, false, nil
		}
	}
	return append(out, body[from:]...), true, nil
}

// count counts the matches in a body, up to one more than allowed. It is the search that can be stopped between two
// matches: the one for their groups cannot, and takes about as long.
func (f *Fix) count(ctx context.Context, body []byte) (n int, err error) {
	type enough struct{}
	defer func() {
		if p := recover(); p != nil && p != (enough{}) {
			panic(p)
		}
	}()
	if err = ctx.Err(); err != nil {
		return 0, err
	}
	f.replace.ReplaceAllFunc(body, func([]byte) []byte {
		n++
		if err = ctx.Err(); err != nil || n > maxReplaced {
			panic(enough{}) // regexp has no other way to end a search
		}
		return nil
	})
	return n, ctx.Err()
}

func readFixes(n *yamlfile.Node) (all []Fix) {
	n.Items(func(n *yamlfile.Node) {
		f := Fix{}
		with := false
		begin := n.Problems()
		n.Fields(map[string]func(*yamlfile.Node){
			"types":   func(n *yamlfile.Node) { f.Types = readTypes(n) },
			"replace": func(n *yamlfile.Node) { f.Replace, f.replace = expression(n) },
			"with": func(n *yamlfile.Node) {
				if f.With, with = n.Value(), true; len(f.With) > maxExpression {
					n.Fail("is longer than %d bytes", maxExpression)
				}
			},
		})
		switch {
		case n.Problems() > begin:
		case f.Replace == "" || len(f.Types) == 0 || !with:
			n.Fail("needs types, replace and with: the media types, an expression, and its replacement (may be '')")
		case f.replace.MatchString(""):
			n.Fail("replace matches an empty text, and so everywhere")
		default:
			template(n, "with", f.With, f.replace)
		}
		all = append(all, f)
	})
	if len(all) == 0 || len(all) > maxFixesEach {
		n.Fail("has %d fixes; it may have 1 to %d", len(all), maxFixesEach)
	}
	return all
}
