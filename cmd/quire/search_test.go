package main

import (
	"strings"
	"testing"

	"quire/internal/prove"
)

// If the repository was never indexed, a search without hits states this and the next step.
func TestSearchNeverIndexed(t *testing.T) {
	prove.Serial(t)
	workplace(t)
	for _, args := range []string{"pack crawl --out p --id one", "pack twin.warc --out p2 --id two", "init r"} {
		if status, out, errs := call(t, strings.Fields(args)...); status != exitGood {
			t.Fatalf("quire %s: status %d, %s%s", args, status, out, errs)
		}
	}
	const never = "the repository was never indexed, so no search can find anything"
	const next = "quire index --repo r brings the index up to date"
	step := func(args string, want bool, words ...string) {
		t.Helper()
		status, out, errs := call(t, strings.Fields(args)...)
		for _, w := range words {
			if status != exitGood || strings.Contains(out+errs, w) != want {
				t.Errorf("quire %s: status %d; %q is said: %t, want %t:\n%s%s", args, status, w, !want, want, out, errs)
			}
		}
	}
	step("search boats --repo r", false, never) // it is empty
	step("ingest p --repo r", true, "stored")
	step("search boats --repo r", true, never, next, "0 pages")
	step("search boats --repo r --json", true, `"indexing":"`+never+`"`, next)
	step("index --repo r", true, "")
	step("search boats --repo r", false, never, next)
	step("search boats --repo r --json", false, `"indexing"`)
	step("ingest p2 --repo r", true, "stored")
	step("search boats --repo r", false, never)
	step("search boats --repo r", true, "1 package is not in the text index as it is now", next)
}
