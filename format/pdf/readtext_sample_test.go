package pdf

import (
	"fmt"
	"os"
	"testing"
)

func TestZZ(t *testing.T) {
	f, _ := os.Open(os.Getenv("PDF"))
	i, _ := f.Stat()
	x, err := ReadText(f, i.Size(), 1<<20)
	fmt.Println(err)
	fmt.Println(x.Pages, x.Unknown, x.Warnings)
	fmt.Println(x.Text[:min(len(x.Text), 1500)])
}
