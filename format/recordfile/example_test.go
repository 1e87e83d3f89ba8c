package recordfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"quire/format/inflate"
	"quire/format/recordfile"
)

// Each record is a gzip member of its own. After a failure the error states how many bytes of the
// file are complete records.
func Example() {
	var file bytes.Buffer
	w, err := recordfile.NewWriter(&file, recordfile.Options{Compression: inflate.Gzip})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, length, err := w.Record(func(out io.Writer) error {
		_, err := io.WriteString(out, "a record")
		return err
	})
	fmt.Println(length == int64(file.Len()), err)

	_, _, err = w.Record(func(io.Writer) error { return errors.New("half a record") })
	var failed *recordfile.Fail
	fmt.Println(errors.As(err, &failed), failed.Whole == length, w.Close() != nil)
	// Output:
	// true <nil>
	// true true true
}
