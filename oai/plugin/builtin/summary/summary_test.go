package summary_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"quire/oai/plugin/builtin/summary"
	"quire/preserve/prose"
)

const text = `The harbour museum keeps forty ships. Tickets are sold at the door. The ships of the museum can ` +
	`be visited, and the oldest ships of the
harbour sail on Sundays. There is a café with a view. Ships that sail need care, so the museum has a wharf.

Write to us. The wharf of the museum restores wooden ships with tools of their time.`

func TestOf(t *testing.T) {
	got := summary.Of(prose.FromPlain([]byte(text), ""), summary.Options{Sentences: 3})
	want := []string{
		"The harbour museum keeps forty ships.", "Ships that sail need care, so the museum has a wharf.",
		"The wharf of the museum restores wooden ships with tools of their time.",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
}

func TestBounds(t *testing.T) {
	if got := summary.Of(prose.FromPlain([]byte(text), ""),
		summary.Options{Sentences: 50, Bytes: 110}); len(strings.Join(got, " ")) > 110 || len(got) < 2 {
		t.Errorf("%q", got)
	}
	if got := summary.Of(&prose.Text{}, summary.Options{}); got != nil {
		t.Errorf("%q", got)
	}
	if got := summary.Of(prose.FromPlain([]byte("Closed."), ""), summary.Options{}); fmt.Sprint(got) != "[Closed.]" {
		t.Errorf("%q", got)
	}
	twice := "The same sentence is said again in every paragraph. "
	if got := summary.Of(prose.FromPlain([]byte(twice+twice+twice), ""), summary.Options{}); len(got) != 1 {
		t.Errorf("%q", got)
	}
}

func FuzzOf(f *testing.F) {
	f.Add(text, 3, 200)
	f.Fuzz(func(t *testing.T, text string, sentences, bytes int) {
		sentences, bytes = 1+(sentences&31), 1+(bytes&1023)
		p := prose.FromPlain([]byte(text), "")
		got := summary.Of(p, summary.Options{Sentences: sentences, Bytes: bytes})
		if len(got) > sentences || len(strings.Join(got, " ")) > bytes {
			t.Errorf("%q", got)
		}
		all := strings.Join(p.Paragraphs, " ")
		for _, s := range got {
			if !strings.Contains(all, s) {
				t.Errorf("%q is not in the text", s)
			}
		}
	})
}

func ExampleOf() {
	t := prose.FromPlain([]byte(text), "text/plain; charset=utf-8")
	fmt.Println(strings.Join(summary.Of(t, summary.Options{Sentences: 1}), " "))
	// Output: The harbour museum keeps forty ships.
}
