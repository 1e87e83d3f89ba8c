package harvest

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// In a child process of TestKill, harvest and wait for the kill.
func TestMain(m *testing.M) {
	if base := os.Getenv("QUIRE_HARVEST_TEST"); base != "" {
		_, err := Run(context.Background(),
			Options{BaseURL: base, Out: os.Getenv("QUIRE_HARVEST_OUT"), Agent: agent, Now: func() time.Time {
				return noon
			}})
		if err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// A killed harvest, without any chance to clean up, continues as if it had not been killed.
func TestKill(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "whole")
	o := options(newHostile(45, 10).serve(t), whole)
	mustRun(t, o)
	want := blocksOf(t, whole)
	for at := 1; at <= 5; at++ {
		h := newHostile(45, 10)
		out := filepath.Join(t.TempDir(), "out")
		reached := make(chan struct{})
		hold := make(chan struct{})
		h.before = func(n int, _ http.ResponseWriter, _ url.Values) bool {
			if n == at {
				close(reached)
				<-hold
			}
			return false
		}
		base := h.serve(t)
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "QUIRE_HARVEST_TEST="+base, "QUIRE_HARVEST_OUT="+out)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		<-reached
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed
		close(hold)
		r := mustRun(t, options(base, out))
		if got := blocksOf(t, out); got != want || !r.Complete {
			t.Errorf("killed at question %d: %+v\n%s", at, r.Window, got)
		}
	}
}
