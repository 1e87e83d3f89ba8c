package sandbox

import (
	"context"
	"os/exec"
	"strings"
	"testing"
)

// BenchmarkAsk measures the cost of the jail in addition to starting a program: compare the two.
func BenchmarkAsk(b *testing.B) {
	c := Command{Args: []string{"true"}}
	for b.Loop() {
		if _, err := c.Ask(context.Background(), Question{Temp: b.TempDir(), In: strings.NewReader("x")}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkExec(b *testing.B) {
	for b.Loop() {
		if err := exec.Command("true").Run(); err != nil {
			b.Fatal(err)
		}
	}
}
