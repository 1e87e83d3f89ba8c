package sqldump

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func BenchmarkReader(b *testing.B) {
	dump := strings.Repeat("insert into t (a, b, c) values (12345, 'Blog that names and criticises Child Youth and "+
		"Family staff', NULL);\n", 10_000)
	b.SetBytes(int64(len(dump)))
	for b.Loop() {
		r := NewReader(strings.NewReader(dump))
		for _, err := r.Next(); !errors.Is(err, io.EOF); _, err = r.Next() {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
