package detect

import (
	"cmp"
	"context"
	"path"
	"regexp"
	"slices"
	"strings"

	"quire/internal/archivefs"
	"quire/source"
)

// claims collects the claims of the readers in a Tree. A reader that meets damage claims nothing,
// and this is reported. The error is a system error.
func claims(ctx context.Context, t *archivefs.Tree, readers []source.Reader,
	tell func(reader string, err error)) ([]source.Claim, error) {
	var all []source.Claim
	for _, r := range readers {
		found, err := r.Find(ctx, t)
		if err != nil && (ctx.Err() != nil || isMachine(err)) {
			return nil, err
		}
		if err != nil {
			tell(r.Name(), err)
		}
		for _, c := range found {
			c.Files = slices.DeleteFunc(slices.Clone(c.Files), func(p string) bool { return t.Find(p) == nil })
			if len(c.Files) > 0 {
				all = append(all, c)
			}
		}
	}
	return all, nil
}

// arbiter assigns each file of a Tree to one reader.
type arbiter struct {
	tree    *archivefs.Tree
	readers []source.Reader
	tell    func(reader string, err error)
	claims  []source.Claim
	visited []bool
	found   []Found
	taken   map[string]int // path to the index of its owner in found
}

// arbitrate decides between claims. When a claim loses some of its files, its reader runs again
// with only the remaining files. So each reader reads exactly the files that it keeps.
func arbitrate(ctx context.Context, t *archivefs.Tree, readers []source.Reader,
	tell func(reader string, err error)) (*arbiter, error) {
	all, err := claims(ctx, t, readers, tell)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b source.Claim) int {
		return cmp.Or(cmp.Compare(depth(b.Root), depth(a.Root)), cmp.Compare(rank(a.Reader), rank(b.Reader)),
			strings.Compare(a.Reader, b.Reader), strings.Compare(a.Root, b.Root))
	})
	a := &arbiter{tree: t, readers: readers, tell: tell, claims: all, visited: make([]bool, len(all)),
		taken: map[string]int{}}
	for i := range all {
		if err := a.visit(ctx, i); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// depth returns the number of folders around a root.
func depth(root string) int {
	if root == "." {
		return 0
	}
	return 1 + strings.Count(root, "/")
}

// visit settles the stronger claims first, and then the claim.
func (a *arbiter) visit(ctx context.Context, i int) error {
	if a.visited[i] {
		return nil
	}
	a.visited[i] = true
	for j := range a.claims {
		if !a.visited[j] && stronger(a.claims[j], a.claims[i]) {
			if err := a.visit(ctx, j); err != nil {
				return err
			}
		}
	}
	return a.settle(ctx, a.claims[i])
}

// stronger reports whether the first of two claims in nested folders takes precedence: by right,
// else by the deeper folder, or in one folder by the precedence of the readers.
func stronger(one, other source.Claim) bool {
	switch {
	case one.Reader == other.Reader, !within(one.Root, other.Root) && !within(other.Root, one.Root):
		return false
	case byRight(one, other):
		return true
	case byRight(other, one):
		return false
	case one.Root == other.Root:
		return rank(one.Reader) < rank(other.Reader)
	}
	return depth(one.Root) > depth(other.Root)
}

// byRight reports whether a claim takes precedence over one in a deeper folder. Either its system
// explains the other's files, or it is a mirror and the other's folder is content of a host.
func byRight(wide, deep source.Claim) bool {
	return within(deep.Root, wide.Root) &&
		(slices.Contains(explains[wide.Reader], deep.Reader) || isMirror[wide.Reader] &&
			amongContent(deep.Root, wide.Root))
}

// host matches the folder name of a host in a mirror: a name with a dot, or an address, often with
// a port.
var host = regexp.MustCompile(`^(([A-Za-z0-9-]+\.)+[A-Za-z0-9-]+|localhost)([_:+]\d+)?$`)

// amongContent reports whether a mirror saved this folder from a host. A crawl log in such a folder
// was downloaded from the web, and does not describe the crawl.
func amongContent(root, mirror string) bool {
	below := root
	if mirror != "." {
		below = strings.TrimPrefix(strings.TrimPrefix(root, mirror), "/")
	}
	first, _, _ := strings.Cut(below, "/")
	return first != "." && host.MatchString(first)
}

// within reports whether a root is equal to another one or below it.
func within(root, wider string) bool {
	return wider == "." || root == wider || strings.HasPrefix(root, wider+"/")
}

// settle assigns the remaining files to a claim.
func (a *arbiter) settle(ctx context.Context, c source.Claim) error {
	lost := map[int]int{} // number of files by new owner
	for _, p := range c.Files {
		if owner, ok := a.taken[p]; ok && a.found[owner].Reader != c.Reader {
			lost[owner]++
		}
	}
	if len(lost) == 0 {
		a.take(c)
		return nil
	}
	kept, rest, err := a.rerun(ctx, c)
	if err != nil {
		return err
	}
	for owner, files := range lost {
		o := &a.found[owner]
		o.Overridden = append(o.Overridden, Overridden{Claim: c, Lost: files, Kept: kept, Why: whyOver(o.Claim, c)})
	}
	if kept {
		a.take(rest)
	}
	return nil
}

// rerun runs the reader of a claim again in the same folder, without the files of others.
func (a *arbiter) rerun(ctx context.Context, c source.Claim) (kept bool, rest source.Claim, err error) {
	left := a.tree.Only(func(p string) bool {
		owner, taken := a.taken[p]
		return !taken || a.found[owner].Reader == c.Reader
	})
	for _, r := range a.readers {
		if r.Name() != c.Reader {
			continue
		}
		found, err := claims(ctx, left, []source.Reader{r}, a.tell)
		if err != nil {
			return false, rest, err
		}
		most := 0
		for _, one := range found {
			if n := common(one.Files, c.Files); one.Root == c.Root && n > most {
				most, kept, rest = n, true, one
			}
		}
	}
	return kept, rest, nil
}

// common returns the number of common elements of two lists.
func common(a, b []string) int {
	in := map[string]bool{}
	for _, p := range a {
		in[p] = true
	}
	n := 0
	for _, p := range b {
		if in[p] {
			n++
		}
	}
	return n
}

// take turns a claim into a harvest. Files of another harvest of the same reader are shared.
func (a *arbiter) take(c source.Claim) {
	f := Found{Claim: c, Tree: a.tree}
	for _, p := range c.Files {
		if _, shared := a.taken[p]; shared {
			f.Shared = append(f.Shared, p)
		} else {
			a.taken[p] = len(a.found)
		}
	}
	a.found = append(a.found, f)
}

// whyOver returns the reason why one claim wins files from another.
func whyOver(won, lost source.Claim) string {
	switch {
	case isMirror[won.Reader] && amongContent(lost.Root, won.Root):
		return "it is in content that " + won.Reader + " saved from a host: it was on the web"
	case slices.Contains(explains[won.Reader], lost.Reader):
		return won.Reader + " explains what " + lost.Reader + " finds: the crawler ran for it"
	case depth(won.Root) > depth(lost.Root):
		return "the folder " + path.Base(won.Root) + " is more specific"
	}
	return won.Reader + " goes before " + lost.Reader
}
