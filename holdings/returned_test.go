package holdings

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

// A body that returned its buffer cannot be read, and returns it once.
func TestReturnedBody(t *testing.T) {
	body := &returned{io.NopCloser(strings.NewReader("the next record")), &bytes.Buffer{}}
	for range 2 {
		if err := body.Close(); err != nil {
			t.Fatal(err)
		}
		if n, err := body.Read(make([]byte, 1)); n != 0 || !errors.Is(err, os.ErrClosed) {
			t.Errorf("%d bytes, %v", n, err)
		}
		if body.text != nil {
			t.Error("it can return the buffer again")
		}
	}
}
