package main

import (
	"context"
	"os"
	"strings"
	"testing"
)

// TestFindingsOverwriteNothing names a container in the wrong place; it may be an archive's only
// copy.
func TestFindingsOverwriteNothing(t *testing.T) {
	workplace(t)
	status, _, errs := call(t, "inspect", "--findings", "bad.warc", "bad.warc")
	if status != exitCall || !strings.Contains(errs, "nothing is overwritten") {
		t.Errorf("status %d, %s", status, errs)
	}
	if left, err := os.ReadFile("bad.warc"); err != nil || string(left) != container[:len(container)-10] {
		t.Errorf("the container is now %q, %v", left, err)
	}
}

// TestFindingsGoAnywhere writes findings to a device or a pipe, which cannot be synced. A full one
// is reported once.
func TestFindingsGoAnywhere(t *testing.T) {
	workplace(t)
	if status, _, errs := call(t, "inspect", "--findings", os.DevNull, "bad.warc"); status != exitContent ||
		errs != "" {
		t.Errorf("to %s: status %d, %s", os.DevNull, status, errs)
	}
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full on this system")
	}
	status, _, errs := call(t, "inspect", "--findings", "/dev/full", "bad.warc")
	if status != exitCall || strings.Count(errs, "/dev/full") != 1 {
		t.Errorf("to /dev/full: status %d, %s", status, errs)
	}
}

// TestStoppedPageSaysSo checks that the page of a stopped call cannot be mistaken for one about the
// whole folder.
func TestStoppedPageSaysSo(t *testing.T) {
	workplace(t)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	var out, errs strings.Builder
	status := run(ctx, []string{"inspect", "--format", "html", "crawl", "twin.warc"}, &out, &errs)
	if status != exitCall || !strings.Contains(out.String(), "it has 0 of 2 containers") ||
		!strings.Contains(errs.String(), "stopped before the end") {
		t.Errorf("status %d, %s\n%s", status, errs.String(), out.String())
	}
	if _, whole, _ := call(t, "inspect", "--format", "html", "crawl", "twin.warc"); strings.Contains(whole,
		"incomplete") {
		t.Error("a page on all containers says that it is incomplete")
	}
}
