package spool

import (
	"os"
	"slices"
	"testing"
)

func TestValuesComeBackInOrderAsOftenAsAsked(t *testing.T) {
	dir := t.TempDir()
	s, err := New[[]string](dir)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"a", "\xff"}, {"b"}, {"c", "d"}}
	for _, v := range want {
		if err := s.Add(v); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		var got [][]string
		for v, err := range s.All() {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, v)
		}
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("came back as %q", got)
		}
	}
	for v, err := range s.All() {
		if err != nil || !slices.Equal(v, want[0]) {
			t.Errorf("the first is %q, %v", v, err)
		}
		break
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestErrorsAreTold(t *testing.T) {
	if _, err := New[int]("/nonexistent/folder"); err == nil {
		t.Error("a spool in a folder that is not there")
	}
	s, err := New[int](t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Add(1); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, err := range s.All() {
		if n++; err == nil {
			t.Error("a closed spool returns values")
		}
	}
	if n != 1 {
		t.Errorf("%d steps after the error", n)
	}
}
